import { minOf } from '@capstan/meta';
import { compareVictims, timeMs } from '../workload/pods.js';
import type { Pod } from '../workload/resources.js';
import { endedAtMs, exceedsRestarts, hasFailed, matchPolicy, remainingMs, replacesOnlyFailed } from './failures.js';
import type { Failures } from './failures.js';
import { completionIndex, firstFree, parseIndexes } from './indexes.js';
import { isIndexed, trueCondition } from './types.js';
import type { Job, JobCondition } from './types.js';
import { indexFailures, validIndex } from './view.js';
import type { JobView } from './view.js';

/** At most so many pods are created or deleted in one look. */
const BURST = 500;

/** How a Job will end: the target of its pods, before the last of them has gone. */
export interface Ending {
  readonly type: 'FailureTarget' | 'SuccessCriteriaMet';
  readonly reason: string;
  readonly message: string;
  /** It is in the status already. */
  readonly isKnown: boolean;
}

const failing = (reason: string, message: string): Ending => ({
  type: 'FailureTarget',
  reason,
  message,
  isKnown: false,
});
const known = (type: Ending['type'], { reason = '', message = '' }: JobCondition): Ending => ({
  type,
  reason,
  message,
  isKnown: true,
});

/** Whether the Job has come to its end, and to which; what was once decided stays. */
export function decideEnding(view: JobView, nowMs: number): Ending | undefined {
  const { job, pods } = view;
  const success = trueCondition(job, 'SuccessCriteriaMet');
  if (success !== undefined) return known('SuccessCriteriaMet', success);
  const failure = trueCondition(job, 'FailureTarget');
  if (failure !== undefined) return known('FailureTarget', failure);
  for (const pod of pods) {
    const { jobFailure } = hasFailed(pod, job) ? matchPolicy(job, pod) : {};
    if (jobFailure !== undefined) return failing('PodFailurePolicy', jobFailure);
  }
  if (view.failed > (job.spec.backoffLimit ?? 6) || exceedsRestarts(job, pods))
    return failing('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  if (deadlineInMs(job, nowMs) === 0)
    return failing('DeadlineExceeded', 'Job was active longer than specified deadline');
  return decideIndexedEnding(view);
}

function decideIndexedEnding({ completed, failedIndexes, job }: JobView): Ending | undefined {
  const { completions = 0, maxFailedIndexes } = job.spec;
  if (failedIndexes !== undefined) {
    if (maxFailedIndexes !== undefined && failedIndexes.size > maxFailedIndexes)
      return failing('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
    if (failedIndexes.size > 0 && failedIndexes.size + completed.size >= completions)
      return failing('FailedIndexes', 'Job has failed indexes');
  }
  const rule = isIndexed(job) && completed.size > 0 ? successRule(job, completed) : -1;
  if (rule < 0) return undefined;
  const message = `Matched rules at index ${rule}`;
  return { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message, isKnown: false };
}

function successRule({ spec }: Job, completed: ReadonlySet<number>): number {
  return (spec.successPolicy?.rules ?? []).findIndex(({ succeededCount, succeededIndexes }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && completed.size >= succeededCount;
    const wanted = [...parseIndexes(succeededIndexes, spec.completions ?? 0)];
    const met = wanted.filter((index) => completed.has(index)).length;
    return wanted.length > 0 && (met === wanted.length || (succeededCount !== undefined && met >= succeededCount));
  });
}

/** Milliseconds until the Job has been active for too long; undefined when it may be for ever. */
export function deadlineInMs({ spec, status }: Job, nowMs: number): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || status?.startTime === undefined || spec.suspend === true)
    return undefined;
  return Math.max(0, timeMs(status.startTime) + spec.activeDeadlineSeconds * 1000 - nowMs);
}

/** The end of a Job that nothing made end: as many pods have succeeded as there should. */
export function decideCompletion({ job, succeeded }: JobView, active: number): Ending | undefined {
  const { completions } = job.spec;
  const isDone = completions === undefined ? succeeded > 0 : succeeded >= completions;
  if (!isDone || active > 0) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return { type: 'SuccessCriteriaMet', reason: 'CompletionsReached', message, isKnown: false };
}

