/** The CEL implementation behind {@link RuleEngine}. */
import { kubernetesEnv } from '../cel/env.js';
import { type CelProgram, compile } from '../cel/program.js';
import { type CelType, boolType, optionalType, stringType } from '../cel/types.js';
import { CelError, CelOptional } from '../cel/values.js';
import type { CompiledExpression, Expression, Outcome, RuleEngine } from './rule-engine.js';

class CelExpression implements Expression {
  readonly usesOldSelf: boolean;
  readonly #program: CelProgram;
  readonly #optional: boolean;

  constructor(program: CelProgram, optional: boolean) {
    this.#program = program;
    this.#optional = optional;
    this.usesOldSelf = program.usesVariable('oldSelf');
  }

  maxCost(): number {
    return 0;
  }

  evaluate(self: unknown, old: unknown): Outcome {
    const budget = { remaining: 0 };
    const oldSelf = this.#optional ? new CelOptional(old) : old;
    const value = this.#program.evaluate({ self, oldSelf }, budget);
    const cost = -budget.remaining;
    return value instanceof CelError ? { error: value.message, cost } : { value, cost };
  }
}

function compileTo(
  text: string,
  self: CelType,
  optional: boolean,
  result: CelType,
  words: { readonly prefix: string; readonly wrongType: string },
): CompiledExpression {
  const env = kubernetesEnv.extend({ variables: { self, oldSelf: optional ? optionalType(self) : self } });
  const { program, message, failure } = compile(text, env);
  if (failure !== undefined) return { error: `${words.prefix}${failure}` };
  if (program === undefined) return { error: `${words.prefix}compilation failed: ${message}` };
  if (program.outputType.kind !== result.kind) return { error: words.wrongType };
  return { expression: new CelExpression(program, optional) };
}

/** Compiles with everything the API server offers to rules. */
export const celEngine: RuleEngine = {
  compileRule: (text, self, optional) =>
    compileTo(text, self, optional, boolType, { prefix: '', wrongType: 'cel expression must evaluate to a bool' }),
  compileMessage: (text, self, optional) =>
    compileTo(text, self, optional, stringType, {
      prefix: 'messageExpression ',
      wrongType: 'messageExpression must evaluate to a string',
    }),
};
