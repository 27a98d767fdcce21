/** CronJobs. */
import { invalid, notSupported, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { specAndStatus } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkNonNegative } from '../shared/checks.js';
import { defaultText, defaultTo, ensure, fields, record, text } from '../shared/json.js';
import type { ResourceStrategy } from '../strategy.js';
import { defaultPodTemplate } from '../core/pod-defaults.js';
import { hostnameWarnings } from '../core/pod-warnings.js';
import { defaultFailurePolicy, jobSpecWarnings } from './job.js';
import { checkJobSpec } from './job-spec.js';
import { cronScheduleError } from './schedule.js';

const jobSpecOf = (cronJob: KubeObject): Readonly<JsonObject> =>
  fields(fields(fields(cronJob['spec'])['jobTemplate'])['spec']);

function defaults(cronJob: KubeObject): void {
  const spec = ensure(cronJob, 'spec');
  defaultText(spec, 'concurrencyPolicy', 'Allow');
  defaultTo(spec, 'suspend', false);
  defaultTo(spec, 'successfulJobsHistoryLimit', 3);
  defaultTo(spec, 'failedJobsHistoryLimit', 1);
  const job = ensure(ensure(spec, 'jobTemplate'), 'spec');
  defaultFailurePolicy(job);
  defaultPodTemplate(ensure(job, 'template'));
}

function checkSchedule(out: Errors, spec: Readonly<JsonObject>, old: Readonly<JsonObject> | undefined): void {
  const field = 'spec.schedule';
  const schedule = text(spec['schedule']);
  if (schedule === '') {
    out.push(required(field));
    return;
  }
  const error = cronScheduleError(schedule);
  if (error !== undefined) out.push(invalid(field, schedule, error));
  if (!schedule.includes('TZ')) return;
  // Old objects may keep what new ones may not have.
  const tolerated = old !== undefined && text(old['schedule']).includes('TZ');
  if (!tolerated)
    out.push(invalid(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
  else if (spec['timeZone'] !== undefined)
    out.push(invalid(field, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
}

function isKnownZone(zone: string): boolean {
  try {
    // Only asks whether the zone exists; nothing is formatted, so no clock or locale enters.
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function checkTimeZone(out: Errors, zone: unknown): void {
  if (zone === undefined) return;
  const field = 'spec.timeZone';
  const name = text(zone);
  if (name === '') {
    out.push(invalid(field, name, 'timeZone must be nil or non-empty string'));
    return;
  }
  const malformed = name
    .split('/')
    .some((part) => part === '.' || part === '..' || part.startsWith('-') || !/^[A-Za-z.\-_0-9+]{1,14}$/.test(part));
  if (malformed) {
    out.push(invalid(field, name, `unknown time zone ${name}`));
    return;
  }
  if (name.toLowerCase() === 'local') {
    out.push(
      invalid(field, name, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'),
    );
    if (name === 'Local') return;
  }
  if (!isKnownZone(name)) out.push(invalid(field, name, `unknown time zone ${name}`));
}

function checkCronJob(out: Errors, cronJob: KubeObject, old: KubeObject | undefined): void {
  const spec = fields(cronJob['spec']);
  const before = old ? fields(old['spec']) : undefined;
  checkSchedule(out, spec, before);
  checkNonNegative(out, 'spec.startingDeadlineSeconds', spec['startingDeadlineSeconds']);
  if (before?.['timeZone'] !== spec['timeZone'] || !before) checkTimeZone(out, spec['timeZone']);
  const policy = text(spec['concurrencyPolicy']);
  const policies = ['Allow', 'Forbid', 'Replace'];
  if (!policies.includes(policy)) out.push(notSupported('spec.concurrencyPolicy', policy, policies));
  const job = jobSpecOf(cronJob);
  checkJobSpec(out, 'spec.jobTemplate.spec', job);
  const selector = record(job['selector']);
  if (selector) out.push(invalid('spec.jobTemplate.spec.selector', selector, '`selector` will be auto-generated'));
  if (job['manualSelector'] === true)
    out.push(notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']));
  checkNonNegative(out, 'spec.successfulJobsHistoryLimit', spec['successfulJobsHistoryLimit']);
  checkNonNegative(out, 'spec.failedJobsHistoryLimit', spec['failedJobsHistoryLimit']);
}

// Jobs get an 11-character suffix, and their names must be labels.
const MAX_NAME = 52;

/** Strategy of cron jobs. */
export const cronJobStrategy: ResourceStrategy = specAndStatus(
  {},
  {
    applyDefaults: defaults,
    validate: (cronJob): FieldError[] => {
      const out: Errors = [];
      checkCronJob(out, cronJob, undefined);
      const name = cronJob.metadata.name ?? '';
      if (name.length > MAX_NAME) out.push(invalid('metadata.name', name, 'must be no more than 52 characters'));
      return out;
    },
    validateUpdate: (cronJob, old): FieldError[] => {
      const out: Errors = [];
      checkCronJob(out, cronJob, old);
      return out;
    },
    warningsOnCreate: (cronJob) => [
      ...hostnameWarnings(cronJob.metadata.name, 'Pod names and hostnames'),
      ...jobSpecWarnings('spec.jobTemplate.spec', jobSpecOf(cronJob)),
    ],
    warningsOnUpdate: (cronJob, old) =>
      cronJob.metadata.generation === old.metadata.generation
        ? []
        : jobSpecWarnings('spec.jobTemplate.spec', jobSpecOf(cronJob)),
  },
);
