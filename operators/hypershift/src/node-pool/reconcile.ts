import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import {
  acknowledgedLock,
  acknowledgement,
  conditionsOf,
  HOSTED_CLUSTERS,
  NODE_POOL_CONDITIONS,
  NODE_POOL_REASONS,
  NODE_POOLS,
} from '@capstan/hosting';
import type { Turn } from '@capstan/hosting';
import type { Reconcile, Result } from '@capstan/kube';
import { minOf } from '@capstan/meta';
import { STALE_MS } from '../turns/turns.js';
import type { StaleTurn } from '../turns/turns.js';
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
    const turn = await turnOf(dependencies, found, { cluster, signal });
    if (turn.do === 'wait') return { requeueAfterMs: turn.afterMs };
    if (turn.do === 'acknowledge' && cluster !== undefined)
      return acknowledge(dependencies, found, { cluster, lock: turn.lock, signal });
    if (turn.do !== 'reconcile') return undefined;
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

/** What is done here about a NodePool: the same as about its HostedCluster. */
async function turnOf(
  { turns }: NodePoolDependencies,
  { metadata: { namespace = '' }, spec: { clusterName } }: Pool,
  { cluster, signal }: { readonly cluster: HostedCluster | undefined; readonly signal: AbortSignal },
): Promise<StaleTurn | Turn> {
  if (cluster !== undefined) return turns.of(cluster, signal);
  const request = { namespace, name: clusterName };
  turns.forget(request);
  return { do: (await turns.isOfAbsentCluster(request, signal)) ? 'reconcile' : 'leave' };
}

/** Reports that nothing of the NodePool is written here any more: the reconcile before this one has ended. */
async function acknowledge(
  dependencies: NodePoolDependencies,
  nodePool: Pool,
  { cluster, lock, signal }: { readonly cluster: HostedCluster; readonly lock: string; readonly signal: AbortSignal },
): Promise<Result | undefined> {
  if (acknowledgedLock(conditionsOf(nodePool)) === lock) return undefined;
  if (!(await dependencies.turns.isLocked(cluster, lock, signal))) return { requeueAfterMs: STALE_MS };
  const conditions = new ConditionSet();
  conditions.set(NODE_POOL_CONDITIONS.active, acknowledgement(lock));
  await writeStatus(dependencies, nodePool, keepingStatus(nodePool, conditions));
  return undefined;
}

function keepingStatus({ status: before }: Pool, conditions: ConditionSet): Pick<Decision, 'conditions' | 'findings'> {
  const { conditions: _, ...status } = before ?? {};
  return { conditions, findings: { annotations: {}, status } };
}

/** The HostedCluster of the NodePool does not exist. Nothing was created for the pool, or its deletion removes it. */
async function reportMissingCluster(dependencies: NodePoolDependencies, nodePool: Pool): Promise<undefined> {
  const conditions = new ConditionSet();
  const cluster = `${nodePool.metadata.namespace}/${nodePool.spec.clusterName}`;
  const message = `HostedCluster ${cluster} does not exist: create it, or delete this NodePool`;
  conditions.setFault(NODE_POOL_CONDITIONS.ready, message, NODE_POOL_REASONS.notFound);
  await writeStatus(dependencies, nodePool, keepingStatus(nodePool, conditions));
  return undefined;
}

/** When to reconcile again. A registry that does not answer is asked again with backoff. */
function resultOf({ release }: Snapshot, { againInMs }: Decision, waitMs: number): Result {
  if ('error' in release && release.error.isTransient) throw release.error;
  const times = [againInMs ?? 0, waitMs, 'error' in release ? RETRY_RELEASE_MS : 0].filter((ms) => ms > 0);
  return times.length === 0 ? {} : { requeueAfterMs: minOf(times) };
}
