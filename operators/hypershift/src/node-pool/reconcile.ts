import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import { FINALIZER, HOSTED_CLUSTERS, NODE_POOLS } from '@capstan/hosting';
import { errorText, patchFrom, performChange, timestamp, withFinalizer } from '@capstan/kube';
import type { EventSubject, Reconcile, Result } from '@capstan/kube';
import { deepEqual, isForbidden, isInvalid, minOf } from '@capstan/meta';
import type { OwnerReference } from '@capstan/meta';
import { mergeConditions, REASONS, Sayings, TYPES } from './conditions.js';
import { decide } from './decide.js';
import type { Decision } from './decide.js';
import { deletePool } from './deletion.js';
import type { Facts, Pool } from './facts.js';
import { find, gather } from './gather.js';
import { withWords } from './machines/shared.js';
import type { Work } from './parts.js';
import { isGoing, keyOf } from './resources.js';
import { statusWaitMs } from './status-details.js';

/** A release that cannot be told may be told later without anybody changing an object. */
const ASK_AGAIN_MS = 300_000;

/** Brings the machines of a pool to what the pool says: read, decide, write, and say what is. */
export function reconcileNodePool(work: Work): Reconcile {
  return async ({ name, namespace }, { signal }) => {
    const pool = await find<NodePool>(work.cache, NODE_POOLS, namespace, name);
    if (pool?.spec === undefined) {
      work.ownWrites.forget(`${namespace}/${name}`);
      return undefined;
    }
    const found = pool as Pool;
    const cluster = await find<HostedCluster>(work.cache, HOSTED_CLUSTERS, namespace, found.spec.clusterName);
    if (cluster !== undefined && work.isInScope?.(cluster) === false) return undefined;
    if (isGoing(found)) return deletePool(work, found, signal);
    if (cluster?.spec === undefined) return sayMissing(work, found);
    const nodePool = await claim(work, found, cluster);
    const facts = await gather(work, nodePool, cluster, signal);
    const decision = decide(facts);
    const failure = await act(work, facts, decision, signal);
    const waitMs = await report(work, nodePool, decision);
    if (failure !== undefined) throw failure.error;
    return againOf(facts, decision, waitMs);
  };
}

/** The HostedCluster that a pool names is not there. Nothing was made for it, or it is the deletion's to undo. */
async function sayMissing(work: Work, nodePool: Pool): Promise<undefined> {
  const said = new Sayings();
  const cluster = `${nodePool.metadata.namespace}/${nodePool.spec.clusterName}`;
  const message = `HostedCluster ${cluster} does not exist: create it, or delete this NodePool`;
  said.fault(TYPES.ready, message, REASONS.notFound);
  const { conditions: _, ...status } = nodePool.status ?? {};
  await report(work, nodePool, { said, changes: [], findings: { annotations: {}, status } });
  return undefined;
}

/** Before the first thing is made: the pool stays until it is undone, and goes when its cluster goes. Gives it as it is then. */
async function claim({ client }: Work, nodePool: Pool, cluster: HostedCluster): Promise<Pool> {
  if (isGoing(cluster)) return nodePool;
  const { apiVersion, kind, metadata } = cluster;
  const { name = '', uid = '' } = metadata;
  const owner: OwnerReference = { apiVersion, kind, name, uid };
  const owners = nodePool.metadata.ownerReferences ?? [];
  const others = owners.filter((each) => each.kind !== kind || each.name !== name || each.uid === uid);
  const isOwned = others.some((each) => each.uid === uid);
  const ownerReferences = isOwned ? others : [...others, owner];
  const owned = { ...nodePool, metadata: { ...nodePool.metadata, ownerReferences } };
  const after = withFinalizer(owned, FINALIZER);
  if (deepEqual(nodePool, after)) return nodePool;
  const lock = { optimisticLock: true };
  return (await patchFrom(client, NODE_POOLS, { before: nodePool as NodePool, after }, lock)) as Pool;
}

/** Writes what was decided, up to the first failure. */
async function act(
  { client, recorder }: Work,
  { nodePool }: Facts,
  { changes }: Decision,
  signal: AbortSignal,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    for (const change of changes) await performChange(client, change, { signal });
    return undefined;
  } catch (error) {
    // Refused for what it says: that does not mend itself, so whoever wrote the pool has to know.
    if (isInvalid(error) || isForbidden(error))
      recorder.record(subjectOf(nodePool), { type: 'Warning', reason: 'ReconcileError', message: errorText(error) });
    return { error };
  }
}

function subjectOf({ apiVersion, kind, metadata: { name = '', namespace, uid = '' } }: Pool): EventSubject {
  return { apiVersion, kind, name, namespace, uid };
}

/** Says of the pool what was found; writes nothing when that has been said. Gives how long details wait to be written. */
async function report(
  { client, clock, metrics, ownWrites, recorder }: Work,
  nodePool: Pool,
  { findings, said }: Decision,
): Promise<number> {
  const { conditions, fulfilled, news } = mergeConditions(nodePool, said, timestamp(clock));
  for (const { message, reason } of news) recorder.record(subjectOf(nodePool), { type: 'Warning', reason, message });
  const annotations = withWords(nodePool.metadata.annotations, findings.annotations);
  const before: NodePool = nodePool;
  const annotated = { ...before, metadata: { ...before.metadata, annotations } };
  const hasNews = !deepEqual(before.metadata.annotations ?? {}, annotations);
  const saved = hasNews
    ? await patchFrom(client, NODE_POOLS, { before, after: annotated }, { optimisticLock: true })
    : before;
  const status = { ...findings.status, conditions };
  const waitMs = statusWaitMs(ownWrites, keyOf(nodePool), { before: saved.status, after: status }, clock.now());
  const after = waitMs > 0 ? saved : { ...saved, status };
  ownWrites.record(after);
  if (waitMs > 0) return waitMs;
  const options = { subresource: 'status', optimisticLock: true } as const;
  ownWrites.record(await patchFrom(client, NODE_POOLS, { before: saved, after }, options));
  metrics.became(nodePool, fulfilled);
  return 0;
}

/** When to look again. A registry that is away is asked soon, and then less and less. */
function againOf({ release }: Facts, { againInMs }: Decision, waitMs: number): Result {
  if ('error' in release && release.error.isTransient) throw release.error;
  const times = [againInMs ?? 0, waitMs, 'error' in release ? ASK_AGAIN_MS : 0].filter((ms) => ms > 0);
  return times.length === 0 ? {} : { requeueAfterMs: minOf(times) };
}
