import { patchFrom } from '@capstan/kube';
import { lookAgain, inputsOf } from '../scope.js';
import type { Scope } from '../scope.js';

const LOOK_AGAIN_MS = 5_000;

/** Lets machines go that nobody can delete any more: without credentials no program reaches their cloud. */
export async function letMachinesGo(scope: Scope): Promise<void> {
  const { hostedCluster, namespace, parts, platform, signal } = scope;
  const kind = platform?.machineTemplate?.machine;
  if (kind === undefined || platform?.hasLostCredentials?.(inputsOf(scope)) !== true) return;
  lookAgain(scope, LOOK_AGAIN_MS);
  if (!parts.cache.canRead(kind)) return;
  const { items } = await parts.cache.list(kind, { namespace });
  const orphans = items.filter(
    ({ metadata }) => (metadata.deletionTimestamp ?? undefined) !== undefined && (metadata.finalizers ?? []).length > 0,
  );
  for (const before of orphans) {
    const after = { ...before, metadata: { ...before.metadata, finalizers: [] } };
    await patchFrom(parts.client, kind, { before, after }, { optimisticLock: true, signal });
  }
  if (orphans.length === 0) return;
  const names = orphans.map(({ metadata }) => metadata.name ?? '').toSorted();
  const message = `The credentials of the platform are gone, so these machines were let go and may still run there: ${names.join(', ')}`;
  const { name = '', namespace: beside, uid = '' } = hostedCluster.metadata;
  const { apiVersion, kind: what } = hostedCluster;
  parts.recorder.record(
    { apiVersion, kind: what, name, namespace: beside, uid },
    { type: 'Warning', reason: 'MachinesOrphaned', message },
  );
}
