/** Which requests an admission configuration speaks of. */
import { boolType, compileExpression } from '@capstan/schema';
import { duplicate, invalid, notSupported, required } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { checkLabelSelector, checkOptionalEnum, checkQualifiedName, checkText } from '../shared/checks.js';
import { typedText } from '../../codec/index.js';
import { defaultTo, fields, record, records, text, texts } from '../shared/json.js';
import { pathSegmentErrors } from '../shared/names.js';

/** Legal values of failurePolicy. */
export const FAILURE_POLICIES: readonly string[] = ['Fail', 'Ignore'];
const MATCH_POLICIES = ['Equivalent', 'Exact'];
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

/** Rules apply to every scope unless they say otherwise. */
export function defaultRules(rules: unknown): void {
  for (const rule of records(rules)) defaultTo(rule, 'scope', '*');
}

/** Selectors match everything unless they say otherwise. */
export function defaultMatching(holder: JsonObject): void {
  defaultTo(holder, 'matchPolicy', 'Equivalent');
  defaultTo(holder, 'namespaceSelector', {});
  defaultTo(holder, 'objectSelector', {});
}

function checkResources(out: Errors, path: string, resources: readonly string[]): void {
  if (resources.length === 0) out.push(required(path));
  const wildcardSubs = new Set<string>();
  const wildcardResources = new Set<string>();
  resources.forEach((resource, i) => {
    if (resource === '') {
      out.push(required(`${path}[${i}]`));
      return;
    }
    const slash = resource.indexOf('/');
    if (slash < 0) return;
    const name = resource.slice(0, slash);
    const sub = resource.slice(slash + 1);
    if (wildcardSubs.has(name))
      out.push(invalid(`${path}[${i}]`, resource, `if '${name}/*' is present, must not specify ${resource}`));
    if (wildcardResources.has(sub))
      out.push(invalid(`${path}[${i}]`, resource, `if '*/${sub}' is present, must not specify ${resource}`));
    if (sub === '*') wildcardSubs.add(name);
    if (name === '*') wildcardResources.add(sub);
  });
  if (resources.length > 1 && resources.includes('*/*'))
    out.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  const lastBare = resources.findLast((resource) => !resource.includes('/') && resource !== '');
  if (resources.includes('*') && lastBare !== undefined && lastBare !== '*') {
    out.push(invalid(path, resources, "if '*' is present, must not specify other resources without subresources"));
  }
}

/** One rule with operations. */
export function checkRule(out: Errors, path: string, rule: JsonObject): void {
  const operations = texts(rule['operations']);
  if (operations.length === 0) out.push(required(`${path}.operations`));
  if (operations.length > 1 && operations.includes('*')) {
    out.push(invalid(`${path}.operations`, operations, "if '*' is present, must not specify other operations"));
  }
  operations.forEach((operation, i) => {
    if (!OPERATIONS.includes(operation))
      out.push(notSupported(`${path}.operations[${i}]`, typedText(operation), OPERATIONS));
  });
  const groups = texts(rule['apiGroups']);
  if (groups.length === 0) out.push(required(`${path}.apiGroups`));
  if (groups.length > 1 && groups.includes('*'))
    out.push(invalid(`${path}.apiGroups`, groups, "if '*' is present, must not specify other API groups"));
  const versions = texts(rule['apiVersions']);
  if (versions.length === 0) out.push(required(`${path}.apiVersions`));
  if (versions.length > 1 && versions.includes('*')) {
    out.push(invalid(`${path}.apiVersions`, versions, "if '*' is present, must not specify other API versions"));
  }
  versions.forEach((version, i) => {
    if (version === '') out.push(required(`${path}.apiVersions[${i}]`));
  });
  checkResources(out, `${path}.resources`, texts(rule['resources']));
  checkOptionalEnum(out, `${path}.scope`, rule['scope'], ['*', 'Cluster', 'Namespaced']);
}

/** Policies and selectors that webhooks and policies share. */
export function checkMatching(out: Errors, path: string, holder: Readonly<JsonObject>): void {
  checkOptionalEnum(out, `${path}.matchPolicy`, holder['matchPolicy'], MATCH_POLICIES);
  checkLabelSelector(out, `${path}.namespaceSelector`, holder['namespaceSelector']);
  checkLabelSelector(out, `${path}.objectSelector`, holder['objectSelector']);
}

/** MatchResources of admission policies and their bindings. */
export function checkMatchResources(out: Errors, path: string, value: unknown): void {
  const resources = record(value);
  if (!resources) return;
  checkMatching(out, path, resources);
  for (const list of ['resourceRules', 'excludeResourceRules']) {
    records(resources[list]).forEach((rule, i) => {
      const at = `${path}.${list}[${i}]`;
      const names = texts(rule['resourceNames']);
      names.forEach((name, j) => {
        checkText(out, `${at}.resourceNames[${j}]`, name, pathSegmentErrors(name));
        if (names.indexOf(name) !== j) out.push(duplicate(`${at}.resourceNames[${j}]`, name));
      });
      checkRule(out, at, rule);
    });
  }
}

/** An expression that must be true or false. */
function checkCondition(out: Errors, path: string, expression: string, hasParams: boolean): void {
  if (expression.trim() === '') {
    out.push(required(path));
    return;
  }
  const compiled = compileExpression(expression, [boolType], { hasParams, hasAuthorizer: true });
  if (!('error' in compiled)) return;
  if (compiled.isInternal) out.push({ type: 'InternalError', field: path, detail: compiled.error });
  else out.push(invalid(path, expression, compiled.error));
}

/** Match conditions. */
export function checkMatchConditions(out: Errors, path: string, value: unknown, hasParams = false): void {
  const conditions = records(value);
  if (conditions.length > 64)
    out.push({ type: 'TooMany', field: path, badValue: conditions.length, detail: 'must have at most 64 items' });
  const names = new Set<string>();
  conditions.forEach((condition, i) => {
    const at = `${path}[${i}]`;
    const name = text(condition['name']);
    checkCondition(out, `${at}.expression`, text(condition['expression']), hasParams);
    if (name === '') out.push(required(`${at}.name`));
    else {
      checkQualifiedName(out, `${at}.name`, name);
      if (names.has(name)) out.push(duplicate(`${at}.name`, name));
      names.add(name);
    }
  });
}

/** The rules of MatchResources, defaulted. */
export function defaultMatchResources(value: unknown): void {
  const resources = record(value);
  if (!resources) return;
  defaultMatching(resources);
  defaultRules(resources['resourceRules']);
  defaultRules(fields(resources)['excludeResourceRules']);
}
