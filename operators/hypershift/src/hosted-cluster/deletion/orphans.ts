import { requeueAfter, inputsOf } from '../state.js';
import type { State } from '../state.js';

const LOOK_AGAIN_MS = 5_000;

/** Removes the finalizers of machines that cannot be deleted any more: without credentials no provider reaches their cloud. */
export async function releaseMachines(state: State): Promise<void> {
  const { converger, hostedCluster, namespace, dependencies, platform } = state;
  const kind = platform?.machineTemplate?.machine;
  if (kind === undefined || platform?.hasLostCredentials?.(inputsOf(state)) !== true) return;
  requeueAfter(state, LOOK_AGAIN_MS);
  if (!dependencies.cache.canRead(kind)) return;
  const { items } = await dependencies.cache.list(kind, { namespace });
  const orphans = items.filter(
    ({ metadata }) => (metadata.deletionTimestamp ?? undefined) !== undefined && (metadata.finalizers ?? []).length > 0,
  );
  for (const before of orphans) {
    const after = { ...before, metadata: { ...before.metadata, finalizers: [] } };
    await converger.patch(kind, before, after);
  }
  if (orphans.length === 0) return;
  const names = orphans.map(({ metadata }) => metadata.name ?? '').toSorted();
  const message = `The credentials of the platform do not exist, so the finalizers of these machines were removed and their instances may still run: ${names.join(', ')}`;
  const { name = '', namespace: home, uid = '' } = hostedCluster.metadata;
  const { apiVersion, kind: what } = hostedCluster;
  dependencies.recorder.record(
    { apiVersion, kind: what, name, namespace: home, uid },
    { type: 'Warning', reason: 'MachinesOrphaned', message },
  );
}
