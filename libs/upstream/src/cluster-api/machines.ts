import { matcherFromSet } from '@capstan/meta';
import type { KubeObject, LabelMatcher } from '@capstan/meta';
import { isFalse } from './conditions/conditions.js';
import { shortList } from './conditions/messages.js';
import { labels } from './names.js';
import type { Machine } from './types.js';

/** Everything that carries the name of a cluster. */
export function ofCluster(name: string): LabelMatcher {
  return matcherFromSet({ [labels.clusterName]: name });
}

export function isControlPlane({ metadata }: KubeObject): boolean {
  return metadata.labels?.[labels.controlPlane] !== undefined;
}

export function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp != null;
}

export function isUnhealthy(machine: Machine): boolean {
  return isFalse(machine, 'HealthCheckSucceeded');
}

/** Unhealthy, and its owner is to do something about it. */
export function isToBeRemediated(machine: Machine): boolean {
  return isUnhealthy(machine) && isFalse(machine, 'OwnerRemediated');
}

/** The message about unhealthy machines that nothing is going to replace. */
export function unhealthyText(machines: readonly Machine[], by: string): string {
  if (machines.length === 0) return '';
  const names = machines.map(({ metadata }) => metadata.name ?? '').toSorted();
  return `${subjectText(names)}not healthy (not to be remediated${by})`;
}

function subjectText(names: readonly string[]): string {
  const isOne = names.length === 1;
  return `Machine${isOne ? '' : 's'} ${shortList(names, 3)} ${isOne ? 'is' : 'are'} `;
}

const STALE_MS = 15 * 60_000;
const STALE_DRAIN_MS = 5 * 60_000;

/** Why a drain takes long, by its condition message. */
export const DELAYS: readonly (readonly [text: string, reason: string])[] = [
  ["cannot evict pod as it would violate the pod's disruption budget.", 'PodDisruptionBudgets'],
  ['deletionTimestamp set, but still not removed from the Node', 'Pods not terminating'],
  ['failed to evict Pod', 'Pod eviction errors'],
  ['waiting for completion', 'Pods not completed yet'],
];

/** Whether a machine has been going for too long. */
export function isStale({ metadata }: Machine, nowMs: number): boolean {
  return metadata.deletionTimestamp != null && nowMs - Date.parse(metadata.deletionTimestamp) > STALE_MS;
}

/** What delays the drain of a machine, when that has taken long. */
export function drainDelays(machine: Machine, nowMs: number): string[] {
  const deleting = machine.status?.conditions?.find(({ type }) => type === 'Deleting');
  const started = machine.status?.deletion?.nodeDrainStartTime;
  if (deleting?.status !== 'True' || deleting.reason !== 'DrainingNode' || started === undefined) return [];
  if (nowMs - Date.parse(started) <= STALE_DRAIN_MS) return [];
  return DELAYS.filter(([text]) => deleting.message.includes(text)).map(([, reason]) => reason);
}

/** The message about machines whose deletion takes too long. */
export function staleText(machines: readonly Machine[], nowMs: number): string {
  const stale = machines.filter((machine) => isStale(machine, nowMs));
  if (stale.length === 0) return '';
  const found = new Set(stale.flatMap((machine) => drainDelays(machine, nowMs)));
  const reasons = DELAYS.map(([, reason]) => reason).filter((reason) => found.has(reason));
  const why = reasons.length === 0 ? '' : `, delay likely due to ${reasons.join(', ')}`;
  const names = stale.map(({ metadata }) => metadata.name ?? '').toSorted();
  return `${subjectText(names)}in deletion since more than 15m${why}`;
}
