import type { KubeObject, LabelSelector } from '@capstan/meta';
import { withoutZeros } from '../workload/conditions.js';
import { isAvailable, isFinished, isReady } from '../workload/pods.js';
import type { IntOrPercent, Pod, PodTemplate } from '../workload/resources.js';

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
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number; maxUnavailable?: IntOrPercent } };
    persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
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

/** A set and its pods, as one look needs them. */
interface View {
  readonly set: StatefulSet;
  readonly start: number;
  readonly end: number;
  readonly isOrdered: boolean;
  readonly byOrdinal: ReadonlyMap<number, Pod>;
  readonly revisions: Revisions;
  readonly isHealthy: (pod: Pod) => boolean;
}

/** The next step: create from below, delete from above, then update from above, one at a time by default. */
export function decideStep(set: StatefulSet, pods: readonly Pod[], revisions: Revisions, nowMs: number): Step {
  const { minReadySeconds = 0, ordinals: { start = 0 } = {}, replicas = 1, updateStrategy = {} } = set.spec;
  const view: View = {
    set,
    start,
    end: start + replicas,
    isOrdered: set.spec.podManagementPolicy !== 'Parallel',
    byOrdinal: new Map(pods.map((pod) => [ordinalOf(set, pod), pod])),
    revisions,
    isHealthy: (pod) => !isLeaving(pod) && isAvailable(pod, minReadySeconds, nowMs),
  };
  const filled = fill(view);
  if (filled.isBlocked) return { create: filled.create, remove: filled.remove };
  const condemned = condemnedPods(set, pods);
  if (view.isOrdered && condemned.length > 0) return { create: filled.create, remove: shrink(view, condemned) };
  const { create } = filled;
  const remove = [...filled.remove, ...condemned.filter((pod) => !isLeaving(pod))];
  if (create.length > 0 || remove.length > 0 || updateStrategy.type === 'OnDelete') return { create, remove };
  return { create, remove: outdated(view) };
}

/** What is missing from below; an ordered set waits for each pod to be healthy. */
function fill({ byOrdinal, end, isHealthy, isOrdered, revisions, set, start }: View): Step & { isBlocked: boolean } {
  const create: NewPod[] = [];
  const remove: Pod[] = [];
  for (let ordinal = start; ordinal < end; ordinal += 1) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) create.push({ ordinal, revision: newRevision(set, ordinal, revisions) });
    // A pod that is over makes way for another of its name.
    else if (isFinished(pod) && !isLeaving(pod)) remove.push(pod);
    if (isOrdered && (pod === undefined || !isHealthy(pod))) return { create, remove, isBlocked: true };
  }
  return { create, remove, isBlocked: false };
}

/** The pods whose numbers the set no longer has, highest first. */
export function condemnedPods(set: StatefulSet, pods: readonly Pod[]): Pod[] {
  const { ordinals: { start = 0 } = {}, replicas = 1 } = set.spec;
  const isBeyond = (ordinal: number): boolean => ordinal >= start + replicas || (ordinal >= 0 && ordinal < start);
  return pods.filter((pod) => isBeyond(ordinalOf(set, pod))).sort((a, b) => ordinalOf(set, b) - ordinalOf(set, a));
}

function shrink({ isHealthy }: View, condemned: readonly Pod[]): Pod[] {
  const [highest] = condemned;
  if (highest === undefined || isLeaving(highest)) return [];
  // One that is ill may be on its way to health; only when none below is ill too is there nothing to wait for.
  const lowestIll = condemned.findLast((pod) => !isHealthy(pod));
  return isHealthy(highest) || highest === lowestIll ? [highest] : [];
}

/** From above, the pods to be recreated; unhealthy ones already count as unavailable. */
function outdated({ byOrdinal, end, isHealthy, revisions, set, start }: View): Pod[] {
  const { maxUnavailable = 1, partition = 0 } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const remove: Pod[] = [];
  let allowed = atOnce(maxUnavailable, end - start);
  for (let ordinal = end - 1; ordinal >= start + partition && allowed > 0; ordinal -= 1) {
    const pod = byOrdinal.get(ordinal);
    if (pod !== undefined && isOutdated(pod, revisions)) remove.push(pod);
    else if (pod !== undefined && isHealthy(pod)) continue;
    allowed -= 1;
  }
  return remove;
}

function isOutdated(pod: Pod, { update }: Revisions): boolean {
  return revisionOf(pod) !== update && !isLeaving(pod);
}

function atOnce(value: IntOrPercent, replicas: number): number {
  const count = typeof value === 'number' ? value : Math.floor((Number.parseInt(value, 10) * replicas) / 100);
  return Math.max(1, count);
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
