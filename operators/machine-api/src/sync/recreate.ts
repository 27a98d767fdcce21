/** Infrastructure machines are immutable: another spec is another object, as long as no provider acts on either. */
import { getAt } from '@capstan/convert';
import type { KubeObject } from '@capstan/meta';
import { SYNC_FINALIZER } from '../names.js';
import { isPausedByClusterApi } from '../shared/conditions.js';
import { hasAny, isOfClusterApi, withoutFinalizers } from '../shared/finalizers.js';
import { isDeleting, recordAt } from '../shared/model.js';
import { hasPause } from '../shared/pause.js';
import type { Inputs, Progress } from '../resource/inputs.js';
import { hasSameSpec } from './same-spec.js';
import { REASONS } from '../resource/reasons.js';

/** The fields of a platform's infrastructure machine that name its instance: providers take them later. */
function identityPaths({ tools }: Inputs): readonly string[] {
  return tools.platform.identity.flatMap(({ claims }) => claims.right.map(({ path }) => path.split('.')[0] ?? ''));
}

/** The spec without what names the instance, where that is not there yet. */
function comparable(inputs: Inputs, existing: KubeObject, wanted: KubeObject): unknown {
  const spec = { ...recordAt(wanted, 'spec') };
  for (const path of identityPaths(inputs)) if (getAt(existing, ['spec', path]) === undefined) delete spec[path];
  return spec;
}

/** Whether another infrastructure machine is needed, or the one before is on its way out. */
export function isRecreationDue(inputs: Inputs, existing: KubeObject, wanted: KubeObject): boolean {
  if (isDeleting(existing)) return true;
  return !hasSameSpec(inputs, { ...wanted, spec: comparable(inputs, existing, wanted) }, existing);
}

/** Deletes it without its instance: only Machine API acts, and the provider has acknowledged that. */
export function recreate(inputs: Inputs, existing: KubeObject): Progress {
  const kind = inputs.tools.machines;
  const name = existing.metadata.name ?? '';
  const problem = (message: string): Progress['problem'] => ({ reason: REASONS.recreating, message, isFinal: false });
  if (inputs.mapi?.status?.authoritativeAPI !== 'MachineAPI')
    return {
      problem: problem(`${kind.kind} ${name} differs, and can be replaced while Machine API is authoritative only`),
    };
  if (!hasPause(existing) || !isPausedByClusterApi(existing))
    return { problem: problem(`waiting for the provider to report ${kind.kind} ${name} as paused, to replace it`) };
  if (!isDeleting(existing))
    return {
      step: { slot: 'elsewhere', change: { verb: 'delete', kind, object: existing } },
      problem: problem(`replaces ${kind.kind} ${name}`),
    };
  const isOurs = (finalizer: string): boolean => finalizer === SYNC_FINALIZER || isOfClusterApi(finalizer);
  if (!hasAny(existing, isOurs)) return { problem: problem(`waiting for ${kind.kind} ${name} to be deleted`) };
  const after = withoutFinalizers(existing, isOurs);
  return {
    step: { slot: 'elsewhere', change: { verb: 'patch', kind, before: existing, after } },
    problem: problem(`replaces ${kind.kind} ${name}`),
  };
}
