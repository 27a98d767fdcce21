/** Compiling expressions and running them within a budget. */
import type { CelNode } from './syntax/ast.js';
import { Checker } from './check/checker.js';
import type { CelEnv } from './library/env.js';
import { Aborted, costLimitMessage } from './values/frame.js';
import type { Code, Frame } from './values/frame.js';
import { formatIssues } from './syntax/issues.js';
import type { CelIssue } from './syntax/issues.js';
import { parse } from './syntax/parse.js';
import { PlanError } from './plan/plan.js';
import { Planner } from './plan/planner.js';
import { tooDeepMessage } from './syntax/syntax.js';
import { dynType } from './types/types.js';
import type { CelType } from './types/types.js';
import { validateAst } from './check/validators.js';
import { CelError } from './values/values.js';
import type { CelValue } from './values/values.js';

/** What one expression may cost before it is cancelled. */
export const perExpressionLimit = 1_000_000;
/** What all expressions on one object may cost together. */
export const perObjectBudget = 10_000_000;

/** Values of the variables by name: JSON, or values CEL made. A getter inside of one is read when the expression gets there. */
export type Activation = Readonly<Record<string, unknown>>;

/** What is left to spend; every evaluation subtracts what it cost, even below zero. */
export interface CostBudget {
  remaining: number;
}

/** A checked expression, ready to run. */
export class CelProgram {
  readonly source: string;
  readonly ast: CelNode;
  readonly outputType: CelType;
  readonly #code: Code;
  readonly #variables: readonly string[];
  readonly #slots: number;

  constructor(source: string, ast: CelNode, code: Code, planner: Planner) {
    this.source = source;
    this.ast = ast;
    this.outputType = ast.type ?? dynType;
    this.#code = code;
    this.#variables = planner.variables;
    this.#slots = planner.slots;
  }

  /** Whether the expression refers to the variable. */
  usesVariable(name: string): boolean {
    return this.#variables.includes(name);
  }

  /** The value, or the error it ended in. The budget is charged; the limit bounds this evaluation alone. */
  evaluate(activation: Activation, budget?: CostBudget, limit: number = perExpressionLimit): CelValue {
    const names = this.#variables;
    const vars: unknown[] = [];
    for (let at = 0; at < names.length; at++) {
      const name = names[at] as string;
      vars.push(Object.hasOwn(activation, name) ? activation[name] : undefined);
    }
    const frame: Frame = {
      vars,
      slots: this.#slots === 0 ? noSlots : new Array<CelValue>(this.#slots),
      cost: 0,
      limit,
    };
    let value: CelValue;
    try {
      value = this.#code(frame);
      if (frame.cost > limit) value = new CelError(costLimitMessage);
    } catch (error) {
      if (!(error instanceof Aborted)) throw error;
      value = new CelError(error.message);
    }
    if (budget !== undefined) budget.remaining -= frame.cost;
    return value;
  }
}

const noSlots: CelValue[] = [];

/** A program, or why there is none. */
export interface Compiled {
  readonly program: CelProgram | undefined;
  readonly issues: readonly CelIssue[];
  /** The issues as the server prints them, empty when there are none. */
  readonly message: string;
  /** The expression is well typed, but a constant in it cannot be: `program instantiation failed: …`. */
  readonly failure?: string;
}

function refused(source: string, issues: readonly CelIssue[]): Compiled {
  return { program: undefined, issues, message: formatIssues(source, issues) };
}

function compileChecked(source: string, env: CelEnv): Compiled {
  const { node, issues } = parse(source, env.syntax);
  if (node === undefined) return refused(source, issues);
  const checker = new Checker(env);
  checker.checkAll(node);
  if (checker.issues.length > 0) return refused(source, checker.issues);
  const complaints = validateAst(node);
  if (complaints.length > 0) return refused(source, complaints);
  const planner = new Planner(env.functions, env.variables);
  const code = planner.code(node);
  return { program: new CelProgram(source, node, code, planner), issues: [], message: '' };
}

/** Parses, checks and plans an expression. */
export function compile(source: string, env: CelEnv): Compiled {
  try {
    return compileChecked(source, env);
  } catch (error) {
    if (error instanceof PlanError) return { program: undefined, issues: [], message: '', failure: error.message };
    // The stack ran out before the limits of the grammar took hold.
    if (error instanceof RangeError) return refused(source, [{ offset: -1, message: tooDeepMessage }]);
    throw error;
  }
}
