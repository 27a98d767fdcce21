import { apiErrorOf, controllerOf, deepEqual, isNamespaceTerminating, isNotFound, minOf } from '@capstan/meta';
import { NAMESPACE_INDEX, objectKey, timestamp } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import { claim } from '../workload/claim.js';
import { Expectations } from '../workload/expectations.js';
import { isReady } from '../workload/pods.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { JOBS, PODS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import { slowStart } from '../workload/slow-start.js';
import { deadlineInMs, decideCompletion, decideEnding, decidePods } from './decide.js';
import type { Ending } from './decide.js';
import { nextFailures, NO_FAILURES } from './failures.js';
import type { Failures } from './failures.js';
import { JobPodControl } from './pod-control.js';
import { JobStatusWriter } from './status-writer.js';
import { countReleased, finishedStatus, trackPods, withJobCondition } from './tracking.js';
import { finishedCondition, TRACKING_FINALIZER } from './types.js';
import type { Job, JobStatus } from './types.js';
import { viewJob } from './view.js';
import type { JobView } from './view.js';

export interface JobControllerOptions extends WorkloadOptions {
  /** How long the first pod after a failed one waits; each further failure doubles it. Default 10 s. */
  readonly podBackoffMs?: number | undefined;
}

/** What was done about the pods of a Job. */
interface Managed {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  readonly waitMs: number;
  readonly error?: unknown;
  /** The look was a whole one: nothing was left to be seen first. */
  readonly isDone: boolean;
}

const MANAGED_HERE = 'kubernetes.io/job-controller';
/** Keys of pods to be released, in addition to those of Jobs. */
const ORPHAN = 'orphan ';

/** Runs the pods of Jobs to their end and counts each of them once. */
export class JobController extends QueueController {
  readonly #jobs: Informer<Job>;
  readonly #pods: Informer<Pod>;
  readonly #expectations: Expectations;
  readonly #control: JobPodControl;
  readonly #podBackoffMs: number;
  readonly #failures = new Map<string, Failures>();
  /** Pods whose finalizer was taken, until the cache shows it. */
  readonly #released = new Set<string>();
  readonly #statuses: JobStatusWriter;

