import { compareBytes, maxOf } from '@capstan/meta';
import type { Pod, PodCondition } from './resources.js';

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const PHASE_RANK: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** Milliseconds of an API time; 0 when there is none. */
export function timeMs(time: string | null | undefined): number {
  return time == null ? 0 : Date.parse(time);
}

/** Neither finished nor being deleted. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp == null;
}

/** Will never run again. */
export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

function readyCondition(pod: Pod): PodCondition | undefined {
  return pod.status?.conditions?.find(({ type }) => type === 'Ready');
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/** When a ready pod will count, or has counted, as available; undefined while it is not ready. */
export function availableAtMs(pod: Pod, minReadySeconds: number): number | undefined {
  const ready = readyCondition(pod);
  if (ready?.status !== 'True') return undefined;
  return minReadySeconds === 0 ? 0 : timeMs(ready.lastTransitionTime) + minReadySeconds * 1000;
}

/** Ready for long enough. */
export function isAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  const at = availableAtMs(pod, minReadySeconds);
  return at !== undefined && at <= nowMs;
}

/** A pod to choose victims from, with the number of related pods on its node. */
export interface RankedPod {
  readonly pod: Pod;
  readonly rank: number;
}

/** Who is deleted first comes first: the pod whose loss costs least. */
export function compareVictims(a: RankedPod, b: RankedPod, nowMs: number): number {
  const [x, y] = [a.pod, b.pod];
  return (
    assigned(x) - assigned(y) ||
    (PHASE_RANK[x.status?.phase ?? ''] ?? 0) - (PHASE_RANK[y.status?.phase ?? ''] ?? 0) ||
    Number(isReady(x)) - Number(isReady(y)) ||
    deletionCost(x) - deletionCost(y) ||
    b.rank - a.rank ||
    (isReady(x) && isReady(y) ? compareAges(readySince(x), readySince(y), x, y, nowMs) : 0) ||
    restarts(y) - restarts(x) ||
    compareAges(timeMs(x.metadata.creationTimestamp), timeMs(y.metadata.creationTimestamp), x, y, nowMs)
  );
}

function assigned(pod: Pod): number {
  return (pod.spec?.nodeName ?? '') === '' ? 0 : 1;
}

function deletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.[DELETION_COST] ?? '0';
  return /^(?:0|-?[1-9]\d{0,9})$/.test(text) ? Number(text) : 0;
}

function restarts(pod: Pod): number {
  return maxOf(
    (pod.status?.containerStatuses ?? []).map(({ restartCount = 0 }) => restartCount),
    0,
  );
}

function readySince(pod: Pod): number {
  return timeMs(readyCondition(pod)?.lastTransitionTime);
}

/** The younger first, but by orders of magnitude, so that of pods about as old any may go. */
// oxlint-disable-next-line max-params
function compareAges(aMs: number, bMs: number, a: Pod, b: Pod, nowMs: number): number {
  if (aMs === bMs) return 0;
  if (aMs === 0 || bMs === 0) return aMs === 0 ? -1 : 1;
  const magnitude = (ms: number): number => (nowMs <= ms ? -1 : Math.floor(Math.log2((nowMs - ms) * 1e6)));
  return magnitude(aMs) - magnitude(bMs) || compareBytes(a.metadata.uid ?? '', b.metadata.uid ?? '');
}
