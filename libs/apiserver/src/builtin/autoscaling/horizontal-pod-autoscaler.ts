/** HorizontalPodAutoscalers, stored as autoscaling/v2; v1 is a view of them. */
import { forbidden, invalid, lookUp, notSupported, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { BASE, keepField, statusUpdate } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkEnum, checkLabel, checkNonNegative, checkText } from '../shared/checks.js';
import { typedText } from '../../codec/index.js';
import { cloneJson, defaultTo, ensure, fields, integer, record, records, text } from '../shared/json.js';
import { pathSegmentErrors } from '../shared/names.js';
import { nanosOf } from '../shared/quantity.js';
import { sentEmpty } from '../shared/sent-empties.js';
import type { ResourceStrategy } from '../strategy.js';
import { METRICS_ANNOTATION, STAND_IN_ANNOTATIONS, convertAutoscaler, cpuMetric } from './conversion.js';
import { metricsFrom } from './metric-annotations.js';

const DEFAULT_UTILIZATION = 80;
const SCALE_UP: Readonly<JsonObject> = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const SCALE_DOWN: Readonly<JsonObject> = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

/** Policies that were sent and are none are not replaced: they are refused. */
function withRules(autoscaler: KubeObject, direction: string, standard: Readonly<JsonObject>): JsonObject {
  const rules = fields(fields(fields(autoscaler['spec'])['behavior'])[direction]);
  const sent = sentEmpty(autoscaler, `spec.behavior.${direction}.policies`);
  return { ...(cloneJson(standard) as JsonObject), ...rules, ...(sent === undefined ? {} : { policies: [] }) };
}

function defaults(autoscaler: KubeObject): void {
  const spec = ensure(autoscaler, 'spec');
  defaultTo(spec, 'minReplicas', 1);
  if (autoscaler.apiVersion === 'autoscaling/v1') {
    // Any other metric will do as well, but the view keeps those elsewhere.
    const others = metricsFrom(autoscaler.metadata.annotations?.[METRICS_ANNOTATION]);
    if (others.length === 0) defaultTo(spec, 'targetCPUUtilizationPercentage', DEFAULT_UTILIZATION);
    return;
  }
  if (records(spec['metrics']).length === 0) spec['metrics'] = [cpuMetric(DEFAULT_UTILIZATION)];
  const behavior = record(spec['behavior']);
  if (!behavior) return;
  behavior['scaleUp'] = withRules(autoscaler, 'scaleUp', SCALE_UP);
  behavior['scaleDown'] = withRules(autoscaler, 'scaleDown', SCALE_DOWN);
}

function checkName(out: Errors, field: string, name: string): void {
  if (name === '') out.push(required(field));
  else checkText(out, field, name, pathSegmentErrors(name));
}

