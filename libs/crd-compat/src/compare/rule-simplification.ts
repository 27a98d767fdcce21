/** Rules without what is always true or false for objects of the requirement: the rest comes to the same. */
import { type CallNode, type CelNode, type FoldNode } from '@capstan/schema';
import { FALSE, TRUE } from './outcomes.js';
import { type Scope, itemScope, outcomesOf } from './rule-outcomes.js';

/** Where an expression stands. */
export interface Context {
  /** Undefined where nothing is known of the variables. */
  readonly scope: Scope | undefined;
  /** The variable whose members are asked for. */
  readonly variable: string;
}

/** The arguments of a call, its target first. */
export function argumentsOf(node: CallNode): readonly CelNode[] {
  return node.target === undefined ? node.args : [node.target, ...node.args];
}

function comesTo(node: CelNode, outcome: number, { scope, variable }: Context): boolean {
  return scope !== undefined && outcomesOf(node, scope, variable) === outcome;
}

/** Whether a condition is true for every object of the requirement. */
export function isCertain(node: CelNode, context: Context): boolean {
  return comesTo(node, TRUE, context);
}

/** Where the predicate of a comprehension stands. */
export function innerContext(node: FoldNode, { scope }: Context): Context {
  const inner = scope && node.iterVar2 === '' ? itemScope(node, scope) : undefined;
  return { scope: inner, variable: node.iterVar };
}

/** A condition of two, one of which changes nothing. */
function withoutNeutral(node: CallNode, neutral: number, context: Context): CelNode {
  const [left, right] = argumentsOf(node);
  if (left === undefined || right === undefined) return node;
  if (comesTo(left, neutral, context)) return simplified(right, context);
  if (comesTo(right, neutral, context)) return simplified(left, context);
  return { ...node, target: undefined, args: [simplified(left, context), simplified(right, context)] };
}

function simplifiedCall(node: CallNode, context: Context): CelNode {
  if (node.fn === '_&&_') return withoutNeutral(node, TRUE, context);
  if (node.fn === '_||_') return withoutNeutral(node, FALSE, context);
  if (node.fn !== '_?_:_') return node;
  const [condition, yes, no] = argumentsOf(node);
  if (condition === undefined || yes === undefined || no === undefined) return node;
  if (comesTo(condition, TRUE, context)) return simplified(yes, context);
  if (comesTo(condition, FALSE, context)) return simplified(no, context);
  return { ...node, target: undefined, args: [condition, yes, no].map((part) => simplified(part, context)) };
}

/** The place of the predicate among the arguments of the step. */
const predicateAt: Readonly<Record<string, number>> = { all: 1, exists: 1, existsOne: 0 };

function simplifiedFold(node: FoldNode, context: Context): CelNode {
  const at = predicateAt[node.macro];
  if (at === undefined || node.step.kind !== 'call') return node;
  const inner = innerContext(node, context);
  const args = node.step.args.map((part, index) => (index === at ? simplified(part, inner) : part));
  return { ...node, step: { ...node.step, args } };
}

/** The condition without parts that change nothing. */
export function simplified(node: CelNode, context: Context): CelNode {
  if (node.kind === 'call') return simplifiedCall(node, context);
  return node.kind === 'fold' ? simplifiedFold(node, context) : node;
}
