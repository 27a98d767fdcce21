import { pauseOf, reconciliationActive } from '@capstan/provider';
import type { Pause } from '@capstan/provider';
import type { Saying } from './conditions.js';
import type { Facts } from './facts.js';
import { isGoing, keyOf } from './resources.js';

type Paused = Pick<Facts, 'hostedCluster' | 'nodePool' | 'nowMs'>;

/** How long a pool is left alone: as long as its own spec or that of its HostedCluster wants it, whichever is longer. */
export function poolPause(facts: Paused): { readonly pause: Pause; readonly isOfCluster: boolean } {
  const { hostedCluster, nodePool, nowMs } = facts;
  const own = pauseOf(nodePool.spec.pausedUntil, nowMs);
  // What is deleted goes on: nothing would come to its end else.
  const cluster = isGoing(hostedCluster) ? undefined : pauseOf(hostedCluster.spec.pausedUntil, nowMs);
  const isOfCluster = cluster?.isPaused === true && endOf(cluster) > endOf(own);
  return { pause: isOfCluster ? cluster : own, isOfCluster };
}

function endOf(pause: Pause): number {
  return pause.isPaused ? (pause.untilMs ?? Infinity) : 0;
}

/** ReconciliationActive of a pool. */
export function poolActive(facts: Paused): Saying {
  const { hostedCluster, nodePool } = facts;
  const { isOfCluster, pause } = poolPause(facts);
  const { spec } = isOfCluster ? hostedCluster : nodePool;
  const { message, reason, status } = reconciliationActive(pause, spec.pausedUntil);
  if (isOfCluster)
    return { status, reason, message: `${message}, by spec.pausedUntil of HostedCluster ${keyOf(hostedCluster)}` };
  if (reason === 'AsExpected') return { status, reason: 'ReconciliationActive', message };
  return { status, reason, message, ...(pause.isPaused ? {} : { isFault: true }) };
}
