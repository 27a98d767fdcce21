import {
  authorizerType,
  compile,
  dynType,
  formatType,
  isError,
  kubernetesEnv,
  resourceCheckType,
  sameType,
  type Activation,
  type CelEnv,
  type CelError,
  type CelProgram,
  type CelType,
  type CelValue,
  type CostBudget,
} from '@capstan/schema';
import { namespaceType, requestType } from './request-types.js';

/** What an expression of admission may speak of besides objects, request and namespace. */
export interface ExpressionOptions {
  readonly hasParams?: boolean;
  readonly hasAuthorizer?: boolean;
  /** The type of `variables`, for policies that declare some. */
  readonly variables?: CelType;
}

/** What all match conditions of one webhook or policy may cost together. */
export const MATCH_CONDITIONS_BUDGET = 2_500_000;
/** What all expressions of one policy may cost together. */
export const POLICY_BUDGET = 10_000_000;

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

const base = kubernetesEnv.extend({
  variables: { object: dynType, oldObject: dynType, namespaceObject: namespaceType, request: requestType },
});
const environments = new Map<string, CelEnv>();

/** The environment of admission expressions. */
export function admissionEnv({ hasParams, hasAuthorizer, variables }: ExpressionOptions): CelEnv {
  const key = `${hasParams === true}/${hasAuthorizer === true}`;
  let env = environments.get(key);
  if (env === undefined) {
    env = base.extend({
      variables: {
        ...(hasParams === true ? { params: dynType } : {}),
        ...(hasAuthorizer === true
          ? { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType }
          : {}),
      },
    });
    environments.set(key, env);
  }
  return variables === undefined ? env : env.extend({ variables: { variables } });
}

/** Why an expression cannot be used. `isInternal`: not the author's fault. */
export interface ExpressionError {
  readonly error: string;
  readonly isInternal: boolean;
}

/** An expression of a known result type, ready to run. */
export interface AdmissionExpression {
  readonly source: string;
  readonly program: CelProgram;
}

/** Compiles an expression that must give one of the types; no types: any will do. */
export function compileExpression(
  source: string,
  results: readonly CelType[],
  options: ExpressionOptions,
): AdmissionExpression | ExpressionError {
  const { program, message, failure } = compile(source, admissionEnv(options));
  if (failure !== undefined) return { error: `program instantiation failed: ${failure}`, isInternal: true };
  if (program === undefined) return { error: `compilation failed: ${message}`, isInternal: false };
  const { outputType } = program;
  if (results.length > 0 && !results.some((type) => sameType(type, outputType))) {
    const names = results.map((type) => formatType(type));
    const wanted = names.length === 1 ? (names[0] ?? '') : `one of [${names.join(' ')}]`;
    return { error: `must evaluate to ${wanted} but got ${formatType(outputType)}`, isInternal: false };
  }
  return { source, program };
}

/** What an expression came to. `isFatal`: nothing further may be evaluated. */
export type Evaluated = { readonly value: CelValue } | { readonly error: string; readonly isFatal: boolean };

/** Runs an expression within what is left of a budget. */
export function evaluate(
  expression: AdmissionExpression | ExpressionError,
  activation: Activation,
  budget: CostBudget,
): Evaluated {
  if ('error' in expression) return { error: `compilation error: ${expression.error}`, isFatal: false };
  const value = expression.program.evaluate(activation, budget);
  if (budget.remaining < 0) return { error: OUT_OF_BUDGET, isFatal: true };
  if (!isError(value)) return { value };
  const reason = `expression '${expression.source}' resulted in error: ${(value as CelError).message}`;
  return { error: reason, isFatal: false };
}
