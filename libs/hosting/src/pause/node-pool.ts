import type { ConditionUpdate, KubeObject } from '@capstan/meta';
import { pauseOf, reconciliationActive } from './pause.js';
import type { Pause } from './pause.js';

/** An object with `spec.pausedUntil`. */
interface Pausable extends Pick<KubeObject, 'metadata'> {
  readonly spec?: { readonly pausedUntil?: string | undefined } | undefined;
}

/** A NodePool and the HostedCluster it belongs to, at a moment. */
export interface PausablePool {
  readonly hostedCluster: Pausable;
  readonly nodePool: Pausable;
  readonly nowMs: number;
}

/** Whether a NodePool is paused: by its own spec or by that of its HostedCluster, whichever lasts longer. */
export function nodePoolPause({ hostedCluster, nodePool, nowMs }: PausablePool): {
  readonly pause: Pause;
  readonly isOfCluster: boolean;
} {
  const own = pauseOf(nodePool.spec?.pausedUntil, nowMs);
  // A HostedCluster that is deleted must not hold up its NodePools: their deletion would never end.
  const isDeleted = hostedCluster.metadata.deletionTimestamp != null;
  const cluster = isDeleted ? undefined : pauseOf(hostedCluster.spec?.pausedUntil, nowMs);
  const isOfCluster = cluster?.isPaused === true && endOf(cluster) > endOf(own);
  return { pause: isOfCluster ? cluster : own, isOfCluster };
}

function endOf(pause: Pause): number {
  return pause.isPaused ? (pause.untilMs ?? Infinity) : 0;
}

/** ReconciliationActive of a NodePool. */
export function nodePoolReconciliationActive(pool: PausablePool): ConditionUpdate {
  const { hostedCluster, nodePool } = pool;
  const { isOfCluster, pause } = nodePoolPause(pool);
  const condition = reconciliationActive(pause, (isOfCluster ? hostedCluster : nodePool).spec?.pausedUntil);
  if (isOfCluster) {
    const { name = '', namespace = '' } = hostedCluster.metadata;
    return {
      ...condition,
      message: `${condition.message}, by spec.pausedUntil of HostedCluster ${namespace}/${name}`,
    };
  }
  return condition.reason === 'AsExpected' ? { ...condition, reason: 'ReconciliationActive' } : condition;
}
