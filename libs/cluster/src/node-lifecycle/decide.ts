import { minOf } from '@capstan/meta';
import type { Node, NodeCondition, Taint, Toleration } from '../daemon-set/placement.js';
import { tolerates } from '../daemon-set/placement.js';
import { timeMs } from '../workload/pods.js';
import type { Pod } from '../workload/resources.js';

const PREFIX = 'node.kubernetes.io/';
const NOT_READY = `${PREFIX}not-ready`;
const UNREACHABLE = `${PREFIX}unreachable`;

/** The conditions a node speaks of itself. */
const SPOKEN = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** Conditions that keep new pods away while they are so. */
const REPELLING: readonly (readonly [type: string, status: string, key: string])[] = [
  ['Ready', 'False', NOT_READY],
  ['Ready', 'Unknown', UNREACHABLE],
  ['MemoryPressure', 'True', `${PREFIX}memory-pressure`],
  ['DiskPressure', 'True', `${PREFIX}disk-pressure`],
  ['PIDPressure', 'True', `${PREFIX}pid-pressure`],
  ['NetworkUnavailable', 'True', `${PREFIX}network-unavailable`],
];
const UNSCHEDULABLE = `${PREFIX}unschedulable`;
const OWN_KEYS = new Set([...REPELLING.map(([, , key]) => key), UNSCHEDULABLE]);

/** The condition of a node's health. */
export function readyCondition({ status }: Node): NodeCondition | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}

/** The conditions of a node that went silent: Unknown. */
export function unknownConditions({ metadata, status }: Node, now: string): NodeCondition[] {
  const conditions = status?.conditions ?? [];
  const spoken = SPOKEN.map((type): NodeCondition => {
    const before = conditions.find((condition) => condition.type === type);
    if (before === undefined)
      return {
        type,
        status: 'Unknown',
        lastHeartbeatTime: metadata.creationTimestamp ?? now,
        lastTransitionTime: now,
        reason: 'NodeStatusNeverUpdated',
        message: 'Kubelet never posted node status.',
      };
    if (before.status === 'Unknown') return before;
    const message = 'Kubelet stopped posting node status.';
    return { ...before, status: 'Unknown', lastTransitionTime: now, reason: 'NodeStatusUnknown', message };
  });
  return [...conditions.filter(({ type }) => !SPOKEN.includes(type)), ...spoken];
}

/** The taints a node should have for the state it is in; undefined when it has them. Those of others stay. */
export function decideTaints(node: Node, now: string): Taint[] | undefined {
  const { conditions = [] } = node.status ?? {};
  // Nothing is known yet: the taint of new nodes stays.
  if (readyCondition(node) === undefined) return undefined;
  const isSo = ([type, status]: (typeof REPELLING)[number]): boolean =>
    conditions.some((condition) => condition.type === type && condition.status === status);
  const repelling = REPELLING.filter(isSo).map(([, , key]): Taint => ({ key, effect: 'NoSchedule' }));
  if (node.spec?.unschedulable === true) repelling.push({ key: UNSCHEDULABLE, effect: 'NoSchedule' });
  const expelling = REPELLING.filter(([type]) => type === 'Ready')
    .filter(isSo)
    .map(([, , key]): Taint => ({ key, effect: 'NoExecute' }));
  const before = node.spec?.taints ?? [];
  const find = ({ effect, key }: Taint): Taint | undefined =>
    before.find((taint) => taint.key === key && taint.effect === effect);
  const isOwn = ({ effect, key = '' }: Taint): boolean => {
    return OWN_KEYS.has(key) && (effect === 'NoSchedule' || (effect === 'NoExecute' && key !== UNSCHEDULABLE));
  };
  const wanted = [...repelling, ...expelling.map((taint) => ({ ...taint, timeAdded: now }))];
  const added = wanted.filter((taint) => find(taint) === undefined);
  const kept = before.filter(
    (taint) => !isOwn(taint) || wanted.some((each) => each.key === taint.key && each.effect === taint.effect),
  );
  return added.length === 0 && kept.length === before.length ? undefined : [...kept, ...added];
}

/** Milliseconds until a pod is to leave a tainted node; undefined when it may stay. */
export function leavesInMs(pod: Pod, node: Node, nowMs: number): number | undefined {
  const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  if (taints.length === 0 || pod.metadata.deletionTimestamp != null) return undefined;
  const tolerations = (pod.spec?.['tolerations'] ?? []) as Toleration[];
  const used = taints.map((taint) => tolerations.filter((toleration) => tolerates(toleration, taint)));
  if (used.some((list) => list.length === 0)) return 0;
  const limits = used
    .flat()
    .flatMap(({ tolerationSeconds }) => (tolerationSeconds === undefined ? [] : [tolerationSeconds]));
  if (limits.length === 0) return undefined;
  const since = minOf(taints.map(({ timeAdded }) => (timeAdded === undefined ? nowMs : timeMs(timeAdded))));
  return Math.max(0, since + Math.max(0, minOf(limits)) * 1000 - nowMs);
}

/** A pod's conditions, with the one that names the source of its disruption. */
export function disruptedConditions({ status }: Pod, reason: string, message: string, now: string): NodeCondition[] {
  const others = (status?.conditions ?? []) as NodeCondition[];
  const condition = { type: 'DisruptionTarget', status: 'True', lastTransitionTime: now, reason, message };
  return [...others.filter(({ type }) => type !== 'DisruptionTarget'), condition];
}
