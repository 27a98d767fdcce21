/** What the workloads of apps/v1 have in common: a selector, a template, an update strategy. */
import { forbidden, invalid, notSupported, required } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import {
  checkAtMost100Percent,
  checkIntOrPercent,
  checkLabelSelector,
  intOrPercentNumber,
  isEmptySelector,
  isUsableSelector,
  selectorMatches,
} from '../shared/checks.js';
import { fields, record, textMap } from '../shared/json.js';
import { checkPodTemplate } from '../core/pod-spec.js';
import { podWarnings } from '../core/pod-warnings.js';

const MISMATCH = '`selector` does not match template `labels`';

/** The selector must be there, be sound and name something; `kind` is how the server calls the workload. */
export function checkSelector(out: Errors, selector: unknown, kind: string): void {
  const object = record(selector);
  if (!object) {
    out.push(required('spec.selector'));
    return;
  }
  checkLabelSelector(out, 'spec.selector', object);
  if (isEmptySelector(object)) out.push(invalid('spec.selector', object, `empty selector is invalid for ${kind}`));
}

/** The template's labels must satisfy the selector. */
export function checkTemplateMatches(out: Errors, spec: Readonly<JsonObject>, selector: JsonObject | undefined): void {
  const labels = record(fields(fields(spec['template'])['metadata'])['labels']);
  if (!selectorMatches(selector, textMap(labels)))
    out.push(invalid('spec.template.metadata.labels', labels ?? null, MISMATCH));
}

/** Long-running workloads restart always and have no deadline; `kind` is how the server calls the workload. */
export function checkAlwaysRestarts(out: Errors, spec: Readonly<JsonObject>, kind: string): void {
  const pod = fields(fields(spec['template'])['spec']);
  if (pod['restartPolicy'] !== 'Always')
    out.push(notSupported('spec.template.spec.restartPolicy', pod['restartPolicy'] ?? '', ['Always']));
  if (pod['activeDeadlineSeconds'] !== undefined) {
    out.push(
      forbidden('spec.template.spec.activeDeadlineSeconds', `activeDeadlineSeconds in ${kind} is not Supported`),
    );
  }
}

/** Selector and template of Deployments and ReplicaSets. */
export function checkReplicaTemplate(out: Errors, spec: Readonly<JsonObject>): void {
  const selector = record(spec['selector']);
  if (selector && !isUsableSelector(selector)) {
    out.push(invalid('spec.selector', selector, 'invalid label selector'));
    return;
  }
  if (!selector || !isEmptySelector(selector)) checkTemplateMatches(out, spec, selector);
  checkPodTemplate(out, 'spec.template', spec['template']);
  checkAlwaysRestarts(out, spec, 'ReplicaSet');
}

/** How many pods a rolling update may miss and add. */
export function checkRollingUpdate(out: Errors, path: string, rolling: Readonly<JsonObject>): void {
  const { maxUnavailable, maxSurge } = rolling;
  checkIntOrPercent(out, `${path}.maxUnavailable`, maxUnavailable);
  checkIntOrPercent(out, `${path}.maxSurge`, maxSurge);
  if (intOrPercentNumber(maxUnavailable) === 0 && intOrPercentNumber(maxSurge) === 0) {
    out.push(invalid(`${path}.maxUnavailable`, maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0'));
  }
  checkAtMost100Percent(out, `${path}.maxUnavailable`, maxUnavailable);
}

/** Warnings about the template, when it counts as changed. */
export function templateWarnings(obj: KubeObject, old?: KubeObject): string[] {
  if (old && old.metadata.generation === obj.metadata.generation) return [];
  const template = fields(fields(obj['spec'])['template']);
  return podWarnings('spec.template', template['metadata'], template['spec']);
}
