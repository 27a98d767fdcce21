import { controlPlaneNamespace, FINALIZER, NODE_POOLS } from '@capstan/hosting';
import { hasFinalizer, objectKey, performChange, removeFinalizer } from '@capstan/kube';
import type { Result } from '@capstan/kube';
import type { NodePoolDependencies } from '../dependencies.js';
import { gatherExisting } from '../gather.js';
import type { Pool } from '../snapshot.js';
import { decideDeletion } from './decide.js';

/** Deletions are checked again after this long: most of what is deleted is not watched. */
const REQUEUE_MS = 1000;

/** Deletes everything that was created for a NodePool, then removes its finalizer. */
export async function deletePool(
  { cache, client, platforms }: NodePoolDependencies,
  nodePool: Pool,
  signal: AbortSignal,
): Promise<Result | undefined> {
  if (!hasFinalizer(nodePool, FINALIZER)) return undefined;
  const { name = '', namespace = '' } = nodePool.metadata;
  const key = objectKey(nodePool);
  const platform = platforms.find(nodePool.spec.platform.type);
  const template = platform?.machineTemplate?.kind;
  const at = { key, name, namespace: controlPlaneNamespace(namespace, nodePool.spec.clusterName) };
  let decision = decideDeletion(await gatherExisting(cache, at), key, template);
  // The cache may lag behind the last writes: only the server can confirm that nothing is left. Templates are read from
  // the server alone: their CRD may be deleted, and the cache would wait for it.
  if (!decision.hasMachines)
    decision = decideDeletion(await gatherExisting(client, { ...at, platform }), key, template);
  for (const change of decision.changes) await performChange(client, change, { signal });
  if (decision.changes.length > 0) return { requeueAfterMs: REQUEUE_MS };
  if (decision.isGone) await removeFinalizer(client, NODE_POOLS, nodePool, FINALIZER);
  return undefined;
}