  constructor(options: JobControllerOptions) {
    super(options, 'job-controller');
    this.#podBackoffMs = options.podBackoffMs ?? 10_000;
    this.#expectations = new Expectations(options.clock);
    this.#statuses = new JobStatusWriter(options.client, options.clock, (job) => this.markGone(job));
    this.#control = new JobPodControl(options.client, (...event) => this.record(...event));
    this.#jobs = this.informers.of<Job>(JOBS);
    this.#pods = this.informers.of<Pod>(PODS);
    this.follow(this.#jobs);
    this.#jobs.addHandler({ delete: (job) => this.#forget(job) });
    this.#pods.addHandler({
      add: (pod) => {
        const job = this.#jobOf(pod);
        if (job !== undefined && pod.metadata.deletionTimestamp == null) this.#expectations.created(objectKey(job));
        this.#podSeen(pod);
      },
      update: (old, pod) => {
        if (controllerOf(old)?.uid !== controllerOf(pod)?.uid) this.#podSeen(old);
        this.#podSeen(pod);
      },
      delete: (pod) => {
        this.#released.delete(pod.metadata.uid ?? '');
        this.#podGone(pod);
      },
    });
  }

  protected async sync(key: string): Promise<WorkResult> {
    if (key.startsWith(ORPHAN)) return this.#releaseOrphan(key.slice(ORPHAN.length));
    const job = this.living(this.#jobs, key);
    if (job === undefined || (job.spec.managedBy ?? MANAGED_HERE) !== MANAGED_HERE) return 'done';
    if (finishedCondition(job) !== undefined) {
      this.#failures.delete(key);
      return 'done';
    }
    if (this.#statuses.isBehind(job)) return 'done';
    const isSettled = this.#expectations.satisfied(key);
    const view = viewJob(job, await this.#claim(job), this.#released);
    const failures = nextFailures(this.#failures.get(key) ?? NO_FAILURES, view.newSucceeded, view.newFailed);
    const nowMs = this.clock.now();
    const started = this.#started(job);
    const decided = decideEnding({ ...view, job: started }, nowMs);
    const managed = await this.#manage(key, view, { ending: decided, failures, isSettled });
    const ending = decided === undefined ? decideCompletion(view, managed.active) : decided;
    await this.#track(key, view, { started, managed, ending: this.#standing(ending, decided, managed), failures });
    if (managed.error !== undefined) throw managed.error;
    const waits = [managed.waitMs, deadlineInMs(started, nowMs) ?? 0].filter((ms) => ms > 0);
    return waits.length === 0 ? 'done' : { afterMs: minOf(waits) };
  }

  /** The clock of a Job runs while it is not suspended. */
  #started(job: Job): Job {
    if (job.spec.suspend === true || job.status?.startTime !== undefined) return job;
    return { ...job, status: { ...job.status, startTime: timestamp(this.clock) } };
  }

  /** An ending stands only when no pod can have been missed. */
  #standing(ending: Ending | undefined, decided: Ending | undefined, managed: Managed): Ending | undefined {
    return decided !== undefined && !managed.isDone ? undefined : ending;
  }

  #claim(job: Job): Promise<Pod[]> {
    const { namespace = '' } = job.metadata;
    return claim({
      client: this.client,
      owner: job,
      ownerResource: JOBS,
      selector: job.spec.selector ?? {},
      resource: PODS,
      candidates: this.#pods.store.byIndex(NAMESPACE_INDEX, namespace),
      finalizer: TRACKING_FINALIZER,
    });
  }

  async #manage(
    key: string,
    view: JobView,
    { ending, failures, isSettled }: { ending: Ending | undefined; failures: Failures; isSettled: boolean },
  ): Promise<Managed> {
    const { active, job, ready, terminating } = view;
    const none: Managed = { active: active.length, ready, terminating, waitMs: 0, isDone: false };
    if (ending !== undefined) {
      const after = await this.#remove(view, active);
      return { ...none, ...after, isDone: isSettled && after.error === undefined };
    }
    if (!isSettled || job.metadata.deletionTimestamp != null) return none;
    const plan = decidePods({ view, failures, backoffMs: this.#podBackoffMs, nowMs: this.clock.now() });
    if (plan.remove.length > 0) {
      this.#expectations.expect(key, 0, plan.remove.map(podId));
      // These do not end, they are withdrawn: nobody is to count them.
      const after = await this.#remove(view, plan.remove, (pod) => this.#release(pod));
      return { ...none, ...after, isDone: true };
    }
    if (plan.create.length === 0) return { ...none, waitMs: plan.waitMs, isDone: true };
    this.#expectations.expect(key, plan.create.length);
    const { done, error } = await slowStart(plan.create.length, (at) => this.#control.make(job, plan.create[at] ?? {}));
    this.#expectations.created(key, plan.create.length - done);
    const isEnd = error === undefined || isNamespaceTerminating(error);
    return { ...none, active: active.length + done, isDone: true, ...(isEnd ? {} : { error }) };
  }

  async #remove(
    { active, job, ready, terminating }: JobView,
    pods: readonly Pod[],
    before?: (pod: Pod) => Promise<void>,
  ): Promise<Pick<Managed, 'active' | 'ready' | 'terminating' | 'error'>> {
    const key = objectKey(job);
    const removed: Pod[] = [];
    const results = await Promise.allSettled(
      pods.map(async (pod) => {
        await before?.(pod);
        await this.#control.remove(job, pod);
        removed.push(pod);
      }),
    );
    for (const pod of pods) if (!removed.includes(pod)) this.#expectations.deleted(key, podId(pod));
    const refused = results.find((result) => result.status === 'rejected');
    return {
      active: active.length - removed.length,
      ready: ready - removed.filter(isReady).length,
      terminating: terminating + removed.length,
      ...(refused === undefined ? {} : { error: refused.reason as unknown }),
    };
  }

  /** Names what has ended, takes its finalizers, counts it, and ends the Job when that was the last. */
  async #track(
    key: string,
    view: JobView,
    facts: { started: Job; managed: Managed; ending: Ending | undefined; failures: Failures },
  ): Promise<void> {
    const { ending, failures, managed, started } = facts;
    const { active, ready, terminating } = managed;
    const before = managed.isDone && ending === undefined ? this.#suspension(started) : (started.status ?? {});
    const { isPartial, release, status } = trackPods(view, { ...before, active, ready, terminating }, ending);
    const named = await this.#statuses.announce(view.job, status, ending);
    this.#failures.set(key, failures);
    const { error, held } = await this.#releaseAll(view, release);
    const counted = countReleased(named.status ?? {}, held);
    if (ending === undefined || isPartial || error !== undefined) await this.#statuses.write(named, counted);
    else await this.#finish(named, counted, ending);
    if (error !== undefined) throw error;
  }

  async #finish(job: Job, status: JobStatus, ending: Ending): Promise<void> {
    const finished = finishedStatus(status, ending, timestamp(this.clock));
    const written = await this.#statuses.write(job, finished ?? status);
    if (finished === undefined) return;
    if (ending.type === 'FailureTarget') this.record(written, 'Warning', ending.reason, ending.message);
    else this.record(written, 'Normal', 'Completed', 'Job completed');
  }

  /** Takes the finalizers off; gives the uids of those that still have it, and the first failure. */
  async #releaseAll({ held }: JobView, pods: readonly Pod[]): Promise<{ held: Set<string>; error: unknown }> {
    const left = new Set(held.map(podId));
    const results = await Promise.allSettled(
      pods.map(async (pod) => {
        await this.#release(pod);
        left.delete(podId(pod));
      }),
    );
    const refused = results.find((result) => result.status === 'rejected');
    return { held: left, error: refused?.reason as unknown };
  }

  #suspension(job: Job): JobStatus {
    const { status = {} } = job;
    const now = timestamp(this.clock);
    const isSuspended = job.spec.suspend === true;
    const [reason, message] = isSuspended ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed'];
    const wanted = { type: 'Suspended', status: isSuspended ? 'True' : 'False', reason, message } as const;
    const conditions = withJobCondition(status.conditions ?? [], wanted, now);
    if (deepEqual(conditions, status.conditions ?? [])) return status;
    this.record(job, 'Normal', isSuspended ? 'Suspended' : 'Resumed', message);
    // The deadline counts from when it goes on.
    const { startTime: _, ...rest } = status;
    return isSuspended ? { ...rest, conditions } : { ...status, conditions, startTime: now };
  }

  async #release(pod: Pod): Promise<void> {
    if (pod.metadata.finalizers?.includes(TRACKING_FINALIZER) !== true) return;
    const id = podId(pod);
    this.#released.add(id);
    try {
      await this.#control.release(pod);
    } catch (error) {
      this.#released.delete(id);
      throw error;
    }
  }

  /** Lets go of a pod whose Job is gone or over. */
  async #releaseOrphan(podKey: string): Promise<WorkResult> {
    const pod = this.#pods.store.get(podKey);
    const reference = pod && controllerOf(pod);
    if (pod === undefined || (reference !== undefined && reference.kind !== 'Job')) return 'done';
    if (reference !== undefined) {
      const { namespace } = pod.metadata;
      const job = await this.client.get<Job>(JOBS, reference.name, { namespace }).catch((error: unknown) => {
        if (apiErrorOf(error) !== undefined && isNotFound(error)) return undefined;
        throw error;
      });
      const isOver = job === undefined || job.metadata.uid !== reference.uid || finishedCondition(job) !== undefined;
      if (!isOver) return 'done';
    }
    await this.#release(pod);
    return 'done';
  }

  #jobOf(pod: Pod): Job | undefined {
    return this.owner(pod, this.#jobs, 'Job');
  }

  #podSeen(pod: Pod): void {
    const isHeld = pod.metadata.finalizers?.includes(TRACKING_FINALIZER) === true;
    if (!isHeld) this.#released.delete(podId(pod));
    const job = this.#jobOf(pod);
    if (job !== undefined && pod.metadata.deletionTimestamp != null)
      this.#expectations.deleted(objectKey(job), podId(pod));
    if (job !== undefined && finishedCondition(job) === undefined) this.enqueue(job);
    else if (isHeld && this.manages(pod)) this.queue.add(`${ORPHAN}${objectKey(pod)}`);
  }

  #podGone(pod: Pod): void {
    const job = this.#jobOf(pod);
    if (job === undefined) return;
    this.#expectations.deleted(objectKey(job), podId(pod));
    this.enqueue(job);
  }

  #forget(job: Job): void {
    const key = objectKey(job);
    this.#expectations.forget(key);
    this.#failures.delete(key);
    this.#statuses.forget(job);
    for (const pod of this.#pods.store.byIndex(NAMESPACE_INDEX, job.metadata.namespace ?? ''))
      if (controllerOf(pod)?.uid === job.metadata.uid) this.#podSeen(pod);
  }
}

function podId(pod: Pod): string {
  return pod.metadata.uid ?? '';
}
