import type { CelEnv } from '../cel/library/env.js';
import { kubernetesEnv } from '../cel/library/env.js';
import { authorizerType, resourceCheckType } from '../cel/library/kinds.js';
import { compile, type Activation, type CelProgram, type CostBudget } from '../cel/program.js';
import { dynType, formatType, sameType, type CelType } from '../cel/types/types.js';
import { isError, type CelError, type CelValue } from '../cel/values/values.js';
import { namespaceType, requestType } from './request-types.js';

/** What an expression of admission may speak of besides objects, request and namespace. */
export interface ExpressionOptions {
  readonly hasParams?: boolean;
  readonly hasAuthorizer?: boolean;
  /** The type of `variables`, for policies that declare some. */
  readonly variables?: CelType;
  /** What `object`, `oldObject` and `params` are where that is known beforehand. */
  readonly known?: { readonly object?: CelType | undefined; readonly params?: CelType | undefined };
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
function admissionEnv({ hasParams, hasAuthorizer, variables, known }: ExpressionOptions): CelEnv {
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
  if (variables === undefined && known === undefined) return env;
  const { object, params } = known ?? {};
  return env.extend({
    variables: {
      ...(variables === undefined ? {} : { variables }),
      ...(object === undefined ? {} : { object, oldObject: object }),
      ...(params === undefined ? {} : { params }),
    },
  });
}

/** The type error of an expression, in the words of the checker; undefined when there is none. */
export function typeIssues(source: string, options: ExpressionOptions): string | undefined {
  const { program, message, failure } = compile(source, admissionEnv(options));
  return program === undefined && failure === undefined ? message : undefined;
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
    const names = results.map(typeText);
    const wanted = names.length === 1 ? (names[0] ?? '') : `one of [${names.join(' ')}]`;
    return { error: `must evaluate to ${wanted} but got ${typeText(outputType)}`, isInternal: false };
  }
  return { source, program };
}

/** Null is called by another name here than by the checker. */
function typeText(type: CelType): string {
  return type.kind === 'null' ? type.name : formatType(type);
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
