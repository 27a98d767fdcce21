/** What running rules needs of a CEL implementation. */
import type { CelType } from '../../cel/types/types.js';

/** What an expression came to: a value or an error, and what that cost. */
export interface Outcome {
  readonly value?: unknown;
  /** The error's text, for example `no such key: x`. */
  readonly error?: string;
  readonly cost: number;
}

/** A compiled expression over `self` and `oldSelf`. */
export interface Expression {
  readonly usesOldSelf: boolean;
  /** The worst case by the declared sizes. */
  maxCost(): number;
  /** Without an old value `oldSelf` is absent, or an empty optional where it is one. */
  evaluate(self: unknown, oldSelf: unknown): Outcome;
}

/** An expression, or the complaint about its text as the server words it. */
export type CompiledExpression = { readonly expression: Expression } | { readonly error: string };

/** Compiles the expressions of rules. */
export interface RuleEngine {
  /** Compiles a rule, which must yield a boolean. */
  compileRule(text: string, self: CelType, optionalOldSelf: boolean): CompiledExpression;
  /** Compiles a message expression, which must yield a string. */
  compileMessage(text: string, self: CelType, optionalOldSelf: boolean): CompiledExpression;
}

/** All rules on one object together may cost this much. */
export const perObjectBudget = 10_000_000;
