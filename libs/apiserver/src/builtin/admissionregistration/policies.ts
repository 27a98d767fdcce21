/** Admission policies and their bindings. */
import { duplicate, forbidden, invalid, notSupported, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import {
  Composition,
  boolType,
  compileExpression,
  nullType,
  stringType,
  type CelType,
  type ExpressionError,
  type ExpressionOptions,
} from '@capstan/schema';
import { counted, keepMetadata, specAndStatus, statusUpdate } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkEnum, checkLabelSelector, checkQualifiedName, checkSubdomain, checkText } from '../shared/checks.js';
import { typedText } from '../../codec/index.js';
import { defaultTo, ensure, fields, record, records, text, texts } from '../shared/json.js';
import { pathSegmentErrors } from '../shared/names.js';
import { dns1035LabelErrors, dnsSubdomainErrors } from '../shared/texts.js';
import type { ResourceStrategy } from '../strategy.js';
import { FAILURE_POLICIES, checkMatchConditions, checkMatchResources, defaultMatchResources } from './rules.js';

function checkParamKind(out: Errors, path: string, value: unknown): void {
  const kind = record(value);
  if (!kind) return;
  const apiVersion = text(kind['apiVersion']);
  const parts = apiVersion.split('/');
  const field = `${path}.apiVersion`;
  if (apiVersion === '') out.push(required(field));
  else if (parts.length > 2) out.push(invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  else {
    const [version = '', group = ''] = [...parts].reverse();
    const groupErrors = dnsSubdomainErrors(group);
    if (group !== '' && groupErrors.length > 0) out.push(invalid(field, group, groupErrors.join(',')));
    const versionErrors = dns1035LabelErrors(version);
    if (version === '') out.push(invalid(field, apiVersion, 'version must be specified'));
    else if (versionErrors.length > 0) out.push(invalid(field, version, versionErrors.join(',')));
  }
  const name = text(kind['kind']);
  const nameErrors = dns1035LabelErrors(name.toLowerCase());
  if (name === '') out.push(required(`${path}.kind`));
  else if (nameErrors.length > 0)
    out.push(invalid(`${path}.kind`, name, `may have mixed case, but should otherwise match: ${nameErrors.join(',')}`));
}

/** Of what is written to the audit log. */
const MAX_VALUE_EXPRESSION = 5 * 1024;
const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
/** Words of the language that cannot be names. */
const RESERVED = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);
const isIdentifier = (name: string): boolean => IDENTIFIER.test(name) && !RESERVED.has(name);

/** What the expressions of a policy may speak of. */
interface PolicyScope {
  readonly hasParams: boolean;
  readonly composition: Composition;
  /** Absent where the policy declares none. */
  readonly variables?: CelType;
}

function scopeOf(spec: Readonly<JsonObject>): PolicyScope {
  const hasParams = record(spec['paramKind']) !== undefined;
  const variables = records(spec['variables']).map((variable) => ({
    name: text(variable['name']),
    expression: text(variable['expression']),
  }));
  // One without an expression is none that others could speak of.
  const declared = variables.filter(({ expression }) => expression.trim() !== '');
  const composition = new Composition(declared, { hasParams });
  return { hasParams, composition, ...(variables.length === 0 ? {} : { variables: composition.type }) };
}

function optionsOf({ hasParams, variables }: PolicyScope): ExpressionOptions {
  return { hasParams, ...(variables === undefined ? {} : { variables }) };
}

function checkCompiled(out: Errors, path: string, source: string, compiled: object): void {
  if (!('error' in compiled)) return;
  const { error, isInternal } = compiled as ExpressionError;
  if (isInternal) out.push({ type: 'InternalError', field: path, detail: error });
  else out.push(invalid(path, source, error));
}

function checkVariables(out: Errors, path: string, variables: unknown, { composition }: PolicyScope): void {
  const compiled = composition.inOrder[Symbol.iterator]();
  records(variables).forEach((variable, i) => {
    const name = text(variable['name']);
    if (name.trim() === '') out.push(required(`${path}[${i}].name`, 'name is not specified'));
    else if (!isIdentifier(name)) out.push(invalid(`${path}[${i}].name`, name, 'must be a valid CEL identifier'));
    const expression = text(variable['expression']);
    if (expression.trim() === '') out.push(required(`${path}[${i}].expression`, 'expression is not specified'));
    else checkCompiled(out, `${path}[${i}].expression`, expression, compiled.next().value ?? {});
  });
}

