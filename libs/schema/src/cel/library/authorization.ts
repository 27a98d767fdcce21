/** Authorization checks of admission policies. Who may do what is asked of an injected authorizer. */
import { checkDns1123Label, checkDns1123Subdomain } from '@capstan/meta';
import { method } from './declarations.js';
import type { FunctionDeclaration, Implementation } from './declarations.js';
import { noOverload } from '../values/order.js';
import { boolType, stringType } from '../types/types.js';
import type { CelType } from '../types/types.js';
import { CelError, CelOpaque } from '../values/values.js';
import type { CelValue } from '../values/values.js';
import { authorizerType, decisionType, groupCheckType, pathCheckType, resourceCheckType } from './kinds.js';

/** One question to an authorizer. */
export interface AuthorizationQuestion {
  readonly verb: string;
  /** Set for questions about paths. */
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Ask for this service account instead of the user of the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

/** The answer to a question. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

/** Decides what the user of the request may do. */
export type Authorizer = (question: AuthorizationQuestion) => AuthorizationDecision;

type Question = Omit<AuthorizationQuestion, 'verb'>;

class CelCheck extends CelOpaque {
  readonly typeName: string;
  readonly ask: Authorizer;
  readonly question: Question;
  constructor(typeName: string, ask: Authorizer, question: Question) {
    super();
    this.typeName = typeName;
    this.ask = ask;
    this.question = question;
  }
  equals(other: CelOpaque): boolean {
    return other instanceof CelCheck && JSON.stringify(other.question) === JSON.stringify(this.question);
  }
  /** The next kind of check with more of the question known. */
  with(type: CelType, more: Question): CelCheck {
    return new CelCheck(type.name, this.ask, { ...this.question, ...more });
  }
}

class CelDecision extends CelOpaque {
  readonly typeName = decisionType.name;
  readonly decision: AuthorizationDecision;
  constructor(decision: AuthorizationDecision) {
    super();
    this.decision = decision;
  }
  equals(other: CelOpaque): boolean {
    return other === this;
  }
}

/** The value of the variable `authorizer`. */
export function authorizerValue(ask: Authorizer): CelValue {
  return new CelCheck(authorizerType.name, ask, {});
}

/** The value of the variable `authorizer.requestResource`. */
export function resourceAuthorizerValue(
  ask: Authorizer,
  request: Omit<AuthorizationQuestion, 'verb' | 'path'>,
): CelValue {
  return new CelCheck(resourceCheckType.name, ask, request);
}

interface Step {
  readonly id: string;
  readonly from: CelType;
  readonly to: CelType;
}

function step(name: string, { id, from, to }: Step, more: (value: string) => Question | CelError): FunctionDeclaration {
  const run: Implementation = (check, value) => {
    if (!(check instanceof CelCheck) || typeof value !== 'string') return noOverload;
    const question = more(value);
    return question instanceof CelError ? question : check.with(to, question);
  };
  return { name, overloads: [method(id, [from, stringType], to, run)] };
}

function nonBlank(what: string, value: string, question: Question): Question | CelError {
  return value.trim() === '' ? new CelError(`${what} must not be empty`) : question;
}

const asServiceAccount: Implementation = (check, namespace, name) => {
  if (!(check instanceof CelCheck) || typeof namespace !== 'string' || typeof name !== 'string') return noOverload;
  if (checkDns1123Subdomain(name).length > 0) return new CelError('Invalid service account name');
  if (checkDns1123Label(namespace).length > 0) return new CelError('Invalid service account namespace');
  return check.with(authorizerType, { serviceAccount: { namespace, name } });
};

const ask: Implementation = (check, verb) =>
  check instanceof CelCheck && typeof verb === 'string'
    ? new CelDecision(check.ask({ ...check.question, verb }))
    : noOverload;

function part(name: string, type: CelType, get: (decision: AuthorizationDecision) => CelValue): FunctionDeclaration {
  const run: Implementation = (value) => (value instanceof CelDecision ? get(value.decision) : noOverload);
  return { name, overloads: [method(`decision_${name}`, [decisionType], type, run)] };
}

const resource = resourceCheckType;

/** Functions on `authorizer`. */
export const authorizationFunctions: readonly FunctionDeclaration[] = [
  step('path', { id: 'authorizer_path', from: authorizerType, to: pathCheckType }, (path) =>
    nonBlank('path', path, { path }),
  ),
  step('group', { id: 'authorizer_group', from: authorizerType, to: groupCheckType }, (group) => ({
    group,
  })),
  {
    name: 'serviceAccount',
    overloads: [
      method('authorizer_serviceaccount', [authorizerType, stringType, stringType], authorizerType, asServiceAccount),
    ],
  },
  step('resource', { id: 'groupcheck_resource', from: groupCheckType, to: resource }, (name) =>
    nonBlank('resource', name, { resource: name }),
  ),
  step('subresource', { id: 'resourcecheck_subresource', from: resource, to: resource }, (subresource) => ({
    subresource,
  })),
  step('namespace', { id: 'resourcecheck_namespace', from: resource, to: resource }, (namespace) => ({ namespace })),
  step('name', { id: 'resourcecheck_name', from: resource, to: resource }, (name) => ({ name })),
  step('fieldSelector', { id: 'authorizer_fieldselector', from: resource, to: resource }, (fieldSelector) => ({
    fieldSelector,
  })),
  step('labelSelector', { id: 'authorizer_labelselector', from: resource, to: resource }, (labelSelector) => ({
    labelSelector,
  })),
  {
    name: 'check',
    overloads: [
      method('pathcheck_check', [pathCheckType, stringType], decisionType, ask),
      method('resourcecheck_check', [resourceCheckType, stringType], decisionType, ask),
    ],
  },
  part('errored', boolType, ({ error }) => error !== undefined),
  part('error', stringType, ({ error }) => error ?? ''),
  part('allowed', boolType, ({ allowed }) => allowed),
  part('reason', stringType, ({ reason }) => reason),
];
