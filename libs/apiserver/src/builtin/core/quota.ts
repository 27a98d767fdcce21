/** LimitRanges and ResourceQuotas. */
import { duplicate, forbidden, getOwn, invalid, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { BASE, keepField, plain, statusUpdate } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { atKey, checkText } from '../shared/checks.js';
import { typedText } from '../../codec/index.js';
import { qualifiedNameErrors } from '../shared/names.js';
import { ensure, fields, record, records, text, texts } from '../shared/json.js';
import { compareQuantities } from '../shared/quantity.js';
import type { ResourceStrategy } from '../strategy.js';
import { defaultResourceList } from './pod-defaults.js';
import {
  checkAmount,
  checkContainerResourceName,
  checkQuotaResourceName,
  checkResourceName,
  isOvercommitAllowed,
  isQuotaResource,
} from './resources.js';

const LISTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];

function defaultLimits(limitRange: KubeObject): void {
  for (const item of records(ensure(limitRange, 'spec')['limits'])) {
    for (const list of LISTS) defaultResourceList(item[list]);
    if (item['type'] !== 'Container') continue;
    const limits: JsonObject = { ...fields(item['max']), ...fields(item['default']) };
    const requests: JsonObject = { ...fields(item['min']), ...limits, ...fields(item['defaultRequest']) };
    if (Object.keys(limits).length > 0) item['default'] = limits;
    if (Object.keys(requests).length > 0) item['defaultRequest'] = requests;
  }
}

type Lists = Readonly<Record<string, Readonly<JsonObject>>>;

function checkOrder(out: Errors, path: string, name: string, lists: Lists): void {
  const of = (list: string): unknown => getOwn(lists[list] ?? {}, name);
  const complain = (list: string, shown: unknown, detail: string): void => {
    out.push(invalid(atKey(`${path}.${list}`, name), shown, detail));
  };
  const above = (a: unknown, b: unknown): boolean => a !== undefined && b !== undefined && compareQuantities(a, b) > 0;
  const [min, max, limit, request, ratio] = [
    of('min'),
    of('max'),
    of('default'),
    of('defaultRequest'),
    of('maxLimitRequestRatio'),
  ];
  if (above(min, max)) complain('min', min, `min value ${text(min)} is greater than max value ${text(max)}`);
  if (above(min, request))
    complain(
      'defaultRequest',
      request,
      `min value ${text(min)} is greater than default request value ${text(request)}`,
    );
  if (above(request, max))
    complain(
      'defaultRequest',
      request,
      `default request value ${text(request)} is greater than max value ${text(max)}`,
    );
  if (above(request, limit)) {
    complain(
      'defaultRequest',
      request,
      `default request value ${text(request)} is greater than default limit value ${text(limit)}`,
    );
  }
  if (above(min, limit))
    complain('default', min, `min value ${text(min)} is greater than default value ${text(limit)}`);
  if (above(limit, max))
    complain('default', max, `default value ${text(limit)} is greater than max value ${text(max)}`);
  if (ratio !== undefined && compareQuantities(ratio, '1') < 0)
    complain('maxLimitRequestRatio', ratio, `ratio ${text(ratio)} is less than 1`);
  const differ = limit !== undefined && request !== undefined && compareQuantities(limit, request) !== 0;
  if (!isOvercommitAllowed(name) && differ) {
    complain(
      'defaultRequest',
      request,
      `default value ${text(limit)} must equal to defaultRequest value ${text(request)} in ${name}`,
    );
  }
}

function checkLimit(out: Errors, path: string, item: JsonObject, seen: Set<string>): void {
  const type = text(item['type']);
  const before = out.length;
  checkText(out, `${path}.type`, typedText(type), qualifiedNameErrors(type));
  if (out.length === before && !type.includes('/') && !['Pod', 'Container', 'PersistentVolumeClaim'].includes(type)) {
    out.push(invalid(`${path}.type`, typedText(type), 'must be a standard limit type or fully qualified'));
  }
  if (seen.has(type)) out.push(duplicate(`${path}.type`, type));
  seen.add(type);
  const isPod = type === 'Pod';
  const lists: Record<string, Readonly<JsonObject>> = {};
  for (const list of LISTS) {
    const map = fields(item[list]);
    if (isPod && (list === 'default' || list === 'defaultRequest')) {
      if (Object.keys(map).length > 0)
        out.push(forbidden(`${path}.${list}`, "may not be specified when `type` is 'Pod'"));
      continue;
    }
    lists[list] = map;
    for (const name of Object.keys(map)) {
      const field = atKey(`${path}.${list}`, name);
      if (isPod || type === 'Container') checkContainerResourceName(out, field, name);
      else checkResourceName(out, field, name);
    }
  }
  if (
    type === 'PersistentVolumeClaim' &&
    lists['min']?.['storage'] === undefined &&
    lists['max']?.['storage'] === undefined
  ) {
    out.push(
      required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided'),
    );
  }
  const names = new Set(Object.values(lists).flatMap((list) => Object.keys(list)));
  for (const name of names) checkOrder(out, path, name, lists);
}

