import { compileLabelSelector, matcherFromSet, minOf } from '@capstan/meta';
import { findCondition, withCondition, withoutCondition, withoutZeros } from '../workload/conditions.js';
import type { WorkloadCondition } from '../workload/conditions.js';
import { availableAtMs, compareVictims, isAvailable, isReady } from '../workload/pods.js';
import type { Pod, ReplicaSet, ReplicaSetStatus } from '../workload/resources.js';

/** At most so many pods are created or deleted at once. */
const BURST = 500;
const REPLICA_FAILURE = 'ReplicaFailure';

/** What to do about the number of pods. */
export interface Replicas {
  readonly create: number;
  readonly remove: readonly Pod[];
}

/** Compares the pods there are with the pods there should be; `related` are those of sibling ReplicaSets too. */
export function decideReplicas(
  set: ReplicaSet,
  active: readonly Pod[],
  related: () => readonly Pod[],
  nowMs: number,
): Replicas {
  const surplus = active.length - (set.spec.replicas ?? 1);
  if (surplus <= 0) return { create: Math.min(-surplus, BURST), remove: [] };
  const count = Math.min(surplus, BURST);
  if (count >= active.length) return { create: 0, remove: active };
  const onNode = new Map<string, number>();
  for (const pod of related()) {
    const node = pod.spec?.nodeName ?? '';
    onNode.set(node, (onNode.get(node) ?? 0) + 1);
  }
  const ranked = active.map((pod) => ({ pod, rank: onNode.get(pod.spec?.nodeName ?? '') ?? 0 }));
  ranked.sort((a, b) => compareVictims(a, b, nowMs));
  return { create: 0, remove: ranked.slice(0, count).map(({ pod }) => pod) };
}

/** What went wrong with the pods, as a condition has it. */
export interface ReplicaFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

export interface StatusInput {
  readonly set: ReplicaSet;
  readonly active: readonly Pod[];
  readonly terminating: number;
  readonly failure: ReplicaFailure | undefined;
  readonly nowMs: number;
  readonly now: string;
}

/** The status with the number of pods, ready and available ones. */
export function replicaSetStatus({ set, active, terminating, failure, now, nowMs }: StatusInput): ReplicaSetStatus {
  const { minReadySeconds = 0, template } = set.spec;
  const labelled = matcherFromSet(template.metadata?.labels);
  const ready = active.filter(isReady);
  return withoutZeros<ReplicaSetStatus>(
    {
      replicas: active.length,
      fullyLabeledReplicas: active.filter((pod) => labelled.matches(pod.metadata.labels ?? {})).length,
      readyReplicas: ready.length,
      availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length,
      terminatingReplicas: terminating,
      observedGeneration: set.metadata.generation ?? 0,
      conditions: failureConditions(set.status?.conditions ?? [], failure, now),
    },
    ['replicas', 'terminatingReplicas'],
  );
}

function failureConditions(
  before: readonly WorkloadCondition[],
  failure: ReplicaFailure | undefined,
  now: string,
): WorkloadCondition[] {
  if (failure === undefined) return withoutCondition(before, REPLICA_FAILURE);
  // The first failure stays until all is well.
  if (findCondition(before, REPLICA_FAILURE) !== undefined) return [...before];
  return withCondition(before, { type: REPLICA_FAILURE, status: 'True', lastTransitionTime: now, ...failure });
}

/** How long until the next ready pod counts as available; undefined when there is nothing to wait for. */
export function nextAvailabilityMs(set: ReplicaSet, active: readonly Pod[], nowMs: number): number | undefined {
  const times = active
    .map((pod) => availableAtMs(pod, set.spec.minReadySeconds ?? 0))
    .filter((at) => at !== undefined && at > nowMs);
  return times.length === 0 ? undefined : minOf(times as number[]) - nowMs;
}

/** True when the ReplicaSet would select the pod. */
export function selects(set: ReplicaSet, pod: Pod): boolean {
  const matcher = compileLabelSelector(set.spec.selector);
  return matcher.matches(pod.metadata.labels ?? {});
}
