import { formatGvk, type GroupVersionKind } from '@capstan/meta';
import type { CelType } from '../cel/types/types.js';
import { Composition, type VariableSpec } from './composition.js';
import { typeIssues, type ExpressionOptions } from './expression.js';

/** A kind that a policy speaks of; without a type nothing is known of it. */
export interface TypedKind {
  readonly gvk: GroupVersionKind;
  readonly type: CelType | undefined;
}

/** What of a policy can be checked. */
export interface CheckedPolicy {
  readonly validations?: readonly { readonly expression: string; readonly messageExpression?: string }[];
  readonly variables?: readonly VariableSpec[];
  readonly paramKind?: unknown;
}

/** An expression that does not fit the types of what it speaks of. */
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/**
 * Checks the expressions of a policy against the types of the kinds it matches. Policies are evaluated without types:
 * a warning changes nothing about what they do.
 */
export function typeCheckPolicy(
  policy: CheckedPolicy,
  kinds: readonly TypedKind[],
  params: CelType | undefined,
): ExpressionWarning[] {
  const hasParams = policy.paramKind !== undefined;
  const scopes = kinds.map(({ gvk, type }) => ({
    gvk,
    options: optionsFor(policy, { object: type, params }, hasParams),
  }));
  const check = (fieldRef: string, expression: string | undefined): ExpressionWarning[] => {
    if (expression === undefined || expression === '') return [];
    const found = scopes.flatMap(({ gvk, options }) => {
      const issues = typeIssues(expression, options);
      return issues === undefined ? [] : [`${formatGvk(gvk)}: ${issues}\n`];
    });
    return found.length === 0 ? [] : [{ fieldRef, warning: found.join('\n') }];
  };
  return (policy.validations ?? []).flatMap(({ expression, messageExpression }, index) => [
    ...check(`spec.validations[${index}].expression`, expression),
    ...check(`spec.validations[${index}].messageExpression`, messageExpression),
  ]);
}

function optionsFor(
  { variables = [] }: CheckedPolicy,
  known: NonNullable<ExpressionOptions['known']>,
  hasParams: boolean,
): ExpressionOptions {
  const scope = { hasParams, hasAuthorizer: true, known };
  return { ...scope, variables: new Composition(variables, scope).type };
}
