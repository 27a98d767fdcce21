import { ACCOUNT_UID_ANNOTATION, accountUid } from '@capstan/hosting';
import type { ResourceKind } from '@capstan/kube';
import { apiErrorOf, isConflict } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { ControlPlaneError } from '../../errors.js';
import { SERVICE_ACCOUNTS } from '../../kinds.js';
import type { Snapshot } from '../../objects/snapshot.js';
import type { ComponentDefinition } from '../definition.js';
import { objectsOf, workloadKind } from '../objects.js';
import type { ComponentResource } from '../objects.js';
import type { ComponentScope } from '../scope.js';

/** Ensures the objects of a component; returns the error to report when one of them cannot be written. */
export async function ensureObjects(
  definition: ComponentDefinition,
  resources: readonly ComponentResource[],
  { key, objects, owner, settled, inputs }: ComponentScope,
): Promise<unknown> {
  const there = (): ReturnType<typeof objects.snapshot.get>[] =>
    resources.map(({ kind, name }) => objects.snapshot.get(kind, name));
  const part = `objects of ${definition.name}`;
  if (settled.until(owner, part, { key, objects: there(), nowMs: 0 }) !== undefined) return undefined;
  try {
    for (const [kind, object] of objectsOf(definition, inputs))
      await objects.ensure(
        kind,
        kind === workloadKind(definition) ? ofAccount(object, kind, objects.snapshot) : object,
      );
  } catch (error) {
    if (!isReported(error)) throw error;
    return error;
  }
  const made = there();
  if (objects.areAsDesired(made)) settled.settle(owner, part, { key, objects: made });
  return undefined;
}

/** A workload whose pods are replaced when their ServiceAccount was recreated, since tokens are bound to its UID. */
function ofAccount(workload: KubeObject, kind: ResourceKind, snapshot: Snapshot): KubeObject {
  const { name = '' } = workload.metadata;
  const uid = accountUid(snapshot.get(SERVICE_ACCOUNTS, name), snapshot.get(kind, name));
  if (uid === undefined) return workload;
  const spec = workload['spec'] as { template: { metadata: { annotations: object } } };
  const { metadata } = spec.template;
  const annotations = { ...metadata.annotations, [ACCOUNT_UID_ANNOTATION]: uid };
  return { ...workload, spec: { ...spec, template: { ...spec.template, metadata: { ...metadata, annotations } } } };
}

/** Whether an error is reported in the status. Conflicts and unreachable servers are only retried. */
function isReported(error: unknown): boolean {
  if (error instanceof ControlPlaneError) return true;
  return apiErrorOf(error) !== undefined && !isConflict(error);
}
