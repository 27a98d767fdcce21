/** From Machine API to Cluster API: what the copy lacks, one write at a time. Pure. */
import type { Conversion } from '@capstan/convert/machine-api';
import { withFinalizer } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import type { JsonObject, KubeObject, OwnerReference } from '@capstan/meta';
import { deepEqual } from '@capstan/meta';
import { SYNC_FINALIZER } from '../names.js';
import { withPause } from '../shared/pause.js';
import { isDeleting, recordAt } from '../shared/model.js';
import type { Inputs, Progress, Step } from '../resource/inputs.js';
import { mergedMetadata, withoutOwnKeys } from './metadata.js';
import { ownersInClusterApi } from './owners.js';
import { isRecreationDue, recreate } from './recreate.js';
import { REASONS } from '../resource/reasons.js';
import type { Problem } from '../resource/reasons.js';
import { hasSameSpec } from './same-spec.js';
import { surroundingsProblem } from './surroundings.js';
import { collectTemplate } from '../resource/templates.js';

/** The next write that brings the copy in Cluster API closer to the object in Machine API. */
export function toClusterApi(inputs: Inputs): Progress {
  const { descriptor, mapi, owners, tools } = inputs;
  if (mapi === undefined) return {};
  const found = ownersInClusterApi(descriptor.kind, mapi, owners);
  if ('problem' in found && found.problem.isFinal) return found;
  const context = inputs.surroundings.context;
  const missing = surroundingsProblem(inputs);
  if (missing !== undefined || context === undefined) return { problem: missing };
  const source = withoutOwnKeys(mapi, descriptor.kind === 'MachineHealthCheck');
  const conversion = descriptor.toClusterApi(tools, source, context);
  if (conversion.errors.length > 0) return { problem: conversionProblem(conversion), warnings: conversion.warnings };
  if ('problem' in found) return found;
  const desired = desiredParts(inputs, conversion);
  return { ...nextWrite(inputs, desired, found.references), warnings: conversion.warnings };
}

/** The errors of a conversion, one sentence per field. */
export function conversionProblem({ errors }: Conversion): Problem {
  const message = errors.map(({ message: text, path }) => `${path === '' ? 'it' : path} ${text}`).join('; ');
  return { reason: REASONS.conversionFailed, message, isFinal: true };
}

interface Desired {
  readonly capi: KubeObject;
  readonly child?: KubeObject | undefined;
}

function desiredParts({ descriptor }: Inputs, { objects }: Conversion): Desired {
  if (descriptor.child === 'none') return { capi: objects[0] as KubeObject };
  return { child: objects[0] as KubeObject, capi: objects[1] as KubeObject };
}

function nextWrite(inputs: Inputs, desired: Desired, references: readonly OwnerReference[] | undefined): Progress {
  const { capi, descriptor, mapi } = inputs;
  // Before anything is created that would have to be deleted with it.
  const held = mapi === undefined ? mapi : withFinalizer(mapi, SYNC_FINALIZER);
  if (mapi !== undefined && held !== undefined && held !== mapi && !isDeleting(mapi))
    return {
      step: { slot: 'mapi', change: { verb: 'patch', kind: descriptor.machineApi, before: mapi, after: held } },
    };
  if (isDeleting(capi))
    return {
      problem: {
        reason: REASONS.counterpartDeleting,
        message: 'waiting for the deletion of the Cluster API copy',
        isFinal: false,
      },
    };
  if (descriptor.child === 'template') {
    const template = templateStep(inputs, desired);
    if (template !== undefined) return template;
  }
  const own = copyStep({ kind: descriptor.clusterApi, existing: capi, desired: desired.capi, references, inputs });
  if (own !== undefined) return { step: { slot: 'capi', change: own } };
  if (descriptor.child === 'machine') return machineChild(inputs, desired);
  return descriptor.child === 'template' ? collectTemplate(inputs, nameOf(desired.child)) : {};
}

const nameOf = (object: KubeObject | undefined): string => object?.metadata.name ?? '';