function validateLimitRange(limitRange: KubeObject): FieldError[] {
  const out: Errors = [];
  const seen = new Set<string>();
  records(fields(limitRange['spec'])['limits']).forEach((item, i) => checkLimit(out, `spec.limits[${i}]`, item, seen));
  return out;
}

/** Strategy of limit ranges. */
export const limitRangeStrategy: ResourceStrategy = plain({
  allowCreateOnUpdate: true,
  prepareForCreate: ({ metadata }, { uniqueName }) => {
    if (!metadata.name && uniqueName !== undefined) metadata.name = uniqueName();
  },
  applyDefaults: defaultLimits,
  validate: validateLimitRange,
  validateUpdate: validateLimitRange,
});

const SCOPES = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'VolumeAttributesClass',
  'CrossNamespacePodAffinity',
]);
const COMPUTE = new Set(['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']);

function scopeFits(scope: string, resource: string): boolean {
  if (scope === 'VolumeAttributesClass')
    return resource === 'persistentvolumeclaims' || resource === 'requests.storage';
  if (!SCOPES.has(scope)) return true;
  return resource === 'pods' || (scope !== 'BestEffort' && COMPUTE.has(resource));
}

function checkConflict(out: Errors, path: string, used: readonly string[], shown: unknown): void {
  for (const [a, b] of [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ] as const) {
    if (used.includes(a) && used.includes(b)) out.push(invalid(path, shown, 'conflicting scopes'));
  }
}

function checkScopeSelector(out: Errors, spec: Readonly<JsonObject>, hard: readonly string[]): void {
  const selector = record(spec['scopeSelector']);
  if (!selector) return;
  const path = 'spec.scopeSelector.matchExpressions';
  const expressions = records(selector['matchExpressions']);
  for (const expression of expressions) {
    const scope = text(expression['scopeName']);
    const operator = text(expression['operator']);
    const values = texts(expression['values']);
    if (!SCOPES.has(scope)) out.push(invalid(`${path}.scopeName`, scope, 'unsupported scope'));
    for (const name of hard) {
      if (isQuotaResource(name) && !scopeFits(scope, name))
        out.push(invalid(path, selector, 'unsupported scope applied to resource'));
    }
    if (SCOPES.has(scope) && scope !== 'PriorityClass' && scope !== 'VolumeAttributesClass' && operator !== 'Exists') {
      const names =
        'ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';
      out.push(invalid(`${path}.operator`, operator, `must be 'Exists' when scope is any of ${names}`));
    }
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0)
        out.push(
          required(
            `${path}.values`,
            "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
          ),
        );
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        out.push(
          invalid(
            `${path}.values`,
            values,
            "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
          ),
        );
      }
    } else out.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
  checkConflict(
    out,
    path,
    expressions.map((expression) => text(expression['scopeName'])),
    spec['scopes'] ?? null,
  );
}

function checkAmounts(out: Errors, path: string, list: unknown): void {
  const map = fields(list);
  for (const name of Object.keys(map)) {
    checkQuotaResourceName(out, atKey(path, name), name);
    checkAmount(out, atKey(path, name), name, map[name]);
  }
}

function checkQuota(out: Errors, quota: KubeObject): void {
  const spec = fields(quota['spec']);
  checkAmounts(out, 'spec.hard', spec['hard']);
  const hard = Object.keys(fields(spec['hard'])).sort();
  const scopes = texts(spec['scopes']);
  for (const scope of scopes) {
    if (!SCOPES.has(scope)) out.push(invalid('spec.scopes', scopes, 'unsupported scope'));
    for (const name of hard) {
      if (isQuotaResource(name) && !scopeFits(scope, name))
        out.push(invalid('spec.scopes', scopes, 'unsupported scope applied to resource'));
    }
  }
  checkConflict(out, 'spec.scopes', scopes, scopes);
  checkScopeSelector(out, spec, hard);
}

function validateQuotaStatus(quota: KubeObject): FieldError[] {
  const out: Errors = [];
  if (!quota.metadata.resourceVersion) out.push(required('resourceVersion'));
  const status = fields(quota['status']);
  checkAmounts(out, 'status.hard', status['hard']);
  checkAmounts(out, 'status.used', status['used']);
  return out;
}

/** Strategy of resource quotas. */
export const resourceQuotaStrategy: ResourceStrategy = {
  ...BASE,
  returnsDeletedObject: true,
  applyDefaults: (quota) => defaultResourceList(ensure(quota, 'spec')['hard']),
  prepareForCreate: (quota) => {
    quota['status'] = {};
  },
  validate: (quota) => {
    const out: Errors = [];
    checkQuota(out, quota);
    return out;
  },
  prepareForUpdate: (quota, old) => keepField(quota, old, 'status'),
  validateUpdate: (quota, old) => {
    const out: Errors = [];
    checkQuota(out, quota);
    const scopes = texts(fields(quota['spec'])['scopes']);
    const before = texts(fields(old['spec'])['scopes']);
    const same = scopes.every((scope) => before.includes(scope)) && before.every((scope) => scopes.includes(scope));
    if (!same) out.push(invalid('spec.scopes', scopes.length === 0 ? null : scopes, 'field is immutable'));
    return out;
  },
  subresources: { status: statusUpdate(validateQuotaStatus) },
};
