import { NODE_POOL_CONDITIONS } from '@capstan/hosting';
import type { NodePool, NodePoolCondition, NodePoolStatus } from '@capstan/api/hypershift';
import { OwnWrites } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';

/** The least time between two status writes that differ in details only, and how long machine events are gathered. */
export const DETAILS_WAIT_MS = 5_000;

/** Conditions whose reason and message change with every step of every machine. */
const DETAILED: ReadonlySet<string> = new Set([
  NODE_POOL_CONDITIONS.machinesReady,
  NODE_POOL_CONDITIONS.nodesHealthy,
  NODE_POOL_CONDITIONS.ready,
]);

/** A status without what changes with every step of every machine. */
function outline(status: NodePoolStatus): unknown {
  const { conditions = [], nodesInfo: _, replicas: __, ...rest } = status;
  const kept = conditions.map((condition: NodePoolCondition) => {
    const { message: ___, reason: ____, ...others } = condition;
    return DETAILED.has(condition.type) ? others : condition;
  });
  return { ...rest, conditions: kept };
}

/** Status writes of NodePools. What still waits when the process ends is found again by the next one. */
export function nodePoolWrites(): OwnWrites<NodePool> {
  return new OwnWrites<NodePool>(({ status }) => status, { minIntervalMs: DETAILS_WAIT_MS });
}

/**
 * Milliseconds that a new status waits; 0 when it is written now. While machines start, each of them changes details many
 * times, and one write covers them all; whatever else changes is written at once.
 */
export function statusWaitMs(
  writes: OwnWrites<NodePool>,
  key: string,
  change: { readonly before: NodePool['status']; readonly after: NodePoolStatus },
  nowMs: number,
): number {
  const { before = {}, after } = change;
  if (deepEqual(before, after)) return 0;
  const waitMs = deepEqual(outline(before), outline(after)) ? writes.waitMs(key, nowMs) : 0;
  if (waitMs === 0) writes.startInterval(key, nowMs);
  return waitMs;
}
