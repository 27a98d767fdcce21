/** What a job's status may claim. */
import { invalid, omitValue, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { checkNonNegative } from '../shared/checks.js';
import { equalJson, fields, integer, records, text } from '../shared/json.js';

type Status = Readonly<JsonObject>;

function holds(status: Status, type: string): boolean {
  return records(status['conditions']).some(
    (condition) => condition['type'] === type && condition['status'] === 'True',
  );
}

/** Where the first holds the second must, or must not. */
const IMPOSSIBLE: readonly (readonly [first: string, second: string, wanted: boolean, detail: string])[] = [
  ['Complete', 'Failed', false, 'cannot set Complete=True and Failed=true conditions'],
  ['Complete', 'FailureTarget', false, 'cannot set Complete=True and FailureTarget=true conditions'],
  ['Failed', 'FailureTarget', true, 'cannot set Failed=True condition without the FailureTarget=true condition'],
  [
    'Complete',
    'SuccessCriteriaMet',
    true,
    'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
  ],
  ['SuccessCriteriaMet', 'Failed', false, 'cannot set SuccessCriteriaMet=True and Failed=true conditions'],
  [
    'SuccessCriteriaMet',
    'FailureTarget',
    false,
    'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
  ],
];

function checkConditions(out: Errors, status: Status): void {
  for (const [first, second, wanted, detail] of IMPOSSIBLE) {
    if (holds(status, first) && holds(status, second) !== wanted)
      out.push(invalid('status.conditions', omitValue, detail));
  }
}

function checkTimes(out: Errors, status: Status): void {
  const complete = holds(status, 'Complete');
  const finished = complete || holds(status, 'Failed');
  const [start, end] = [status['startTime'], status['completionTime']];
  if (end && !complete)
    out.push(
      invalid('status.completionTime', end, 'cannot set completionTime when there is no Complete=True condition'),
    );
  if (!end && complete) out.push(required('status.completionTime', 'completionTime is required for Complete jobs'));
  if (start && end && text(end) < text(start))
    out.push(invalid('status.completionTime', end, 'must be equal to or after `startTime`'));
  const active = integer(status['active']) ?? 0;
  if (active > 0 && finished) out.push(invalid('status.active', active, 'active>0 is invalid for finished job'));
  if (!start && finished) out.push(required('status.startTime', 'startTime is required for finished job'));
  const uncounted = fields(status['uncountedTerminatedPods']);
  if (finished && records(uncounted['succeeded']).length + records(uncounted['failed']).length > 0) {
    out.push(invalid('status.uncountedTerminatedPods', uncounted, 'must be empty for finished job'));
  }
  const terminating = integer(status['terminating']) ?? 0;
  if (terminating > 0 && finished)
    out.push(invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job'));
  const ready = integer(status['ready']);
  if (ready !== undefined && ready > active)
    out.push(invalid('status.ready', ready, 'cannot set more ready pods than active'));
}

/** A status update, as the checks the server makes on changed parts. */
export function validateJobStatus(job: KubeObject, old: KubeObject): FieldError[] {
  const out: Errors = [];
  const status = fields(job['status']);
  const before = fields(old['status']);
  for (const key of ['active', 'succeeded', 'failed', 'ready', 'terminating'])
    checkNonNegative(out, `status.${key}`, status[key]);
  // Only what changes is validated: jobs finished by an older controller must stay writable.
  const changed = (...keys: readonly string[]): boolean => keys.some((key) => !equalJson(status[key], before[key]));
  if (changed('conditions')) checkConditions(out, status);
  if (changed('conditions', 'startTime', 'completionTime', 'active', 'ready', 'terminating', 'uncountedTerminatedPods'))
    checkTimes(out, status);
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (holds(before, type) && !holds(status, type)) {
      out.push(invalid('status.conditions', omitValue, `cannot disable the terminal ${type}=True condition`));
    }
  }
  if (holds(before, 'SuccessCriteriaMet') && !holds(status, 'SuccessCriteriaMet')) {
    out.push(invalid('status.conditions', omitValue, 'cannot disable the SuccessCriteriaMet=True condition'));
  }
  const spec = fields(job['spec']);
  const elastic = spec['completionMode'] === 'Indexed' && spec['completions'] === spec['parallelism'];
  for (const key of elastic ? ['failed'] : ['failed', 'succeeded']) {
    const count = integer(status[key]) ?? 0;
    if (count < (integer(before[key]) ?? 0))
      out.push(invalid(`status.${key}`, count, `cannot decrease the ${key} counter`));
  }
  const [end, endBefore] = [status['completionTime'], before['completionTime']];
  if (end && endBefore && end !== endBefore) out.push(invalid('status.completionTime', end, 'field is immutable'));
  const suspended = fields(job['spec'])['suspend'] === true;
  const resuming = holds(before, 'Suspended') && !holds(status, 'Suspended');
  if (before['startTime'] && before['startTime'] !== status['startTime'] && !suspended && !resuming) {
    out.push(
      invalid('status.startTime', status['startTime'] ?? null, 'field is immutable for unsuspended job once set'),
    );
  }
  return out;
}
