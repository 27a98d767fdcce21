import { compileLabelSelector, type KubeObject, type LabelMatcher, type LabelSelector } from '@capstan/meta';
import {
  Composition,
  boolType,
  compileExpression,
  nullType,
  stringType,
  type AdmissionExpression,
  type ExpressionError,
  type VariableSpec,
} from '@capstan/schema';
import { MatchConditions, type MatchCondition } from '../cel/match-conditions.js';
import type { WebhookRule } from '../webhooks/webhook.js';

/** A rule that may be narrowed to names. */
export interface NamedRule extends WebhookRule {
  readonly resourceNames?: readonly string[];
}

interface MatchResources {
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly resourceRules?: readonly NamedRule[];
  readonly excludeResourceRules?: readonly NamedRule[];
}

/** Which requests a policy or a binding speaks of. */
export interface Constraints {
  readonly rules: readonly NamedRule[];
  readonly exceptions: readonly NamedRule[];
  readonly matchesEquivalent: boolean;
  readonly namespaceSelector: LabelMatcher;
  readonly objectSelector: LabelMatcher;
}

export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Which objects are the parameters of a binding. */
export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelector;
  readonly parameterNotFoundAction?: string;
}

type Compiled = AdmissionExpression | ExpressionError;

interface ValidationSpec {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

export interface Validation {
  readonly spec: ValidationSpec;
  readonly expression: Compiled;
  readonly messageExpression: Compiled | undefined;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly source: string;
  readonly expression: Compiled;
}

/** A policy, ready to be evaluated. */
export interface Policy {
  readonly name: string;
  /** What goes wrong passes. */
  readonly failsOpen: boolean;
  readonly constraints: Constraints;
  readonly conditions: MatchConditions;
  readonly paramKind: ParamKind | undefined;
  readonly composition: Composition;
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly AuditAnnotation[];
}

/** A binding, ready to be matched. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  readonly constraints: Constraints;
  readonly paramRef: ParamRef | undefined;
  readonly actions: readonly string[];
}

interface PolicySpec {
  readonly failurePolicy?: string;
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly VariableSpec[];
  readonly validations?: readonly ValidationSpec[];
  readonly auditAnnotations?: readonly { readonly key: string; readonly valueExpression: string }[];
}

interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
  readonly validationActions?: readonly string[];
}

function constraintsOf(resources: MatchResources = {}): Constraints {
  return {
    rules: resources.resourceRules ?? [],
    exceptions: resources.excludeResourceRules ?? [],
    matchesEquivalent: resources.matchPolicy === 'Equivalent',
    namespaceSelector: compileLabelSelector(resources.namespaceSelector ?? {}),
    objectSelector: compileLabelSelector(resources.objectSelector ?? {}),
  };
}

/** Compiles a policy; what does not compile fails when it is evaluated. */
export function compilePolicy(object: KubeObject): Policy {
  const spec = object['spec'] as PolicySpec;
  const { paramKind, variables = [], validations = [], auditAnnotations = [] } = spec;
  const hasParams = paramKind !== undefined;
  const composition = new Composition(variables, { hasParams });
  const scope = { hasParams, variables: composition.type };
  const failsOpen = spec.failurePolicy === 'Ignore';
  return {
    name: object.metadata.name ?? '',
    failsOpen,
    constraints: constraintsOf(spec.matchConstraints),
    conditions: new MatchConditions(spec.matchConditions ?? [], {
      ignoresErrors: failsOpen,
      hasParams,
      variables: composition.type,
    }),
    paramKind,
    composition,
    validations: validations.map((validation) => ({
      spec: validation,
      expression: compileExpression(validation.expression, [boolType], { ...scope, hasAuthorizer: true }),
      messageExpression:
        validation.messageExpression === undefined || validation.messageExpression === ''
          ? undefined
          : compileExpression(validation.messageExpression, [stringType], scope),
    })),
    auditAnnotations: auditAnnotations.map(({ key, valueExpression }) => ({
      key,
      source: valueExpression,
      expression: compileExpression(valueExpression, [stringType, nullType], { ...scope, hasAuthorizer: true }),
    })),
  };
}

/** Reads a binding. */
export function compileBinding(object: KubeObject): Binding {
  const { policyName = '', paramRef, matchResources, validationActions = [] } = object['spec'] as BindingSpec;
  return {
    name: object.metadata.name ?? '',
    policyName,
    constraints: constraintsOf(matchResources),
    paramRef,
    actions: validationActions,
  };
}