interface Copy {
  readonly kind: ResourceKind;
  readonly existing: KubeObject | undefined;
  readonly desired: KubeObject;
  readonly references: readonly OwnerReference[] | undefined;
  readonly inputs: Inputs;
}

/** The write of one object in Cluster API; it is paused from its first moment. */
function copyStep({ desired, existing, inputs, kind, references }: Copy): Step['change'] | undefined {
  if (existing === undefined) return { verb: 'create', kind, object: newCopy(desired, references) };
  const after = changedCopy(existing, desired, { inputs, references });
  return after === existing ? undefined : { verb: 'patch', kind, before: existing, after };
}

function newCopy(desired: KubeObject, references: readonly OwnerReference[] | undefined): KubeObject {
  const { name, namespace } = desired.metadata;
  const metadata = mergedMetadata(
    { ...(name && { name }), ...(namespace && { namespace }) },
    desired.metadata,
    references,
  );
  return withPause(withFinalizer({ ...desired, metadata }, SYNC_FINALIZER));
}

/** An existing copy as it should be; the very same when it is. */
export function changedCopy(
  existing: KubeObject,
  desired: KubeObject,
  { inputs, references }: Pick<Copy, 'inputs' | 'references'>,
): KubeObject {
  const isSame = hasSameSpec(inputs, desired, existing);
  const metadata = mergedMetadata(existing.metadata, desired.metadata, references);
  const spec = isSame ? existing['spec'] : keptSelector(existing, desired);
  const after = withPause(withFinalizer({ ...existing, metadata, spec }, SYNC_FINALIZER));
  return deepEqual(after, existing) ? existing : after;
}

/** What the server does not let change: the selector of a set, and of a control plane its size and that it is active. */
function keptSelector(existing: KubeObject, desired: KubeObject): unknown {
  const [before, spec] = [recordAt(existing, 'spec'), recordAt(desired, 'spec')];
  const kept = Object.entries(before).filter(([name]) => fixedFields(existing).includes(name));
  return kept.length === 0 ? spec : { ...spec, ...Object.fromEntries(kept) };
}

/** The fields of a set that cannot be changed. */
export function fixedFields({ kind, ...set }: KubeObject): readonly string[] {
  if (kind === 'MachineSet') return ['selector'];
  if (kind !== 'ControlPlaneMachineSet') return [];
  const isActive = recordAt(set as JsonObject, 'spec')['state'] === 'Active';
  return ['selector', 'replicas', ...(isActive ? ['state'] : [])];
}

function templateStep({ surroundings, templates, tools }: Inputs, { child }: Desired): Progress | undefined {
  if (child === undefined || templates.some(({ metadata }) => metadata.name === nameOf(child))) return undefined;
  const clusterName = surroundings.context?.clusterName ?? '';
  const labels = { ...child.metadata.labels, 'cluster.x-k8s.io/cluster-name': clusterName };
  const object = { ...child, metadata: { ...child.metadata, labels } };
  return { step: { slot: 'template', change: { verb: 'create', kind: tools.templates, object } } };
}

function machineChild(inputs: Inputs, desired: Desired): Progress {
  const { capi, child: existing, tools } = inputs;
  const { child } = desired;
  if (child === undefined || capi === undefined) return {};
  const { name = '', uid = '' } = capi.metadata;
  const references = [
    { apiVersion: capi.apiVersion, kind: capi.kind, name, uid, controller: true, blockOwnerDeletion: true },
  ];
  const kind = tools.machines;
  const labels = {
    ...child.metadata.labels,
    'cluster.x-k8s.io/cluster-name': String(recordAt(desired.capi, 'spec')['clusterName']),
  };
  const wanted: KubeObject = { ...child, metadata: { ...child.metadata, labels } };
  if (existing !== undefined && isRecreationDue(inputs, existing, wanted)) return recreate(inputs, existing);
  const change = copyStep({ kind, existing, desired: wanted, references, inputs });
  return change === undefined ? {} : { step: { slot: 'child', change } };
}
