import { isActive, isFinished, isReady } from '../workload/pods.js';
import type { Pod } from '../workload/resources.js';
import { endedAtMs, hasFailed, matchPolicy } from './failures.js';
import { completionIndex, parseIndexes } from './indexes.js';
import { INDEX_FAILURES, INDEX_IGNORED_FAILURES, isIndexed, TRACKING_FINALIZER } from './types.js';
import type { Job } from './types.js';

/** A Job and its pods, counted. */
export interface JobView {
  readonly job: Job;
  readonly pods: readonly Pod[];
  /** Pods that are not counted for good: they have the finalizer, and nobody is about to take it. */
  readonly held: readonly Pod[];
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly terminating: number;
  readonly newSucceeded: readonly Pod[];
  readonly newFailed: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  /** Of indexed Jobs: what was known to have succeeded, and what is now. */
  readonly completedBefore: ReadonlySet<number>;
  readonly completed: ReadonlySet<number>;
  /** Of Jobs with a limit per index. */
  readonly failedIndexes: ReadonlySet<number> | undefined;
  /** The pod whose failure an index waits to get over; it stays until another takes on its count. */
  readonly replaced: ReadonlyMap<number, Pod>;
}

/** Failures of an index so far, by the annotation its pods hand on. */
export function indexFailures(pod: Pod): { readonly counted: number; readonly ignored: number } {
  const read = (key: string): number => {
    const value = Number(pod.metadata.annotations?.[key] ?? 0);
    return Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? value : 0;
  };
  return { counted: read(INDEX_FAILURES), ignored: read(INDEX_IGNORED_FAILURES) };
}

/** The index of a pod, when it is one the Job has. */
export function validIndex(job: Job, pod: Pod): number | undefined {
  const index = completionIndex(pod);
  return index !== undefined && index < (job.spec.completions ?? 0) ? index : undefined;
}

/** Counts the pods of a Job; `released` are those whose finalizer is being taken although the cache still shows it. */
export function viewJob(job: Job, pods: readonly Pod[], released: ReadonlySet<string>): JobView {
  const { uncountedTerminatedPods: uncounted = {}, succeeded = 0, failed = 0 } = job.status ?? {};
  const held = pods.filter(
    ({ metadata }) => metadata.finalizers?.includes(TRACKING_FINALIZER) === true && !released.has(metadata.uid ?? ''),
  );
  const counted = isIndexed(job) ? held.filter((pod) => validIndex(job, pod) !== undefined) : held;
  const isNew =
    (list: readonly string[] = []) =>
    (pod: Pod) =>
      !list.includes(pod.metadata.uid ?? '');
  const newSucceeded = counted.filter((pod) => pod.status?.phase === 'Succeeded').filter(isNew(uncounted.succeeded));
  const newFailed = counted.filter((pod) => hasFailed(pod, job)).filter(isNew(uncounted.failed));
  const active = pods.filter(isActive);
  const view = {
    job,
    pods,
    held,
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter((pod) => pod.metadata.deletionTimestamp != null && !isFinished(pod)).length,
    newSucceeded,
    newFailed,
    failed: failed + newFailed.filter((pod) => matchPolicy(job, pod).counts).length + (uncounted.failed?.length ?? 0),
  };
  if (isIndexed(job)) return { ...view, ...viewIndexes(job, counted, active) };
  const none = { completedBefore: new Set<number>(), completed: new Set<number>(), replaced: new Map<number, Pod>() };
  const sum = succeeded + newSucceeded.length + (uncounted.succeeded?.length ?? 0);
  return { ...view, ...none, succeeded: sum, failedIndexes: undefined };
}

type IndexView = Pick<JobView, 'completedBefore' | 'completed' | 'failedIndexes' | 'replaced' | 'succeeded'>;

function viewIndexes(job: Job, counted: readonly Pod[], active: readonly Pod[]): IndexView {
  const { completions = 0 } = job.spec;
  const completedBefore = parseIndexes(job.status?.completedIndexes, completions);
  const completed = new Set(completedBefore);
  for (const pod of counted) if (pod.status?.phase === 'Succeeded') completed.add(completionIndex(pod) ?? 0);
  const failedIndexes = job.spec.backoffLimitPerIndex === undefined ? undefined : findFailed(job, counted);
  const busy = new Set([...completed, ...(failedIndexes ?? []), ...active.map((pod) => completionIndex(pod) ?? -1)]);
  const replaced = failedIndexes === undefined ? new Map<number, Pod>() : findReplaced(job, counted, busy);
  return { completedBefore, completed, failedIndexes, replaced, succeeded: completed.size };
}

function findFailed(job: Job, counted: readonly Pod[]): Set<number> {
  const { backoffLimitPerIndex = 0, completions = 0 } = job.spec;
  const failed = parseIndexes(job.status?.failedIndexes, completions);
  for (const pod of counted) {
    if (!hasFailed(pod, job)) continue;
    const { action, counts } = matchPolicy(job, pod);
    const isOver = counts && indexFailures(pod).counted >= backoffLimitPerIndex;
    if (action === 'FailIndex' || isOver) failed.add(completionIndex(pod) ?? 0);
  }
  return failed;
}

function findReplaced(job: Job, counted: readonly Pod[], busy: ReadonlySet<number>): Map<number, Pod> {
  const replaced = new Map<number, Pod>();
  const total = (pod: Pod): number => indexFailures(pod).counted + indexFailures(pod).ignored;
  for (const pod of counted) {
    const index = completionIndex(pod) ?? -1;
    if (!hasFailed(pod, job) || busy.has(index)) continue;
    const other = replaced.get(index);
    if (other === undefined || (total(other) <= total(pod) && endedAtMs(pod) >= endedAtMs(other)))
      replaced.set(index, pod);
  }
  return replaced;
}
