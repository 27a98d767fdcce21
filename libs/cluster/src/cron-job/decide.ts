import type { KubeObject } from '@capstan/meta';
import { compareBytes, formatTime, maxOf } from '@capstan/meta';
import { finishedCondition, trueCondition } from '../job/types.js';
import type { Job } from '../job/types.js';
import { controllerReference } from '../workload/claim.js';
import { timeMs } from '../workload/pods.js';
import type { Schedule } from './schedule.js';
import { zoneOf } from './time-zone.js';

export interface JobReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
}

export interface CronJobStatus {
  active?: JobReference[];
  lastScheduleTime?: string;
  lastSuccessfulTime?: string;
}

export interface CronJob extends KubeObject {
  spec: {
    schedule: string;
    timeZone?: string;
    startingDeadlineSeconds?: number;
    concurrencyPolicy?: string;
    suspend?: boolean;
    jobTemplate: { metadata?: KubeObject['metadata']; spec: Job['spec'] };
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
  };
  status?: CronJobStatus;
}

/** More missed times than that are worth a warning. */
const MANY = 100;

/** The last time the CronJob should have run and has not, and whether many went by. */
export interface Due {
  readonly atMs: number | undefined;
  readonly hasMissedMany: boolean;
  /** The next time to look. */
  readonly nextMs: number | undefined;
}

/** What is due now. Of times that were missed only the last counts. */
export function decideDue(cronJob: CronJob, schedule: Schedule, nowMs: number): Due {
  const { creationTimestamp } = cronJob.metadata;
  const { startingDeadlineSeconds: deadline } = cronJob.spec;
  const since = timeMs(cronJob.status?.lastScheduleTime ?? creationTimestamp);
  const earliest = deadline === undefined ? since : Math.max(since, nowMs - deadline * 1000);
  const first = schedule.next(earliest);
  if (first === undefined || first > nowMs) return { atMs: undefined, hasMissedMany: false, nextMs: first };
  const second = schedule.next(first) ?? Number.POSITIVE_INFINITY;
  const apart = second - first;
  const missed = second > nowMs ? 0 : Math.floor((nowMs - first) / apart) + 1;
  let atMs = first;
  let next = nearNow(schedule, first, { apart, missed, nowMs });
  while (next !== undefined && next <= nowMs) {
    atMs = Math.max(atMs, next);
    next = schedule.next(next);
  }
  return { atMs, hasMissedMany: missed > MANY, nextMs: next };
}

interface Missed {
  readonly apart: number;
  readonly missed: number;
  readonly nowMs: number;
}

/** A time near now, further back as long as an uneven schedule has nothing there. */
function nearNow(schedule: Schedule, first: number, { apart, missed, nowMs }: Missed): number | undefined {
  for (let back = 2; back <= missed; back *= 2) {
    const near = schedule.next(first + (missed - back) * apart);
    if (near !== undefined && near <= nowMs) return near;
  }
  return schedule.next(first - 1);
}

/** Why a time that is due is let go by; undefined when a Job is to be started. */
export function decideSkip(cronJob: CronJob, atMs: number, nowMs: number): 'late' | 'done' | 'busy' | undefined {
  const { concurrencyPolicy, startingDeadlineSeconds } = cronJob.spec;
  const { active = [], lastScheduleTime } = cronJob.status ?? {};
  if (startingDeadlineSeconds !== undefined && atMs + startingDeadlineSeconds * 1000 < nowMs) return 'late';
  const name = jobName(cronJob, atMs);
  if (timeMs(lastScheduleTime) === atMs || active.some((reference) => reference.name === name)) return 'done';
  return concurrencyPolicy === 'Forbid' && active.length > 0 ? 'busy' : undefined;
}

/** One name per minute, so that nothing is started twice. */
export function jobName({ metadata }: CronJob, atMs: number): string {
  return `${metadata.name ?? ''}-${Math.floor(atMs / 60_000)}`;
}

/** The Job of a time. */
export function makeJob(cronJob: CronJob, atMs: number): Job {
  const { metadata: template, spec } = cronJob.spec.jobTemplate;
  const annotations = {
    ...template?.annotations,
    'batch.kubernetes.io/cronjob-scheduled-timestamp': shown(cronJob, atMs),
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(cronJob, atMs),
      namespace: cronJob.metadata.namespace ?? '',
      labels: { ...template?.labels },
      annotations,
      ownerReferences: [controllerReference(cronJob)],
    },
    spec,
  };
}

/** The time as the clocks of the CronJob's zone show it. */
function shown({ spec }: CronJob, atMs: number): string {
  const offset = zoneOf(spec.timeZone ?? 'UTC')?.offsetMs(atMs) ?? 0;
  if (offset === 0) return formatTime(atMs);
  const minutes = Math.abs(offset) / 60_000;
  const two = (value: number): string => String(value).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return formatTime(atMs + offset).replace('Z', zone);
}

/** Finished Jobs beyond what is to be remembered, oldest first. */
export function decideForgotten({ spec }: CronJob, jobs: readonly Job[]): Job[] {
  const beyond = (type: string, limit: number | undefined): Job[] => {
    const finished = jobs.filter((job) => trueCondition(job, type) !== undefined).sort(byStart);
    return limit === undefined ? [] : finished.slice(0, Math.max(0, finished.length - limit));
  };
  return [...beyond('Complete', spec.successfulJobsHistoryLimit), ...beyond('Failed', spec.failedJobsHistoryLimit)];
}

function byStart(a: Job, b: Job): number {
  const start = ({ status }: Job): number => timeMs(status?.startTime) || Number.MAX_SAFE_INTEGER;
  return start(a) - start(b) || compareBytes(a.metadata.name ?? '', b.metadata.name ?? '');
}

/** What the Jobs say of the status: who of the active is over, and when one last went well. */
export interface JobNews {
  readonly status: CronJobStatus;
  readonly ended: readonly Job[];
  /** Unfinished ones the status does not know. */
  readonly unexpected: readonly Job[];
}

/** Reads the news from the Jobs of a CronJob. */
export function decideNews(status: CronJobStatus, jobs: readonly Job[]): JobNews {
  const known = new Set((status.active ?? []).map(({ uid }) => uid));
  const finished = jobs.filter((job) => finishedCondition(job) !== undefined);
  const ended = finished.filter(({ metadata }) => known.has(metadata.uid));
  const over = new Set(ended.map(({ metadata }) => metadata.uid));
  const successes = finished.filter((job) => trueCondition(job, 'Complete') !== undefined);
  const latest = maxOf(
    successes.map((job) => timeMs(job.status?.completionTime)),
    timeMs(status.lastSuccessfulTime),
  );
  return {
    status: {
      ...status,
      active: (status.active ?? []).filter(({ uid }) => !over.has(uid)),
      ...(latest === 0 ? {} : { lastSuccessfulTime: formatTime(latest) }),
    },
    ended,
    unexpected: jobs.filter((job) => finishedCondition(job) === undefined && !known.has(job.metadata.uid)),
  };
}
