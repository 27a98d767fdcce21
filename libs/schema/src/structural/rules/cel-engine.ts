/** The CEL implementation behind {@link RuleEngine}. */
import { estimateCost } from '../../cel/cost/estimate.js';
import { declaredSizes } from '../../cel/cost/sizes.js';
import { fromData } from '../../cel/values/data.js';
import { kubernetesEnv } from '../../cel/library/env.js';
import { type CelProgram, compile } from '../../cel/program.js';
import { type CelType, boolType, optionalType, stringType } from '../../cel/types/types.js';
import { CelError, optionalNone, optionalOf } from '../../cel/values/values.js';
import type { CompiledExpression, Expression, Outcome, RuleEngine } from './engine.js';

class CelExpression implements Expression {
  readonly usesOldSelf: boolean;
  readonly #program: CelProgram;
  readonly #self: CelType;
  readonly #optional: boolean;

  constructor(program: CelProgram, self: CelType, optional: boolean) {
    this.#program = program;
    this.#self = self;
    this.#optional = optional;
    this.usesOldSelf = program.usesVariable('oldSelf');
  }

  maxCost(): number {
    return estimateCost(this.#program.ast, declaredSizes(this.#self)).max;
  }

  evaluate(self: unknown, old: unknown): Outcome {
    const budget = { remaining: 0 };
    // The old value is wrapped, so it has to be read by its type here.
    const oldSelf = !this.#optional ? old : old === undefined ? optionalNone : optionalOf(fromData(old, this.#self));
    const value = this.#program.evaluate({ self, oldSelf }, budget);
    const cost = -budget.remaining;
    return value instanceof CelError ? { error: value.message, cost } : { value, cost };
  }
}

/** What an expression is for: the type it must yield, and how complaints about it are worded. */
interface Purpose {
  readonly result: CelType;
  readonly prefix: string;
  readonly wrongType: string;
}

const rulePurpose: Purpose = { result: boolType, prefix: '', wrongType: 'cel expression must evaluate to a bool' };
const messagePurpose: Purpose = {
  result: stringType,
  prefix: 'messageExpression ',
  wrongType: 'messageExpression must evaluate to a string',
};

function compileFor(purpose: Purpose, text: string, self: CelType, optional: boolean): CompiledExpression {
  const env = kubernetesEnv.extend({ variables: { self, oldSelf: optional ? optionalType(self) : self } });
  const { program, message, failure } = compile(text, env);
  if (failure !== undefined) return { error: `${purpose.prefix}program instantiation failed: ${failure}` };
  if (program === undefined) return { error: `${purpose.prefix}compilation failed: ${message}` };
  if (program.outputType.kind !== purpose.result.kind) return { error: purpose.wrongType };
  return { expression: new CelExpression(program, self, optional) };
}

/** Compiles with everything the API server offers to rules. */
export const celEngine: RuleEngine = {
  compileRule: (text, self, optional) => compileFor(rulePurpose, text, self, optional),
  compileMessage: (text, self, optional) => compileFor(messagePurpose, text, self, optional),
};