/** A pod to be made. */
export interface NewPod {
  readonly index?: number;
  /** The failed pod of the index, whose count it takes on. */
  readonly replaces?: Pod;
}

/** What to do about the number of pods. */
export interface PodPlan {
  readonly remove: readonly Pod[];
  readonly create: readonly NewPod[];
  /** Pods are missing, and will be made after that long. */
  readonly waitMs: number;
}

export interface PodPlanInput {
  readonly view: JobView;
  readonly failures: Failures;
  readonly backoffMs: number;
  readonly nowMs: number;
}

const NOTHING: PodPlan = { remove: [], create: [], waitMs: 0 };

/** Compares the pods that run with those that should. */
export function decidePods(input: PodPlanInput): PodPlan {
  const { view, nowMs } = input;
  const { active, job } = view;
  if (job.spec.suspend === true) return { ...NOTHING, remove: [...active] };
  const wanted = wantedActive(view);
  const remove = surplus(job, active, Math.max(0, active.length - wanted), nowMs);
  // Never both in one look: what goes may be what makes room.
  if (remove.length > 0) return { ...NOTHING, remove: remove.slice(0, BURST) };
  const leaving = replacesOnlyFailed(job) ? view.terminating : 0;
  const missing = Math.min(wanted - leaving - active.length, BURST);
  if (missing <= 0) return NOTHING;
  return isIndexed(job) ? missingIndexes(input, missing) : missingPods(input, missing);
}

function wantedActive({ active, job, succeeded }: JobView): number {
  const { completions, parallelism = 1 } = job.spec;
  if (completions !== undefined) return Math.max(0, Math.min(completions - succeeded, parallelism));
  return succeeded > 0 ? active.length : parallelism;
}

function missingPods({ backoffMs, failures, nowMs }: PodPlanInput, missing: number): PodPlan {
  const waitMs = remainingMs(failures, backoffMs, nowMs);
  if (waitMs > 0) return { ...NOTHING, waitMs };
  return { ...NOTHING, create: Array.from({ length: missing }, () => ({})) };
}

function missingIndexes(input: PodPlanInput, missing: number): PodPlan {
  const { backoffMs, failures, nowMs, view } = input;
  const { active, completed, failedIndexes, job, pods, replaced } = view;
  const leaving = replacesOnlyFailed(job) ? pods.filter(({ metadata }) => metadata.deletionTimestamp != null) : [];
  const busy = [...active, ...leaving].map((pod) => completionIndex(pod) ?? -1);
  const taken = new Set([...completed, ...(failedIndexes ?? []), ...busy]);
  const free = firstFree(taken, missing, job.spec.completions ?? 0);
  const waits = free.map((index) => {
    const pod = replaced.get(index);
    if (failedIndexes === undefined) return remainingMs(failures, backoffMs, nowMs);
    if (pod === undefined) return 0;
    const { counted, ignored } = indexFailures(pod);
    return remainingMs({ count: counted + ignored + 1, lastMs: endedAtMs(pod) }, backoffMs, nowMs);
  });
  const ready = free.filter((_, at) => waits[at] === 0);
  if (ready.length === 0) return { ...NOTHING, waitMs: free.length === 0 ? 0 : minOf(waits) };
  const create = ready.map((index): NewPod => {
    const replaces = replaced.get(index);
    return { index, ...(replaces === undefined ? {} : { replaces }) };
  });
  return { ...NOTHING, create };
}

/** The pods to remove: of an index all but one, those without, and then the ones whose loss costs least. */
function surplus(job: Job, active: readonly Pod[], atLeast: number, nowMs: number): Pod[] {
  const sorted = [...active].sort((a, b) => compareVictims({ pod: a, rank: 0 }, { pod: b, rank: 0 }, nowMs));
  if (!isIndexed(job)) return sorted.slice(0, atLeast);
  const last = new Map(sorted.map((pod) => [validIndex(job, pod), pod]));
  const kept = sorted.filter((pod) => {
    const index = validIndex(job, pod);
    return index !== undefined && last.get(index) === pod;
  });
  const double = sorted.filter((pod) => !kept.includes(pod));
  return [...double, ...kept.slice(0, Math.max(0, atLeast - double.length))];
}
