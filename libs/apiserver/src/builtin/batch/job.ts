/** Jobs. */
import { structText } from '../shared/internal.js';
import { internalPodSpec, internalTemplate } from '../shared/internal-view.js';
import { invalid, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { specAndStatus } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkImmutable, checkLabelSelector, isUsableSelector, selectorMatches } from '../shared/checks.js';
import { labelValueErrors } from '../shared/names.js';
import {
  assign,
  cloneJson,
  defaultText,
  defaultTo,
  ensure,
  equalJson,
  fields,
  integer,
  record,
  records,
  textMap,
} from '../shared/json.js';
import { dnsLabelErrors } from '../shared/texts.js';
import type { ResourceStrategy, StrategyContext } from '../strategy.js';
import { defaultPodTemplate } from '../core/pod-defaults.js';
import { hostnameWarnings, podWarnings } from '../core/pod-warnings.js';
import { checkJobSpec } from './job-spec.js';
import { validateJobStatus } from './job-status.js';

const UID_LABELS = ['controller-uid', 'batch.kubernetes.io/controller-uid'];
const NAME_LABELS = ['job-name', 'batch.kubernetes.io/job-name'];

/** Defaults of a job's pod failure policy, also inside cron jobs. */
export function defaultFailurePolicy(spec: Readonly<JsonObject>): void {
  for (const rule of records(fields(spec['podFailurePolicy'])['rules'])) {
    for (const pattern of records(rule['onPodConditions'])) defaultText(pattern, 'status', 'True');
  }
}

function defaults(job: KubeObject): void {
  const spec = ensure(job, 'spec');
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1;
  defaultTo(spec, 'parallelism', 1);
  defaultTo(spec, 'backoffLimit', spec['backoffLimitPerIndex'] === undefined ? 6 : 2147483647);
  const template = ensure(spec, 'template');
  const labels = record(fields(template['metadata'])['labels']);
  // One map for both, on purpose: labels generated into the template on create show up on the job too, as they do in the server.
  if (labels && Object.keys(textMap(job.metadata.labels)).length === 0)
    job.metadata.labels = labels as Record<string, string>;
  defaultTo(spec, 'completionMode', 'NonIndexed');
  defaultTo(spec, 'suspend', false);
  defaultTo(spec, 'podReplacementPolicy', record(spec['podFailurePolicy']) ? 'Failed' : 'TerminatingOrFailed');
  defaultTo(spec, 'manualSelector', false);
  defaultFailurePolicy(spec);
  defaultPodTemplate(template);
}

// Unless the user manages the selector, pods are found by the job's uid; labels the user set are left to validation.
function generateSelector(job: KubeObject): void {
  const spec = ensure(job, 'spec');
  if (spec['manualSelector'] === true) return;
  const labels = ensure(ensure(ensure(spec, 'template'), 'metadata'), 'labels');
  for (const key of NAME_LABELS) defaultTo(labels, key, job.metadata.name ?? '');
  for (const key of UID_LABELS) defaultTo(labels, key, job.metadata.uid ?? '');
  defaultTo(
    ensure(ensure(spec, 'selector'), 'matchLabels'),
    'batch.kubernetes.io/controller-uid',
    job.metadata.uid ?? '',
  );
  // The server finds them on the job only when it reads it back, so that they are no fault of its own.
  const isLabel = labelValueErrors(job.metadata.name ?? '').length === 0;
  if (isLabel && Object.keys(textMap(job.metadata.labels)).length === 0)
    job.metadata.labels = { ...(labels as Record<string, string>) };
}

function checkGenerated(out: Errors, job: KubeObject): void {
  const spec = fields(job['spec']);
  const selector = record(spec['selector']);
  if (spec['manualSelector'] === true || !selector) return;
  const uid = job.metadata.uid ?? '';
  const name = job.metadata.name ?? '';
  if (uid === '') out.push(required('metadata.uid'));
  const labels = textMap(fields(fields(spec['template'])['metadata'])['labels']);
  const expected: Record<string, string> = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  for (const [key, value] of Object.entries(expected)) {
    const field = `spec.template.metadata.labels[${key}]`;
    if (labels[key] === undefined) out.push(required(field, `must be '${value}'`));
    else if (labels[key] !== value) out.push(invalid(field, labels, `must be '${value}'`));
  }
  if (isUsableSelector(selector) && !selectorMatches(selector, expected))
    out.push(invalid('spec.selector', selector, '`selector` not auto-generated'));
}

function checkSelected(out: Errors, spec: Readonly<JsonObject>): void {
  checkJobSpec(out, 'spec', spec);
  const selector = record(spec['selector']);
  if (!selector) out.push(required('spec.selector'));
  checkLabelSelector(out, 'spec.selector', selector);
  const labels = record(fields(fields(spec['template'])['metadata'])['labels']);
  if ((!selector || isUsableSelector(selector)) && !selectorMatches(selector, textMap(labels))) {
    out.push(invalid('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`'));
  }
}

