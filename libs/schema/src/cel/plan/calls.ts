/** Calls: operators on known types take a short way, everything else checks its arguments at run time. */
import type { CallNode } from '../syntax/ast.js';
import { callCost } from '../cost/runtime.js';
import type { CallCost } from '../cost/runtime.js';
import type { FunctionDeclaration, Implementation, Overload } from '../library/declarations.js';
import type { Code } from '../values/frame.js';
import { noOverload } from '../values/order.js';
import { alternative, argumentsOf, equality, logical, membership, numericComparison } from './operators.js';
import { constantPlan, PlanError } from './plan.js';
import type { Plan, PlanContext } from './plan.js';
import { compilePattern } from '../values/regex.js';
import { matchesType } from '../values/runtime-types.js';
import type { CelType } from '../types/types.js';
import { CelDuration, CelError, CelTimestamp, isError, typeNameOf } from '../values/values.js';
import type { CelValue } from '../values/values.js';

const conversions = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);
const patternFunctions = new Set(['matches', 'find', 'findAll']);

/** Plans a call that is neither an index nor a conditional. */
export function planCall(node: CallNode, planner: PlanContext): Plan {
  switch (node.fn) {
    case '_&&_':
    case '_||_':
      return { code: logical(node, planner) };
    case '_==_':
    case '_!=_':
      return { code: equality(node, planner) };
    case 'or':
    case 'orValue':
      return { code: alternative(node, planner) };
    default:
  }
  const args = argumentsOf(node).map((arg) => planner.plan(arg));
  if (node.fn === '@in') {
    const member = membership(node, args);
    if (member !== undefined) return member;
  }
  const code = ordinary(node, args, planner);
  const [only] = args;
  if (args.length !== 1 || only?.constant === undefined || !conversions.has(node.fn)) return { code };
  const value = code({ vars: [], slots: [], cost: 0, limit: 0 });
  if (isError(value)) throw new PlanError(value.message);
  return constantPlan(value);
}

/** What the call runs, its overload, and whether arguments are taken one by one until the first error. */
interface Target {
  readonly run: Implementation;
  readonly overload: string;
  readonly sequential: boolean;
}

function mismatch(fn: string, values: readonly CelValue[]): CelError {
  return new CelError(`no such overload: ${fn}(${values.map(typeNameOf).join(', ')})`);
}

function guarded(fn: string, overload: Overload, run: Implementation): Implementation {
  const count = overload.args.length;
  return (...values) => {
    for (let at = 0; at < count; at++) {
      if (!matchesType(overload.args[at] as CelType, values[at])) return mismatch(fn, values.slice(0, count));
    }
    return run(...values);
  };
}

/** Looks for the overload that takes the values at hand. */
function dispatched(declaration: FunctionDeclaration, count: number): Implementation {
  const candidates = declaration.overloads.filter((overload) => overload.run && overload.args.length === count);
  return (...values) => {
    for (const { args, run } of candidates) {
      if (run !== undefined && args.every((type, at) => matchesType(type, values[at]))) return run(...values);
    }
    return mismatch(declaration.name, values.slice(0, count));
  };
}

/** One implementation for all: values it cannot take at all are named differently by the server. */
function singleton(declaration: FunctionDeclaration, run: Implementation): Implementation {
  const { accepts, name } = declaration;
  if (accepts === undefined) return run;
  const refused = new CelError(`no such overload: ${name}`);
  return (...values) => {
    const [first] = values;
    if (accepts(first)) return run(...values);
    const receives = typeof first === 'string' || first instanceof CelTimestamp || first instanceof CelDuration;
    return receives ? noOverload : refused;
  };
}

/** Whether the call has a regular expression known beforehand; one that cannot be refuses the program. */
function hasPattern(node: CallNode, args: readonly Plan[]): boolean {
  const pattern = patternFunctions.has(node.fn) ? args[1]?.constant?.value : undefined;
  if (typeof pattern !== 'string') return false;
  const compiled = compilePattern(pattern);
  if (compiled instanceof CelError) throw new PlanError(compiled.message);
  return true;
}

function targetOf(node: CallNode, args: readonly Plan[], planner: PlanContext): Target {
  const declaration = planner.functions.get(node.fn);
  if (declaration === undefined) throw new PlanError(`no such overload: ${node.fn}`);
  // Several overloads that fit leave the choice to the values.
  const [only = '', ...others] = node.overloads ?? [];
  const overload = others.length === 0 ? only : '';
  const pattern = hasPattern(node, args);
  if (declaration.run !== undefined) {
    const run = pattern ? declaration.run : singleton(declaration, declaration.run);
    return { run, overload, sequential: pattern };
  }
  const found = declaration.overloads.find((candidate) => candidate.id === overload);
  if (found?.run === undefined) return { run: dispatched(declaration, args.length), overload, sequential: true };
  // A pattern known beforehand takes a way of its own, where nothing checks the types.
  if (pattern) return { run: found.run, overload, sequential: true };
  const run = declaration.unguarded === true ? found.run : guarded(node.fn, found, found.run);
  return { run, overload, sequential: args.length > 2 || overload === 'string_format' };
}

function ordinary(node: CallNode, args: readonly Plan[], planner: PlanContext): Code {
  if (node.fn === '@not_strictly_false') {
    const [only] = args;
    return (frame) => {
      const value = only?.code(frame);
      frame.cost++;
      return typeof value === 'boolean' ? value : true;
    };
  }
  const { run, overload, sequential } = targetOf(node, args, planner);
  const cost = callCost(node.fn, overload);
  const codes = args.map((arg) => arg.code);
  const [first, second] = codes;
  if (codes.length === 2 && first !== undefined && second !== undefined && !sequential) {
    return numericComparison(overload, first, second, args[1]) ?? binary(first, second, run, cost);
  }
  if (codes.length === 1 && first !== undefined) return unary(first, run, cost);
  return variadic(codes, run, cost);
}

function unary(first: Code, run: Implementation, cost: CallCost): Code {
  return (frame) => {
    const a = first(frame);
    const result = isError(a) ? a : run(a, undefined, undefined, undefined);
    frame.cost += typeof cost === 'number' ? cost : cost([a], result);
    return result;
  };
}

function binary(first: Code, second: Code, run: Implementation, cost: CallCost): Code {
  return (frame) => {
    const a = first(frame);
    const b = second(frame);
    const result = isError(a) ? a : isError(b) ? b : run(a, b, undefined, undefined);
    frame.cost += typeof cost === 'number' ? cost : cost([a, b], result);
    return result;
  };
}

/** The first error ends the call, free of charge unless it is the last argument's. */
function variadic(codes: readonly Code[], run: Implementation, cost: CallCost): Code {
  return (frame) => {
    const values: CelValue[] = [];
    let result: CelValue;
    for (const code of codes) {
      const value = code(frame);
      values.push(value);
      if (!isError(value)) continue;
      if (values.length < codes.length) return value;
      result = value;
    }
    result ??= run(values[0], values[1], values[2], values[3]);
    frame.cost += typeof cost === 'number' ? cost : cost(values, result);
    return result;
  };
}
