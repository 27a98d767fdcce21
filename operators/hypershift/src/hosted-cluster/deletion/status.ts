import type { HostedClusterStatus } from '@capstan/api/hypershift';
import { conditionsOf, DESTROY_GRACE_ANNOTATION } from '@capstan/hosting';
import { formatTime, getCondition } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { conditionsWith } from '../conditions.js';
import type { Finding, State } from '../state.js';
import { replaceStatus } from '../steps/write-status.js';
import { DESTROYED } from './decide.js';
import type { Waiting } from './decide.js';

/** The condition of a deletion that waits. */
export function waitingFinding(waiting: Waiting): Finding {
  return { type: DESTROYED, status: 'False', ...waiting };
}

/** The condition of a deletion that is complete, while its HostedCluster is kept. */
export function graceFinding({ metadata }: KubeObject): Finding {
  const grace = metadata.annotations?.[DESTROY_GRACE_ANNOTATION] ?? '';
  const message = `Everything of the cluster is deleted; the HostedCluster is kept for inspection for ${grace}`;
  return { type: DESTROYED, status: 'True', reason: 'WaitingForGracePeriod', message };
}

/** Writes the conditions of the deletion, with that of the control plane about its cloud resources. */
export async function writeDeletionStatus(state: State): Promise<void> {
  const { controlPlane, findings, hostedCluster, nowMs } = state;
  const cleaned = getCondition(conditionsOf(controlPlane), 'CloudResourcesDestroyed');
  const reported: Finding[] = [...findings.values()];
  if (cleaned !== undefined) {
    const { message, reason, status, type } = cleaned;
    reported.push({ type, status, reason, message });
  }
  const conditions = conditionsWith(hostedCluster, reported, formatTime(nowMs));
  await replaceStatus(state, hostedCluster, { ...hostedCluster.status, conditions } as unknown as HostedClusterStatus);
}