function validate(job: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(job['spec']);
  checkGenerated(out, job);
  checkSelected(out, spec);
  const completions = integer(spec['completions']) ?? 0;
  if (spec['completionMode'] === 'Indexed' && completions > 0) {
    const last = `${job.metadata.name ?? ''}-${completions - 1}`;
    if (dnsLabelErrors(last).length > 0) {
      out.push(
        invalid(
          'metadata.name',
          job.metadata.name ?? '',
          `will not able to create pod with invalid DNS label: ${last}`,
        ),
      );
    }
  }
  return out;
}

function checkCompletions(out: Errors, spec: Readonly<JsonObject>, old: Readonly<JsonObject>): void {
  const now = integer(spec['completions']);
  if (spec['completionMode'] !== 'Indexed') checkImmutable(out, 'spec.completions', now, integer(old['completions']));
  else if (now !== undefined && now !== integer(old['completions']) && now !== integer(spec['parallelism'])) {
    out.push(invalid('spec.completions', now, 'can only be modified in tandem with spec.parallelism'));
  }
}

const SCHEDULING = ['nodeSelector', 'tolerations', 'schedulingGates'];

// A suspended job that runs nothing may still change where it runs and how much it may use.
function checkTemplateKept(out: Errors, job: KubeObject, old: KubeObject): void {
  const template = fields(fields(job['spec'])['template']);
  const before = cloneJson(fields(fields(old['spec'])['template'])) as JsonObject;
  const status = fields(old['status']);
  const suspended = fields(old['spec'])['suspend'] === true;
  const parked = records(status['conditions']).some(
    (condition) => condition['type'] === 'Suspended' && condition['status'] === 'True',
  );
  const idle = suspended && (status['startTime'] === undefined || parked) && (integer(status['active']) ?? 0) === 0;
  if (!idle) {
    if (!equalJson(template, before))
      out.push(invalid('spec.template', structText(internalTemplate(template)), 'field is immutable'));
    return;
  }
  const pod = fields(template['spec']);
  const podBefore = ensure(before, 'spec');
  for (const key of SCHEDULING) assign(podBefore, key, pod[key]);
  const affinity = { ...fields(podBefore['affinity']) };
  assign(affinity, 'nodeAffinity', fields(pod['affinity'])['nodeAffinity']);
  assign(podBefore, 'affinity', Object.keys(affinity).length === 0 ? undefined : affinity);
  for (const list of ['containers', 'initContainers']) {
    records(podBefore[list]).forEach((container, i) => {
      const now = records(pod[list])[i];
      if (now?.['name'] === container['name']) assign(container, 'resources', now?.['resources']);
    });
  }
  if (!equalJson(pod, podBefore))
    out.push(invalid('spec.template.spec', structText(internalPodSpec(pod)), 'field is immutable'));
}

function validateUpdate(job: KubeObject, old: KubeObject, { repeated }: StrategyContext): FieldError[] {
  // The real server checks the job as a new one, and its spec once more.
  const out: Errors = [...(repeated?.asNew ?? []), ...validate(job), ...(repeated?.asChange ?? [])];
  const spec = fields(job['spec']);
  const before = fields(old['spec']);
  checkSelected(out, spec);
  checkCompletions(out, spec, before);
  checkImmutable(out, 'spec.selector', spec['selector'], before['selector']);
  checkTemplateKept(out, job, old);
  for (const key of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']) {
    checkImmutable(out, `spec.${key}`, spec[key], before[key]);
  }
  return out;
}

/** Warnings about a job's spec at a path. */
export function jobSpecWarnings(path: string, spec: Readonly<JsonObject>): string[] {
  const template = fields(spec['template']);
  const completions = integer(spec['completions']) ?? 0;
  const parallelism = integer(spec['parallelism']) ?? 0;
  const huge = spec['completionMode'] === 'Indexed' && completions > 100_000 && parallelism > 10_000;
  const advice =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [
    ...(huge ? [`${path}: ${advice}`] : []),
    ...podWarnings(`${path}.template`, template['metadata'], template['spec']),
  ];
}

const STRATEGY = specAndStatus({}, {});

/** Strategy of jobs. */
export const jobStrategy: ResourceStrategy = {
  ...STRATEGY,
  // A job deleted through batch/v1 without a propagation policy leaves its pods, for clients that always relied on it.
  defaultGarbageCollection: 'Orphan',
  applyDefaults: defaults,
  prepareForCreate: (job, ctx) => {
    STRATEGY.prepareForCreate?.(job, ctx);
    generateSelector(job);
  },
  validate,
  warningsOnCreate: (job) => [
    ...hostnameWarnings(job.metadata.name, 'Pod names and hostnames'),
    ...jobSpecWarnings('spec', fields(job['spec'])),
  ],
  validateUpdate,
  warningsOnUpdate: (job, old) =>
    job.metadata.generation === old.metadata.generation ? [] : jobSpecWarnings('spec', fields(job['spec'])),
  subresources: {
    status: {
      prepareForUpdate: (job, old) => assign(job, 'spec', old['spec']),
      validateUpdate: validateJobStatus,
    },
  },
  fieldLabels: { 'status.successful': (job) => String(integer(fields(job['status'])['succeeded']) ?? 0) },
};
