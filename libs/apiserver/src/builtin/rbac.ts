/** Roles, their bindings, and the cluster-wide counterparts of both. */
import { invalid, notSupported, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { plain } from './base.js';
import type { Errors } from './shared/checks.js';
import { checkLabelSelector, checkSubdomain, checkText, isUsableSelector } from './shared/checks.js';
import { structText } from './shared/internal.js';
import { defaultText, ensure, equalJson, fields, record, records, text, texts } from './shared/json.js';
import { pathSegmentErrors } from './shared/names.js';
import { metadataAgain, type ResourceStrategy, type StrategyContext } from './strategy.js';

const GROUP = 'rbac.authorization.k8s.io';

function checkRule(out: Errors, path: string, rule: JsonObject, namespaced: boolean): void {
  if (texts(rule['verbs']).length === 0) out.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
  const urls = texts(rule['nonResourceURLs']);
  const field = `${path}.nonResourceURLs`;
  const ofResources = ['apiGroups', 'resources', 'resourceNames'].some((key) => texts(rule[key]).length > 0);
  if (urls.length > 0) {
    if (namespaced) out.push(invalid(field, urls, 'namespaced rules cannot apply to non-resource URLs'));
    if (ofResources)
      out.push(invalid(field, urls, 'rules cannot apply to both regular resources and non-resource URLs'));
    return;
  }
  if (texts(rule['apiGroups']).length === 0)
    out.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  if (texts(rule['resources']).length === 0)
    out.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
}

function validateRole(role: KubeObject, namespaced: boolean): FieldError[] {
  const out: Errors = [];
  records(role['rules']).forEach((rule, i) => checkRule(out, `rules[${i}]`, rule, namespaced));
  const aggregation = record(role['aggregationRule']);
  if (namespaced || !aggregation) return out;
  const selectors = records(aggregation['clusterRoleSelectors']);
  const path = 'aggregationRule.clusterRoleSelectors';
  if (selectors.length === 0)
    out.push(required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  selectors.forEach((selector, i) => {
    checkLabelSelector(out, `${path}[${i}]`, selector);
    if (!isUsableSelector(selector)) out.push(invalid(`${path}[${i}]`, null, 'invalid label selector.'));
  });
  return out;
}

function checkSubject(out: Errors, path: string, subject: JsonObject, namespaced: boolean): void {
  const name = text(subject['name']);
  const group = text(subject['apiGroup']);
  const kind = text(subject['kind']);
  if (name === '') out.push(required(`${path}.name`));
  if (kind === 'ServiceAccount') {
    if (name !== '') checkSubdomain(out, `${path}.name`, name);
    if (group !== '') out.push(notSupported(`${path}.apiGroup`, group, ['']));
    if (!namespaced && text(subject['namespace']) === '') out.push(required(`${path}.namespace`));
  } else if (kind === 'User' || kind === 'Group') {
    if (group !== GROUP) out.push(notSupported(`${path}.apiGroup`, group, [GROUP]));
  } else out.push(notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
}

function validateBinding(binding: KubeObject, namespaced: boolean): FieldError[] {
  const out: Errors = [];
  const role = fields(binding['roleRef']);
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (role['apiGroup'] !== GROUP) out.push(notSupported('roleRef.apiGroup', text(role['apiGroup']), [GROUP]));
  if (!kinds.includes(text(role['kind']))) out.push(notSupported('roleRef.kind', text(role['kind']), kinds));
  const name = text(role['name']);
  if (name === '') out.push(required('roleRef.name'));
  else checkText(out, 'roleRef.name', name, pathSegmentErrors(name));
  records(binding['subjects']).forEach((subject, i) => checkSubject(out, `subjects[${i}]`, subject, namespaced));
  return out;
}

function defaultBinding(binding: KubeObject): void {
  defaultText(ensure(binding, 'roleRef'), 'apiGroup', GROUP);
  for (const subject of records(binding['subjects'])) {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') defaultText(subject, 'apiGroup', GROUP);
  }
}

function validateBindingUpdate(
  namespaced: boolean,
  binding: KubeObject,
  old: KubeObject,
  context: StrategyContext,
): FieldError[] {
  const { asNew, asChange } = metadataAgain(context);
  const out = [...asNew, ...validateBinding(binding, namespaced), ...asChange];
  if (!equalJson(binding['roleRef'], old['roleRef'])) {
    const role = fields(binding['roleRef']);
    // Printed under the server's internal names.
    const shown = structText({ APIGroup: text(role['apiGroup']), Kind: text(role['kind']), Name: text(role['name']) });
    out.push(invalid('roleRef', shown, 'cannot change roleRef'));
  }
  return out;
}

function role(namespaced: boolean): ResourceStrategy {
  return plain({
    nameValidator: 'path-segment',
    allowCreateOnUpdate: true,
    validate: (obj) => validateRole(obj, namespaced),
    validateUpdate: (obj, _old, context) => {
      const { asNew, asChange } = metadataAgain(context);
      return [...asNew, ...validateRole(obj, namespaced), ...asChange];
    },
  });
}

function binding(namespaced: boolean): ResourceStrategy {
  return plain({
    nameValidator: 'path-segment',
    allowCreateOnUpdate: true,
    applyDefaults: defaultBinding,
    validate: (obj) => validateBinding(obj, namespaced),
    validateUpdate: (obj, old, context) => validateBindingUpdate(namespaced, obj, old, context),
  });
}

/** Strategy of roles. */
export const roleStrategy = role(true);
/** Strategy of cluster roles. */
export const clusterRoleStrategy = role(false);
/** Strategy of role bindings. */
export const roleBindingStrategy = binding(true);
/** Strategy of cluster role bindings. */
export const clusterRoleBindingStrategy = binding(false);