function versionComplaint(version: string, needsGroup: boolean): string | undefined {
  const parts = version.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${version}`;
  return needsGroup && (parts.length < 2 || parts[0] === '') ? 'apiVersion must specify API group' : undefined;
}

function checkReference(out: Errors, path: string, ref: Readonly<JsonObject>, needsGroup: boolean): void {
  checkName(out, `${path}.kind`, text(ref['kind']));
  checkName(out, `${path}.name`, text(ref['name']));
  const version = text(ref['apiVersion']);
  const complaint = versionComplaint(version, needsGroup);
  if (complaint !== undefined) out.push(invalid(`${path}.apiVersion`, version, complaint));
}

function checkTarget(out: Errors, path: string, target: Readonly<JsonObject>): void {
  const type = text(target['type']);
  if (type === '') out.push(required(`${path}.type`, 'must specify a metric target type'));
  if (type !== 'Utilization' && type !== 'Value' && type !== 'AverageValue') {
    out.push(invalid(`${path}.type`, typedText(type), 'must be either Utilization, Value, or AverageValue'));
  }
  for (const key of ['value', 'averageValue']) {
    if (target[key] !== undefined && nanosOf(target[key]) <= 0n)
      out.push(invalid(`${path}.${key}`, target[key], 'must be positive'));
  }
  const utilization = integer(target['averageUtilization']);
  if (utilization !== undefined && utilization < 1)
    out.push(invalid(`${path}.averageUtilization`, utilization, 'must be greater than 0'));
}

function checkIdentifier(out: Errors, path: string, metric: Readonly<JsonObject>): void {
  const name = text(metric['name']);
  if (name === '') out.push(required(`${path}.name`, 'must specify a metric name'));
  else checkText(out, `${path}.name`, name, pathSegmentErrors(name));
}

function checkSource(out: Errors, path: string, kind: string, source: JsonObject): void {
  const target = fields(source['target']);
  const at = `${path}.target`;
  const has = (key: string): boolean => target[key] !== undefined;
  if (kind === 'object') checkReference(out, `${path}.describedObject`, fields(source['describedObject']), false);
  if (kind === 'object' || kind === 'external' || kind === 'pods')
    checkIdentifier(out, `${path}.metric`, fields(source['metric']));
  if (kind === 'resource' || kind === 'containerResource') {
    if (text(source['name']) === '') out.push(required(`${path}.name`, 'must specify a resource name'));
    if (kind === 'containerResource') {
      if (text(source['container']) === '') out.push(required(`${path}.container`, 'must specify a container'));
      else checkLabel(out, `${path}.container`, text(source['container']));
    }
  }
  checkTarget(out, at, target);
  if (kind === 'object' && !has('value') && !has('averageValue'))
    out.push(required(`${at}.averageValue`, 'must set either a target value or averageValue'));
  if (kind === 'pods' && !has('averageValue'))
    out.push(required(`${at}.averageValue`, 'must specify a positive target averageValue'));
  if (kind === 'external') {
    if (!has('value') && !has('averageValue'))
      out.push(required(`${at}.averageValue`, 'must set either a target value for metric or a per-pod target'));
    if (has('value') && has('averageValue'))
      out.push(forbidden(`${at}.value`, 'may not set both a target value for metric and a per-pod target'));
  }
  if (kind !== 'resource' && kind !== 'containerResource') return;
  const both = has('averageUtilization') && has('averageValue');
  if (!has('averageUtilization') && !has('averageValue'))
    out.push(required(`${at}.averageUtilization`, 'must set either a target raw value or a target utilization'));
  if (both) out.push(forbidden(`${at}.averageValue`, 'may not set both a target raw value and a target utilization'));
}

const TYPES: Readonly<Record<string, string>> = {
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  External: 'external',
  ContainerResource: 'containerResource',
};
const TYPE_NAMES = Object.keys(TYPES).sort();
const SOURCE_ORDER = ['object', 'external', 'pods', 'resource', 'containerResource'];

function checkMetric(out: Errors, path: string, metric: JsonObject): void {
  const type = text(metric['type']);
  if (type === '') out.push(required(`${path}.type`, 'must specify a metric source type'));
  const expected = lookUp(TYPES, type);
  if (expected === undefined) out.push(notSupported(`${path}.type`, type, TYPE_NAMES));
  const present = SOURCE_ORDER.filter((key) => record(metric[key]));
  const [first] = present;
  if (first !== undefined) checkSource(out, `${path}.${first}`, first, metric[first] as JsonObject);
  if (expected === undefined) out.push(notSupported(`${path}.type`, type, TYPE_NAMES));
  else if (!record(metric[expected]))
    out.push(required(`${path}.${expected}`, 'must populate information for the given metric source'));
  if (present.length === 1) return;
  for (const key of present)
    if (key !== expected) out.push(forbidden(`${path}.${key}`, 'must populate the given metric source only'));
}

function checkRules(out: Errors, path: string, value: unknown): void {
  const rules = record(value);
  if (!rules) return;
  const stabilization = integer(rules['stabilizationWindowSeconds']);
  const field = `${path}.stabilizationWindowSeconds`;
  if (stabilization !== undefined && stabilization < 0)
    out.push(invalid(field, stabilization, 'must be greater than or equal to zero'));
  if (stabilization !== undefined && stabilization > 3600)
    out.push(invalid(field, stabilization, 'must be less than or equal to 3600'));
  if (rules['selectPolicy'] !== undefined)
    checkEnum(out, `${path}.selectPolicy`, rules['selectPolicy'], ['Disabled', 'Max', 'Min']);
  const policies = records(rules['policies']);
  if (policies.length === 0) out.push(required(`${path}.policies`, 'must specify at least one Policy'));
  policies.forEach((policy, i) => {
    const at = `${path}.policies[${i}]`;
    checkEnum(out, `${at}.type`, policy['type'], ['Percent', 'Pods']);
    for (const key of ['value', 'periodSeconds']) {
      const number = integer(policy[key]) ?? 0;
      if (number <= 0) out.push(invalid(`${at}.${key}`, number, 'must be greater than zero'));
      if (key === 'periodSeconds' && number > 1800)
        out.push(invalid(`${at}.${key}`, number, 'must be less than or equal to 1800'));
    }
  });
}

function validate(autoscaler: KubeObject, old?: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(convertAutoscaler(autoscaler, 'autoscaling/v2')['spec']);
  const min = integer(spec['minReplicas']);
  const max = integer(spec['maxReplicas']) ?? 0;
  if (min !== undefined && min < 1) out.push(invalid('spec.minReplicas', min, 'must be greater than or equal to 1'));
  if (max === 0) out.push(required('spec.maxReplicas', 'must be set and greater than 0'));
  else if (max < 0) out.push(invalid('spec.maxReplicas', max, 'must be greater than or equal to 1'));
  if (min !== undefined && max < min)
    out.push(invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`'));
  // A core kind cannot be scaled; objects that already name one may stay.
  const wasCore = old !== undefined && !text(fields(fields(old['spec'])['scaleTargetRef'])['apiVersion']).includes('/');
  checkReference(out, 'spec.scaleTargetRef', fields(spec['scaleTargetRef']), !wasCore);
  records(spec['metrics']).forEach((metric, i) => checkMetric(out, `spec.metrics[${i}]`, metric));
  if (
    min === 0 &&
    !records(spec['metrics']).some((metric) => metric['type'] === 'Object' || metric['type'] === 'External')
  ) {
    out.push(
      forbidden(
        'spec.metrics',
        'must specify at least one Object or External metric to support scaling to zero replicas',
      ),
    );
  }
  const behavior = fields(spec['behavior']);
  checkRules(out, 'spec.behavior.scaleUp', behavior['scaleUp']);
  checkRules(out, 'spec.behavior.scaleDown', behavior['scaleDown']);
  return out;
}

/** Strategy of horizontal pod autoscalers. */
export const horizontalPodAutoscalerStrategy: ResourceStrategy = {
  ...BASE,
  standInAnnotations: STAND_IN_ANNOTATIONS,
  applyDefaults: defaults,
  prepareForCreate: (autoscaler) => {
    autoscaler['status'] =
      autoscaler.apiVersion === 'autoscaling/v1'
        ? { currentReplicas: 0, desiredReplicas: 0 }
        : { desiredReplicas: 0, currentMetrics: null };
  },
  validate: (autoscaler) => validate(autoscaler),
  prepareForUpdate: (autoscaler, old) => keepField(autoscaler, old, 'status'),
  validateUpdate: validate,
  subresources: {
    status: statusUpdate((autoscaler) => {
      const out: Errors = [];
      for (const key of ['currentReplicas', 'desiredReplicas'])
        checkNonNegative(out, `status.${key}`, fields(autoscaler['status'])[key]);
      return out;
    }),
  },
};