function checkValidation(out: Errors, path: string, validation: JsonObject, scope: PolicyScope): void {
  const common = optionsOf(scope);
  const expression = text(validation['expression']);
  if (expression.trim() === '') out.push(required(`${path}.expression`, 'expression is not specified'));
  else {
    const compiled = compileExpression(expression, [boolType], { ...common, hasAuthorizer: true });
    checkCompiled(out, `${path}.expression`, expression, compiled);
  }
  const message = text(validation['messageExpression']);
  if (message.trim() !== '')
    checkCompiled(out, `${path}.messageExpression`, message, compileExpression(message, [stringType], common));
  for (const key of ['messageExpression', 'message']) {
    const value = text(validation[key]);
    if (value !== '' && value.trim() === '')
      out.push(invalid(`${path}.${key}`, value, 'must be non-empty if specified'));
    else if (key === 'message' && /[\n\r]/.test(value.trim()))
      out.push(invalid(`${path}.message`, value, 'must not contain line breaks'));
  }
  const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
  if (validation['reason'] !== undefined && !reasons.includes(text(validation['reason']))) {
    out.push(notSupported(`${path}.reason`, validation['reason'], reasons));
  }
}

function checkAuditAnnotations(
  out: Errors,
  policy: KubeObject,
  annotations: readonly JsonObject[],
  scope: PolicyScope,
): void {
  const path = 'spec.auditAnnotations';
  const keys = new Set<string>();
  if (annotations.length > 20) out.push(invalid(path, annotations, 'must not have more than 20 auditAnnotations'));
  annotations.forEach((annotation, i) => {
    const key = text(annotation['key']);
    const { name = '' } = policy.metadata;
    if (name === '') out.push(invalid(`${path}[${i}].key`, key, 'requires metadata.name be non-empty'));
    else checkQualifiedName(out, `${path}[${i}].key`, `${name}/${key}`);
    const expression = text(annotation['valueExpression']);
    const at = `${path}[${i}].valueExpression`;
    if (expression.trim() === '') out.push(required(at, 'valueExpression is not specified'));
    else if (Buffer.byteLength(expression.trim()) > MAX_VALUE_EXPRESSION)
      out.push(required(at, `must not exceed ${MAX_VALUE_EXPRESSION} bytes in length`));
    else {
      const options = { ...optionsOf(scope), hasAuthorizer: true };
      checkCompiled(out, at, expression, compileExpression(expression.trim(), [stringType, nullType], options));
    }
    if (keys.has(key)) out.push(duplicate(`${path}[${i}].key`, key));
    keys.add(key);
  });
}

function checkShared(out: Errors, spec: Readonly<JsonObject>, scope: PolicyScope): void {
  checkEnum(out, 'spec.failurePolicy', spec['failurePolicy'], FAILURE_POLICIES);
  checkParamKind(out, 'spec.paramKind', spec['paramKind']);
  const constraints = record(spec['matchConstraints']);
  if (!constraints) out.push(required('spec.matchConstraints'));
  else {
    checkMatchResources(out, 'spec.matchConstraints', constraints);
    if (records(constraints['resourceRules']).length === 0) out.push(required('spec.matchConstraints.resourceRules'));
  }
  checkMatchConditions(out, 'spec.matchConditions', spec['matchConditions'], spec['paramKind'] !== undefined);
  checkVariables(out, 'spec.variables', spec['variables'], scope);
}

function validatePolicy(policy: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(policy['spec']);
  const scope = scopeOf(spec);
  checkShared(out, spec, scope);
  const validations = records(spec['validations']);
  const annotations = records(spec['auditAnnotations']);
  if (validations.length === 0 && annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    out.push(required('spec.validations', detail), required('spec.auditAnnotations', detail));
    return out;
  }
  validations.forEach((validation, i) => checkValidation(out, `spec.validations[${i}]`, validation, scope));
  checkAuditAnnotations(out, policy, annotations, scope);
  return out;
}

