import type { KubeObject, LabelSelector } from '@capstan/meta';
import { withoutZeros } from '../workload/conditions.js';
import { isAvailable, isFinished, isReady } from '../workload/pods.js';
import type { Pod, PodTemplate } from '../workload/resources.js';

export const REVISION_LABEL = 'controller-revision-hash';

export interface StatefulSetStatus {
  observedGeneration?: number;
  replicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
}

export interface StatefulSet extends KubeObject {
  spec: {
    replicas?: number;
    serviceName?: string;
    selector: LabelSelector;
    template: PodTemplate;
    volumeClaimTemplates?: KubeObject[];
    podManagementPolicy?: string;
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    ordinals?: { start?: number };
  };
  status?: StatefulSetStatus;
}

/** The names of the template pods were last all at, and of the one they are to get to. */
export interface Revisions {
  readonly current: string;
  readonly update: string;
}

/** A pod to be made. */
export interface NewPod {
  readonly ordinal: number;
  readonly revision: string;
}

/** What to do in one look. */
export interface Step {
  readonly create: readonly NewPod[];
  readonly remove: readonly Pod[];
}

/** The number at the end of a pod's name; -1 when it is not of the set. */
export function ordinalOf(set: StatefulSet, pod: Pod): number {
  const prefix = `${set.metadata.name ?? ''}-`;
  const rest = (pod.metadata.name ?? '').slice(prefix.length);
  return pod.metadata.name?.startsWith(prefix) === true && /^(?:0|[1-9]\d*)$/.test(rest) ? Number(rest) : -1;
}

function isLeaving(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp != null;
}

function revisionOf(pod: Pod): string | undefined {
  return pod.metadata.labels?.[REVISION_LABEL];
}

function newRevision(set: StatefulSet, ordinal: number, revisions: Revisions): string {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  const start = set.spec.ordinals?.start ?? 0;
  return type !== 'OnDelete' && ordinal < start + (rollingUpdate?.partition ?? 0)
    ? revisions.current
    : revisions.update;
}

/** The next step: fill up from below, take away from above, then update from above, one at a time unless Parallel. */
export function decideStep(set: StatefulSet, pods: readonly Pod[], revisions: Revisions, nowMs: number): Step {
  const { minReadySeconds = 0, ordinals: { start = 0 } = {}, replicas: count = 1, updateStrategy = {} } = set.spec;
  const isOrdered = set.spec.podManagementPolicy !== 'Parallel';
  const isHealthy = (pod: Pod): boolean => !isLeaving(pod) && isAvailable(pod, minReadySeconds, nowMs);
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
  const create: NewPod[] = [];
  const remove: Pod[] = [];
  for (let ordinal = start; ordinal < start + count; ordinal += 1) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) create.push({ ordinal, revision: newRevision(set, ordinal, revisions) });
    // A pod that is over makes way for another of its name.
    else if (isFinished(pod) && !isLeaving(pod)) remove.push(pod);
    if (isOrdered && (pod === undefined || !isHealthy(pod))) return { create, remove };
  }
  const condemned = pods
    .filter((pod) => ordinalOf(set, pod) >= start + count || (ordinalOf(set, pod) >= 0 && ordinalOf(set, pod) < start))
    .sort((a, b) => ordinalOf(set, b) - ordinalOf(set, a));
  const [highest] = condemned;
  if (isOrdered && highest !== undefined) {
    // One that is ill may be on its way to health; only when none below is ill too is there nothing to wait for.
    const lowestIll = condemned.findLast((pod) => !isHealthy(pod));
    const mayGo = !isLeaving(highest) && (isHealthy(highest) || highest === lowestIll);
    return { create, remove: mayGo ? [highest] : [] };
  }
  remove.push(...condemned.filter((pod) => !isLeaving(pod)));
  if (create.length > 0 || remove.length > 0 || updateStrategy.type === 'OnDelete') return { create, remove };
  const lowest = start + (updateStrategy.rollingUpdate?.partition ?? 0);
  for (let ordinal = start + count - 1; ordinal >= lowest; ordinal -= 1) {
    const pod = byOrdinal.get(ordinal);
    if (pod !== undefined && revisionOf(pod) !== revisions.update && !isLeaving(pod)) return { create, remove: [pod] };
    if (pod === undefined || !isHealthy(pod)) break;
  }
  return { create, remove };
}

/** The status, in which an update that has reached every pod becomes the current revision. */
export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
  nowMs: number,
): StatefulSetStatus {
  const { minReadySeconds = 0, replicas: count = 1, updateStrategy } = set.spec;
  const running = pods.filter((pod) => pod.status?.phase === 'Running' && isReady(pod));
  const staying = pods.filter((pod) => !isLeaving(pod));
  const at = (revision: string): number => staying.filter((pod) => revisionOf(pod) === revision).length;
  const updated = at(revisions.update);
  const isDone =
    updateStrategy?.type !== 'OnDelete' &&
    updated === pods.length &&
    running.length === pods.length &&
    pods.length === count;
  return withoutZeros<StatefulSetStatus>(
    {
      observedGeneration: set.metadata.generation ?? 0,
      replicas: pods.length,
      readyReplicas: running.length,
      availableReplicas: running.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length,
      currentReplicas: isDone ? updated : at(revisions.current),
      updatedReplicas: updated,
      currentRevision: isDone ? revisions.update : revisions.current,
      updateRevision: revisions.update,
      collisionCount: set.status?.collisionCount ?? 0,
    },
    ['replicas', 'availableReplicas', 'collisionCount'],
  );
}
