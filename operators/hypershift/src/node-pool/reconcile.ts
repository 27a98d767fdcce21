import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS, NODE_POOL_CONDITIONS, NODE_POOL_REASONS, NODE_POOLS } from '@capstan/hosting';
import type { Reconcile, Result } from '@capstan/kube';
import { minOf } from '@capstan/meta';
import { ConditionSet } from './conditions.js';
import { decide } from './decide.js';
import type { Decision } from './decide.js';
import { deletePool } from './deletion/reconcile.js';
import type { NodePoolDependencies } from './dependencies.js';
import { claim } from './finalizer.js';
import { find, gather } from './gather.js';
import { isDeleting } from './resources.js';
import type { Pool, Snapshot } from './snapshot.js';
import { act } from './steps/act.js';
import { writeStatus } from './steps/write-status.js';

/** A release that cannot be read may become readable without a change of any object. */
const RETRY_RELEASE_MS = 300_000;

/** Reconciles a NodePool: gather, decide, act, and write the status once. */
export function reconcileNodePool(dependencies: NodePoolDependencies): Reconcile {
  const { cache } = dependencies;
  return async ({ name, namespace }, { signal }) => {
    const pool = await find<NodePool>(cache, NODE_POOLS, namespace, name);
    if (pool?.spec === undefined) {
      dependencies.ownWrites.forget(`${namespace}/${name}`);
      return undefined;
    }
    const found = pool as Pool;
    const cluster = await find<HostedCluster>(cache, HOSTED_CLUSTERS, namespace, found.spec.clusterName);
    if (cluster !== undefined && dependencies.isInScope?.(cluster) === false) return undefined;
    if (isDeleting(found)) return deletePool(dependencies, found, signal);
    if (cluster?.spec === undefined) return reportMissingCluster(dependencies, found);
    const nodePool = await claim(dependencies, found, cluster);
    const snapshot = await gather(dependencies, nodePool, cluster, signal);
    const decision = decide(snapshot);
    const failure = await act(dependencies, nodePool, decision.changes, signal);
    const waitMs = await writeStatus(dependencies, nodePool, decision);
    if (failure !== undefined) throw failure.error;
    return resultOf(snapshot, decision, waitMs);
  };
}

/** The HostedCluster of the NodePool does not exist. Nothing was created for the pool, or its deletion removes it. */
async function reportMissingCluster(dependencies: NodePoolDependencies, nodePool: Pool): Promise<undefined> {
  const conditions = new ConditionSet();
  const cluster = `${nodePool.metadata.namespace}/${nodePool.spec.clusterName}`;
  const message = `HostedCluster ${cluster} does not exist: create it, or delete this NodePool`;
  conditions.setFault(NODE_POOL_CONDITIONS.ready, message, NODE_POOL_REASONS.notFound);
  const { conditions: _, ...status } = nodePool.status ?? {};
  await writeStatus(dependencies, nodePool, { conditions, findings: { annotations: {}, status } });
  return undefined;
}

/** When to reconcile again. A registry that does not answer is asked again with backoff. */
function resultOf({ release }: Snapshot, { againInMs }: Decision, waitMs: number): Result {
  if ('error' in release && release.error.isTransient) throw release.error;
  const times = [againInMs ?? 0, waitMs, 'error' in release ? RETRY_RELEASE_MS : 0].filter((ms) => ms > 0);
  return times.length === 0 ? {} : { requeueAfterMs: minOf(times) };
}