function defaultPolicy(policy: KubeObject): void {
  const spec = ensure(policy, 'spec');
  defaultTo(spec, 'failurePolicy', 'Fail');
  defaultMatchResources(spec['matchConstraints']);
}

/** Strategy of validating admission policies. */
export const validatingPolicyStrategy: ResourceStrategy = specAndStatus(
  {},
  {
    allowUnconditionalUpdate: false,
    applyDefaults: defaultPolicy,
    validate: validatePolicy,
    validateUpdate: validatePolicy,
    subresources: { status: statusUpdate(undefined, keepMetadata) },
  },
);

function validateMutatingPolicy(policy: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(policy['spec']);
  const scope = scopeOf(spec);
  checkShared(out, spec, scope);
  if (records(spec['mutations']).length === 0)
    out.push(required('spec.mutations', 'mutations must contain at least one item'));
  return out;
}

/** Strategy of mutating admission policies. */
export const mutatingPolicyStrategy: ResourceStrategy = counted(['spec'], {
  allowUnconditionalUpdate: false,
  applyDefaults: defaultPolicy,
  validate: validateMutatingPolicy,
  validateUpdate: validateMutatingPolicy,
});

function checkParamRef(out: Errors, path: string, value: unknown): void {
  const ref = record(value);
  if (!ref) return;
  const name = text(ref['name']);
  const selector = record(ref['selector']);
  const exclusive = 'name and selector are mutually exclusive';
  if (name !== '') {
    checkText(out, `${path}.name`, name, pathSegmentErrors(name));
    if (selector) out.push(forbidden(`${path}.name`, exclusive));
  }
  if (selector) {
    checkLabelSelector(out, `${path}.selector`, selector);
    if (name !== '') out.push(forbidden(`${path}.selector`, exclusive));
  }
  if (name === '' && !selector) out.push(required(path, 'one of name or selector must be specified'));
  const action = text(ref['parameterNotFoundAction']);
  if (action === '') out.push(required(`${path}.parameterNotFoundAction`));
  else if (action !== 'Deny' && action !== 'Allow')
    out.push(notSupported(`${path}.parameterNotFoundAction`, typedText(action), ['Deny', 'Allow']));
}

const ACTIONS = ['Audit', 'Deny', 'Warn'];

function checkActions(out: Errors, path: string, actions: readonly string[]): void {
  actions.forEach((action, i) => {
    if (!ACTIONS.includes(action)) out.push(notSupported(`${path}[${i}]`, typedText(action), ACTIONS));
    if (actions.indexOf(action) !== i) out.push(duplicate(`${path}[${i}]`, action));
  });
  if (actions.includes('Deny') && actions.includes('Warn')) {
    const reason =
      'repeating the same validation failure information in the API response and headers serves no purpose';
    out.push(invalid(path, actions, `must not contain both Deny and Warn (${reason})`));
  }
  if (actions.length === 0) out.push(required(path, 'at least one validation action is required'));
}

function binding(validating: boolean): ResourceStrategy {
  const validate = (obj: KubeObject): FieldError[] => {
    const out: Errors = [];
    const spec = fields(obj['spec']);
    const name = text(spec['policyName']);
    if (name === '') out.push(required('spec.policyName'));
    else checkSubdomain(out, 'spec.policyName', name);
    checkParamRef(out, 'spec.paramRef', spec['paramRef']);
    checkMatchResources(out, 'spec.matchResources', spec['matchResources']);
    if (validating) checkActions(out, 'spec.validationActions', texts(spec['validationActions']));
    return out;
  };
  return counted(['spec'], {
    allowUnconditionalUpdate: false,
    applyDefaults: (obj) => defaultMatchResources(ensure(obj, 'spec')['matchResources']),
    validate,
    validateUpdate: validate,
  });
}

/** Strategy of bindings of validating policies. */
export const validatingBindingStrategy = binding(true);
/** Strategy of bindings of mutating policies. */
export const mutatingBindingStrategy = binding(false);
