import {
  apiErrorOf,
  controllerOf,
  formatTime,
  ignoreNotFound,
  isAlreadyExists,
  isNamespaceTerminating,
  isNotFound,
} from '@capstan/meta';
import { errorText } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import { finishedCondition } from '../job/types.js';
import type { Job } from '../job/types.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { CRON_JOBS, JOBS } from '../workload/resources.js';
import { controlledBy } from '../workload/shared-informers.js';
import { decideDue, decideForgotten, decideNews, decideSkip, makeJob } from './decide.js';
import type { CronJob, CronJobStatus, JobReference } from './decide.js';
import { parseSchedule, ScheduleError } from './schedule.js';
import type { Schedule } from './schedule.js';

/** A little late, so that clocks that differ agree that the time has come. */
const LATE_MS = 100;

/** Starts the Jobs of CronJobs when they are due, and forgets old ones. */
export class CronJobController extends QueueController {
  readonly #cronJobs: Informer<CronJob>;
  readonly #jobs: Informer<Job>;

  constructor(options: WorkloadOptions) {
    super(options, 'cronjob-controller');
    this.#cronJobs = this.informers.of<CronJob>(CRON_JOBS);
    this.#jobs = this.informers.of<Job>(JOBS);
    this.follow(this.#cronJobs);
    const changed = (job: Job): void => {
      const cronJob = this.owner(job, this.#cronJobs, 'CronJob');
      if (cronJob !== undefined) this.enqueue(cronJob);
    };
    this.#jobs.addHandler({ add: changed, update: (_, job) => changed(job), delete: changed });
  }

  protected async sync(key: string): Promise<WorkResult> {
    const cronJob = this.living(this.#cronJobs, key);
    if (cronJob === undefined) return 'done';
    const jobs = controlledBy(this.#jobs, cronJob);
    const known = { ...cronJob, status: await this.#news(cronJob, jobs) };
    const forgotten = cronJob.metadata.deletionTimestamp == null ? decideForgotten(cronJob, jobs) : [];
    for (const job of forgotten) await this.#delete(cronJob, job);
    const isIdle = cronJob.metadata.deletionTimestamp != null || cronJob.spec.suspend === true;
    const schedule = isIdle ? undefined : this.#schedule(cronJob);
    const idle = { status: known.status, nextMs: undefined };
    const { nextMs, status } = schedule === undefined ? idle : await this.#run(known, schedule);
    await this.#writeStatus(cronJob, status);
    return nextMs === undefined ? 'done' : { afterMs: Math.max(0, nextMs - this.clock.now()) + LATE_MS };
  }

  #schedule(cronJob: CronJob): Schedule | undefined {
    const { schedule, timeZone } = cronJob.spec;
    try {
      return parseSchedule(schedule, timeZone);
    } catch (error) {
      if (!(error instanceof ScheduleError)) throw error;
      const text = `unparseable schedule: ${JSON.stringify(schedule)} : ${error.message}`;
      this.record(cronJob, 'Warning', 'UnparseableSchedule', text);
      return undefined;
    }
  }

  /** The status without Jobs that are over or gone. */
  async #news(cronJob: CronJob, jobs: readonly Job[]): Promise<CronJobStatus> {
    const { ended, status, unexpected } = decideNews(cronJob.status ?? {}, jobs);
    for (const job of ended) {
      const text = `Saw completed job: ${job.metadata.name}, condition: ${finishedCondition(job)?.type}`;
      this.record(cronJob, 'Normal', 'SawCompletedJob', text);
    }
    await this.#reportUnexpected(cronJob, unexpected);
    const active: JobReference[] = [];
    for (const reference of status.active ?? []) {
      const isKnown = jobs.some(({ metadata }) => metadata.uid === reference.uid);
      if (isKnown || (await this.#get(reference.name ?? '', reference.namespace, JOBS)) !== undefined)
        active.push(reference);
      else this.record(cronJob, 'Normal', 'MissingJob', `Active job went missing: ${reference.name}`);
    }
    return { ...status, active };
  }

  async #reportUnexpected(cronJob: CronJob, jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    // The cache may only be behind: asked of the server, as what follows is a complaint.
    const live = await this.#get<CronJob>(cronJob.metadata.name ?? '', cronJob.metadata.namespace, CRON_JOBS);
    const active = new Set(live?.status?.active?.map(({ uid }) => uid));
    for (const { metadata } of jobs) {
      const text = `Saw a job that the controller did not create or forgot: ${metadata.name}`;
      if (!active.has(metadata.uid)) this.record(cronJob, 'Warning', 'UnexpectedJob', text);
    }
  }

  async #run(cronJob: CronJob, schedule: Schedule): Promise<{ status: CronJobStatus; nextMs: number | undefined }> {
    const { status = {} } = cronJob;
    const nowMs = this.clock.now();
    const { atMs, hasMissedMany, nextMs } = decideDue(cronJob, schedule, nowMs);
    if (atMs === undefined) return { status, nextMs };
    if (hasMissedMany) {
      const text = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      this.record(cronJob, 'Warning', 'TooManyMissedTimes', text);
    }
    const skip = decideSkip(cronJob, atMs, nowMs);
    if (skip !== undefined) {
      this.#reportSkip(cronJob, skip, atMs);
      return { status, nextMs };
    }
    const kept = cronJob.spec.concurrencyPolicy === 'Replace' ? await this.#replace(cronJob) : (status.active ?? []);
    const job = await this.#start({ ...cronJob, status: { ...status, active: kept } }, atMs);
    if (job === undefined) return { status: { ...status, active: kept }, nextMs };
    const active = [...kept, referenceTo(job)];
    return { status: { ...status, active, lastScheduleTime: formatTime(atMs) }, nextMs };
  }

  #reportSkip(cronJob: CronJob, skip: 'late' | 'done' | 'busy', atMs: number): void {
    if (skip === 'late') {
      const time = new Date(atMs).toUTCString().replace('GMT', '+0000');
      this.record(cronJob, 'Warning', 'MissSchedule', `Missed scheduled time to start a job: ${time}`);
    } else if (skip === 'busy') {
      const text = 'Not starting job because prior execution is running and concurrency policy is Forbid';
      this.record(cronJob, 'Normal', 'JobAlreadyActive', text);
    }
  }

  /** Ends the Jobs that still run; gives those that cannot be ended. */
  async #replace(cronJob: CronJob): Promise<JobReference[]> {
    for (const { name = '', namespace } of cronJob.status?.active ?? []) {
      const job = await this.#get<Job>(name, namespace, JOBS);
      if (job !== undefined) await this.#delete(cronJob, job);
    }
    return [];
  }

  /** The started Job; undefined when another has its name, or this very one is recorded already. */
  async #start(cronJob: CronJob, atMs: number): Promise<Job | undefined> {
    const wanted = makeJob(cronJob, atMs);
    try {
      const job = await this.client.create<Job>(JOBS, wanted);
      this.record(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
      return job;
    } catch (error) {
      if (isNamespaceTerminating(error)) return undefined;
      if (isAlreadyExists(error)) {
        const job = await this.#get<Job>(wanted.metadata.name ?? '', wanted.metadata.namespace, JOBS);
        const isOwn = job !== undefined && controllerOf(job)?.uid === cronJob.metadata.uid;
        return isOwn && finishedCondition(job) === undefined ? job : undefined;
      }
      const reason = apiErrorOf(error)?.message ?? errorText(error);
      this.record(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${reason}`);
      throw error;
    }
  }

  async #delete(cronJob: CronJob, job: Job): Promise<void> {
    const { name = '', namespace, uid } = job.metadata;
    try {
      const options = { namespace, propagationPolicy: 'Background', preconditions: { uid } } as const;
      await this.client.delete(JOBS, name, options);
      this.record(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #get<T extends Job | CronJob>(
    name: string,
    namespace: string | undefined,
    resource: typeof JOBS,
  ): Promise<T | undefined> {
    return this.client.get<T>(resource, name, { namespace }).catch(ignoreNotFound);
  }

  #writeStatus(cronJob: CronJob, { active = [], ...rest }: CronJobStatus): Promise<void> {
    return this.writeStatus(CRON_JOBS, cronJob, active.length === 0 ? rest : { active, ...rest });
  }
}

function referenceTo({ apiVersion, kind, metadata }: Job): JobReference {
  const { name = '', namespace = '', resourceVersion = '', uid = '' } = metadata;
  return { kind, namespace, name, uid, apiVersion, resourceVersion };
}
