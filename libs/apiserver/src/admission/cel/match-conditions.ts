import {
  MATCH_CONDITIONS_BUDGET,
  boolType,
  compileExpression,
  evaluate,
  type Activation,
  type AdmissionExpression,
  type CelType,
  type CostBudget,
  type ExpressionError,
} from '@capstan/schema';

/** A condition as configurations write it. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** What conditions say about a request. */
export type MatchVerdict =
  | { readonly matches: true }
  /** `failedCondition`: the one that was false; absent when errors were to be ignored. */
  | { readonly matches: false; readonly failedCondition?: string }
  | { readonly error: string };

interface CompiledCondition {
  readonly name: string;
  readonly expression: AdmissionExpression | ExpressionError;
}

/** The match conditions of one webhook or policy. All must hold. */
export class MatchConditions {
  readonly #conditions: readonly CompiledCondition[];
  readonly #ignoresErrors: boolean;

  constructor(
    conditions: readonly MatchCondition[],
    options: { ignoresErrors: boolean; hasParams?: boolean; variables?: CelType },
  ) {
    const { ignoresErrors, hasParams = false, variables } = options;
    this.#ignoresErrors = ignoresErrors;
    this.#conditions = conditions.map(({ name, expression }) => ({
      name,
      expression: compileExpression(expression, [boolType], {
        hasParams,
        hasAuthorizer: true,
        ...(variables === undefined ? {} : { variables }),
      }),
    }));
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  /** A condition that is false decides, whatever went wrong with others. What is given may itself cost. */
  match(given: Activation | ((budget: CostBudget) => Activation), onError: () => void): MatchVerdict {
    const budget = { remaining: MATCH_CONDITIONS_BUDGET };
    const activation = typeof given === 'function' ? given(budget) : given;
    const errors: string[] = [];
    for (const { name, expression } of this.#conditions) {
      const outcome = evaluate(expression, activation, budget);
      if ('value' in outcome) {
        if (outcome.value === false) return { matches: false, failedCondition: name };
        continue;
      }
      onError();
      if (outcome.isFatal) return this.#failed([outcome.error]);
      errors.push(outcome.error);
    }
    return errors.length === 0 ? { matches: true } : this.#failed(errors);
  }

  #failed(errors: readonly string[]): MatchVerdict {
    if (this.#ignoresErrors) return { matches: false };
    const unique = [...new Set(errors)];
    return { error: unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]` };
  }
}
