/** The spec of a job, alone or inside a cron job. */
import { duplicate, invalid, notSupported, omitValue, required, tooLong, tooMany } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { checkNonNegative, checkQualifiedName, checkRequiredEnum, checkSubdomain } from '../shared/checks.js';
import { fields, integer, record, records, text } from '../shared/json.js';
import { checkPodTemplate } from '../core/pod-spec.js';

type Spec = Readonly<JsonObject>;
const NUMBERS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];
const MANY = 100_000;
const FEWER = 10_000;

function checkManagedBy(out: Errors, field: string, value: unknown): void {
  if (value === undefined) return;
  const name = text(value);
  const slash = name.indexOf('/');
  if (name === '') out.push(required(field));
  else if (slash <= 0 || slash === name.length - 1)
    out.push(invalid(field, name, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  else checkSubdomain(out, field, name.slice(0, slash));
  if (name.length > 63) out.push(tooLong(field, '', 63));
}

function checkIndexed(out: Errors, path: string, spec: Spec): void {
  const completions = integer(spec['completions']);
  const parallelism = integer(spec['parallelism']) ?? 0;
  const failures = integer(spec['maxFailedIndexes']);
  if (completions === undefined) out.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  if (parallelism > MANY)
    out.push(
      invalid(
        `${path}.parallelism`,
        parallelism,
        `must be less than or equal to ${MANY} when completion mode is Indexed`,
      ),
    );
  if (failures !== undefined) {
    if (completions !== undefined && failures > completions)
      out.push(invalid(`${path}.maxFailedIndexes`, failures, 'must be less than or equal to completions'));
    if (failures > MANY)
      out.push(invalid(`${path}.maxFailedIndexes`, failures, `must be less than or equal to ${MANY}`));
  }
  if (completions === undefined || completions <= MANY || spec['backoffLimitPerIndex'] === undefined) return;
  const detail = `must be less than or equal to ${FEWER} when completions are above ${MANY} and used with backoff limit per index`;
  if (failures === undefined)
    out.push(required(`${path}.maxFailedIndexes`, `must be specified when completions is above ${MANY}`));
  if (parallelism > FEWER) out.push(invalid(`${path}.parallelism`, parallelism, detail));
  if (failures !== undefined && failures > FEWER) out.push(invalid(`${path}.maxFailedIndexes`, failures, detail));
}

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const quoted = (values: readonly string[]): string => `[${values.map((value) => `"${value}"`).join(' ')}]`;

function checkExitCodes(out: Errors, path: string, codes: JsonObject, containers: ReadonlySet<string>): void {
  const operator = text(codes['operator']);
  if (operator === '') out.push(required(`${path}.operator`, `valid values: ${quoted(['In', 'NotIn'])}`));
  else if (operator !== 'In' && operator !== 'NotIn')
    out.push(notSupported(`${path}.operator`, operator, ['In', 'NotIn']));
  const container = codes['containerName'];
  if (typeof container === 'string' && !containers.has(container)) {
    out.push(
      invalid(
        `${path}.containerName`,
        container,
        'must be one of the container or initContainer names in the pod template',
      ),
    );
  }
  const values = (codes['values'] ?? []) as readonly number[];
  if (values.length === 0)
    out.push(invalid(`${path}.values`, codes['values'] ?? null, 'at least one value is required'));
  else if (values.length > 255) out.push(tooMany(`${path}.values`, values.length, 255));
  const seen = new Set<number>();
  values.forEach((value, i) => {
    if (operator === 'In' && value === 0)
      out.push(invalid(`${path}.values[${i}]`, value, 'must not be 0 for the In operator'));
    if (seen.has(value)) out.push(duplicate(`${path}.values[${i}]`, value));
    seen.add(value);
  });
  if (values.some((value, i) => i > 0 && (values[i - 1] ?? 0) > value))
    out.push(invalid(`${path}.values`, values, 'must be ordered'));
}

function checkFailureRule(
  out: Errors,
  path: string,
  rule: JsonObject,
  spec: Spec,
  containers: ReadonlySet<string>,
): void {
  const action = text(rule['action']);
  if (action === '') out.push(required(`${path}.action`, `valid values: ${quoted(ACTIONS)}`));
  else if (!ACTIONS.includes(action)) out.push(notSupported(`${path}.action`, action, ACTIONS));
  else if (action === 'FailIndex' && spec['backoffLimitPerIndex'] === undefined) {
    out.push(invalid(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set'));
  }
  const codes = record(rule['onExitCodes']);
  const conditions = records(rule['onPodConditions']);
  if (codes) checkExitCodes(out, `${path}.onExitCodes`, codes, containers);
  if (conditions.length > 20) out.push(tooMany(`${path}.onPodConditions`, conditions.length, 20));
  conditions.forEach((pattern, i) => {
    checkQualifiedName(out, `${path}.onPodConditions[${i}].type`, text(pattern['type']));
    checkRequiredEnum(out, `${path}.onPodConditions[${i}].status`, pattern['status'], ['False', 'True', 'Unknown']);
  });
  if (codes && conditions.length > 0)
    out.push(invalid(path, omitValue, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (!codes && conditions.length === 0)
    out.push(invalid(path, omitValue, 'specifying one of OnExitCodes and OnPodConditions is required'));
}

function checkFailurePolicy(out: Errors, path: string, spec: Spec): void {
  const rules = records(fields(spec['podFailurePolicy'])['rules']);
  if (rules.length > 20) out.push(tooMany(`${path}.rules`, rules.length, 20));
  const pod = fields(fields(spec['template'])['spec']);
  const containers = new Set(
    [...records(pod['containers']), ...records(pod['initContainers'])].map((container) => text(container['name'])),
  );
  rules.forEach((rule, i) => checkFailureRule(out, `${path}.rules[${i}]`, rule, spec, containers));
}

function checkSuccessPolicy(out: Errors, path: string, spec: Spec): void {
  const rules = records(fields(spec['successPolicy'])['rules']);
  const completions = integer(spec['completions']) ?? 0;
  if (rules.length === 0)
    out.push(required(`${path}.rules`, 'at least one rules must be specified when the successPolicy is specified'));
  if (rules.length > 20) out.push(tooMany(`${path}.rules`, rules.length, 20));
  rules.forEach((rule, i) => {
    const count = integer(rule['succeededCount']);
    const at = `${path}.rules[${i}]`;
    if (count === undefined && rule['succeededIndexes'] === undefined) {
      out.push(required(at, 'at least one of succeededCount or succeededIndexes must be specified'));
    }
    checkNonNegative(out, `${at}.succeededCount`, count);
    if (count !== undefined && count > completions) {
      out.push(
        invalid(
          `${at}.succeededCount`,
          count,
          `must be less than or equal to ${completions} (the number of specified completions)`,
        ),
      );
    }
  });
}

function checkRestartPolicy(out: Errors, path: string, spec: Spec): void {
  const policy = text(fields(fields(spec['template'])['spec'])['restartPolicy']);
  const field = `${path}.template.spec.restartPolicy`;
  if (policy === 'Always' || policy === '') out.push(required(field, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') out.push(notSupported(field, policy, ['OnFailure', 'Never']));
  else if (record(spec['podFailurePolicy']) && policy !== 'Never') {
    out.push(invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
}

/** Everything but the selector. */
export function checkJobSpec(out: Errors, path: string, spec: Spec): void {
  for (const key of NUMBERS) checkNonNegative(out, `${path}.${key}`, spec[key]);
  if (spec['maxFailedIndexes'] !== undefined && spec['backoffLimitPerIndex'] === undefined) {
    out.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  }
  checkManagedBy(out, `${path}.managedBy`, spec['managedBy']);
  const mode = spec['completionMode'];
  if (mode !== undefined && mode !== 'NonIndexed' && mode !== 'Indexed')
    out.push(notSupported(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed']));
  if (mode === 'Indexed') checkIndexed(out, path, spec);
  if (mode === undefined || mode === 'NonIndexed') {
    for (const key of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      const value = integer(spec[key]);
      if (value !== undefined) out.push(invalid(`${path}.${key}`, value, 'requires indexed completion mode'));
    }
  }
  if (record(spec['podFailurePolicy'])) checkFailurePolicy(out, `${path}.podFailurePolicy`, spec);
  if (record(spec['successPolicy'])) {
    if (mode === 'Indexed') checkSuccessPolicy(out, `${path}.successPolicy`, spec);
    else out.push(invalid(`${path}.successPolicy`, spec['successPolicy'], 'requires indexed completion mode'));
  }
  const replacement = spec['podReplacementPolicy'];
  if (replacement !== undefined) {
    const allowed = record(spec['podFailurePolicy']) ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
    if (!allowed.includes(text(replacement)))
      out.push(notSupported(`${path}.podReplacementPolicy`, replacement, allowed));
  }
  checkPodTemplate(out, `${path}.template`, spec['template']);
  checkRestartPolicy(out, path, spec);
}
