import type { Pod } from '../workload/resources.js';
import type { Ending } from './decide.js';
import { hasFailed, matchPolicy } from './failures.js';
import { completionIndex, formatIndexes } from './indexes.js';
import { isIndexed } from './types.js';
import type { JobCondition, JobStatus } from './types.js';
import { validIndex } from './view.js';
import type { JobView } from './view.js';

/** So many uids the status names at once; the others wait for the next look. */
const MAX_UNCOUNTED = 500;

/** What is to be written before finalizers are taken, and from which pods they then are. */
export interface Tracking {
  readonly status: JobStatus;
  readonly release: readonly Pod[];
  /** More pods have ended than could be named. */
  readonly isPartial: boolean;
}

function mayRelease({ job, replaced }: JobView, pod: Pod, ending: Ending | undefined): boolean {
  if (job.metadata.deletionTimestamp != null || ending !== undefined || pod.status?.phase === 'Succeeded') return true;
  if (!hasFailed(pod, job)) return false;
  return replaced.get(completionIndex(pod) ?? -1) !== pod;
}

/** Who has ended and is not counted. */
class Tally {
  readonly #view: JobView;
  readonly #isIndexed: boolean;
  readonly #succeeded: Set<string>;
  readonly #failed: Set<string>;
  readonly #completed: Set<number>;

  constructor(view: JobView, { uncountedTerminatedPods: before = {} }: JobStatus) {
    this.#view = view;
    this.#isIndexed = isIndexed(view.job);
    this.#succeeded = new Set(before.succeeded);
    this.#failed = new Set(before.failed);
    this.#completed = new Set(view.completedBefore);
  }

  get isFull(): boolean {
    const newIndexes = this.#completed.size - this.#view.completedBefore.size;
    return newIndexes + this.#succeeded.size + this.#failed.size >= MAX_UNCOUNTED;
  }

  add(pod: Pod, failsAll: boolean): void {
    const { job } = this.#view;
    const { uid = '' } = pod.metadata;
    const index = validIndex(job, pod);
    // A pod of no index counts for nothing.
    if (this.#isIndexed && index === undefined) return;
    if (pod.status?.phase === 'Succeeded' && !this.#failed.has(uid)) {
      if (index === undefined || !this.#isIndexed) this.#succeeded.add(uid);
      else this.#completed.add(index);
    } else if ((failsAll || hasFailed(pod, job)) && matchPolicy(job, pod).counts) this.#failed.add(uid);
  }

  status(): JobStatus {
    const named = { uncountedTerminatedPods: uncounted([...this.#succeeded], [...this.#failed]) };
    return this.#isIndexed ? { ...named, ...indexStatus(this.#completed, this.#view.failedIndexes) } : named;
  }
}

/** A pod that ended is named in the status, loses its finalizer, and is counted: in that order it is counted once. */
export function trackPods(view: JobView, before: JobStatus, ending: Ending | undefined): Tracking {
  const { held } = view;
  const counted = countReleased(before, new Set(held.map(({ metadata }) => metadata.uid ?? '')));
  const tally = new Tally(view, counted);
  const release: Pod[] = [];
  for (const pod of [...held].sort((a, b) => (completionIndex(a) ?? -1) - (completionIndex(b) ?? -1))) {
    if (!mayRelease(view, pod, ending)) continue;
    release.push(pod);
    tally.add(pod, ending?.type === 'FailureTarget');
    if (tally.isFull) break;
  }
  return { status: { ...counted, ...tally.status() }, release, isPartial: tally.isFull };
}

function indexStatus(completed: ReadonlySet<number>, failed: ReadonlySet<number> | undefined): JobStatus {
  return {
    succeeded: completed.size,
    completedIndexes: formatIndexes(completed),
    ...(failed === undefined ? {} : { failedIndexes: formatIndexes(failed) }),
  };
}

function uncounted(
  succeeded: readonly string[],
  failed: readonly string[],
): NonNullable<JobStatus['uncountedTerminatedPods']> {
  return {
    ...(succeeded.length === 0 ? {} : { succeeded: [...succeeded] }),
    ...(failed.length === 0 ? {} : { failed: [...failed] }),
  };
}

/** Counts the pods that were named and have lost their finalizer. */
export function countReleased(status: JobStatus, held: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const stay = (uids: readonly string[]): string[] => uids.filter((uid) => held.has(uid));
  const [succeededLeft, failedLeft] = [stay(succeeded), stay(failed)];
  return {
    ...status,
    succeeded: (status.succeeded ?? 0) + succeeded.length - succeededLeft.length,
    failed: (status.failed ?? 0) + failed.length - failedLeft.length,
    uncountedTerminatedPods: uncounted(succeededLeft, failedLeft),
  };
}

/** A condition set as the real controller does: in its place, and no new one that is False. */
export function withJobCondition(
  conditions: readonly JobCondition[],
  wanted: Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>,
  now: string,
): JobCondition[] {
  const at = conditions.findIndex(({ type }) => type === wanted.type);
  const { type, status, ...why } = wanted;
  const condition: JobCondition = { type, status, lastProbeTime: now, lastTransitionTime: now, ...why };
  const before = conditions[at];
  if (before === undefined) return status === 'False' ? [...conditions] : [...conditions, condition];
  const isSame = before.status === status && before.reason === why.reason && before.message === why.message;
  return isSame ? [...conditions] : conditions.with(at, condition);
}

/** The status of a Job whose ending is reached, once nothing is left to wait for; undefined until then. */
export function finishedStatus(status: JobStatus, ending: Ending, now: string): JobStatus | undefined {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  if (succeeded.length + failed.length > 0 || (status.terminating ?? 0) > 0) return undefined;
  const type = ending.type === 'FailureTarget' ? 'Failed' : 'Complete';
  const { message, reason } = ending;
  const conditions = withJobCondition(status.conditions ?? [], { type, status: 'True', reason, message }, now);
  return { ...status, conditions, ...(type === 'Complete' ? { completionTime: now } : {}) };
}
