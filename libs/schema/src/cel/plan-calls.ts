/** Calls: operators on known types take a short way, everything else checks its arguments at run time. */
import type { CallNode, CelNode } from './ast.js';
import { callCost } from './cost-runtime.js';
import type { CallCost } from './cost-runtime.js';
import type { FunctionDeclaration, Implementation, Overload } from './declarations.js';
import { equals } from './equality.js';
import type { Code } from './frame.js';
import { noOverload } from './order.js';
import { constantPlan, PlanError } from './planner.js';
import type { Plan, Planner } from './planner.js';
import { compilePattern } from './regex.js';
import { matchesType } from './runtime-types.js';
import type { CelType } from './types.js';
import {
  CelDouble,
  CelDuration,
  CelError,
  CelOptional,
  CelTimestamp,
  CelUint,
  isError,
  normalInt,
  typeNameOf,
} from './values.js';
import type { CelValue } from './values.js';

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
export function planCall(node: CallNode, planner: Planner): Plan {
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

function argumentsOf(node: CallNode): readonly CelNode[] {
  return node.target === undefined ? node.args : [node.target, ...node.args];
}

function terms(node: CelNode, fn: string): CelNode[] {
  return node.kind === 'call' && node.fn === fn ? node.args.flatMap((arg) => terms(arg, fn)) : [node];
}

/** `&&` and `||` stop at the deciding value and forgive errors beside it. */
function logical(node: CallNode, planner: Planner): Code {
  const decisive = node.fn === '_||_';
  const codes = terms(node, node.fn).map((term) => planner.code(term));
  const [first, second] = codes;
  const rest = (frame: Parameters<Code>[0], from: number, failed: CelValue): CelValue => {
    let error = failed;
    for (let at = from; at < codes.length; at++) {
      const value = (codes[at] as Code)(frame);
      if (value === decisive) return decisive;
      if (value !== !decisive) error ??= isError(value) ? value : noOverload;
    }
    return error ?? !decisive;
  };
  if (codes.length !== 2 || first === undefined || second === undefined) return (frame) => rest(frame, 0, undefined);
  return (frame) => {
    const left = first(frame);
    if (left === decisive) return decisive;
    if (left !== !decisive) return rest(frame, 1, isError(left) ? left : noOverload);
    const right = second(frame);
    return typeof right === 'boolean' ? right : isError(right) ? right : noOverload;
  };
}

function equality(node: CallNode, planner: Planner): Code {
  const [left, right] = node.args.map((arg) => planner.code(arg)) as [Code, Code];
  const negated = node.fn === '_!=_';
  const cost = callCost(node.fn, negated ? 'not_equals' : 'equals') as Exclude<CallCost, number>;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if ((typeof a === 'number' && typeof b === 'number') || (typeof a === 'boolean' && typeof b === 'boolean')) {
      frame.cost++;
      return (a === b) !== negated;
    }
    frame.cost += cost([a, b], undefined);
    if (isError(a)) return a;
    if (isError(b)) return b;
    const equal = equals(a, b);
    if (typeof equal === 'boolean') return equal !== negated;
    return negated ? true : equal;
  };
}

/** `or` and `orValue` only look at the alternative when they need it, and cost nothing. */
function alternative(node: CallNode, planner: Planner): Code {
  const [first, second] = argumentsOf(node).map((arg) => planner.code(arg)) as [Code, Code];
  const unwrap = node.fn === 'orValue';
  return (frame) => {
    const value = first(frame);
    if (!(value instanceof CelOptional)) return value;
    if (value.present) return unwrap ? value.value : value;
    return second(frame);
  };
}

function setKey(value: CelValue): unknown {
  if (value instanceof CelUint) return normalInt(value.value);
  if (value instanceof CelDouble) return Number.isInteger(value.value) ? value.value : `double ${value.value}`;
  return typeof value === 'string' ? `string ${value}` : value;
}

/** A test against a list known beforehand is free. */
function membership(node: CallNode, args: readonly Plan[]): Plan | undefined {
  const [value, list] = args;
  if (value === undefined || node.overloads?.length !== 1 || node.overloads[0] !== 'in_list') return undefined;
  const items = list?.constant?.value;
  if (!Array.isArray(items)) return undefined;
  if (items.length === 0) return constantPlan(false);
  const primitive = (item: unknown): boolean =>
    item !== null && (typeof item !== 'object' || item instanceof CelUint || item instanceof CelDouble);
  if (!items.every(primitive)) return undefined;
  const { code } = value;
  if (items.every((item) => typeof item === 'string')) {
    const texts = new Set<unknown>(items);
    return { code: (frame) => member(texts, code(frame)) };
  }
  const keys = new Set(items.map(setKey));
  return {
    code: (frame) => {
      const found = code(frame);
      return isError(found) ? found : keys.has(setKey(found));
    },
  };
}

function member(texts: ReadonlySet<unknown>, value: CelValue): CelValue {
  return isError(value) ? value : texts.has(value);
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

function targetOf(node: CallNode, args: readonly Plan[], planner: Planner): Target {
  const declaration = planner.functions.get(node.fn);
  if (declaration === undefined) throw new PlanError(`no such overload: ${node.fn}`);
  const ids = node.overloads ?? [];
  const overload = ids.length === 1 ? (ids[0] ?? '') : '';
  const pattern = hasPattern(node, args);
  if (declaration.run !== undefined) {
    const run = pattern ? declaration.run : singleton(declaration, declaration.run);
    return { run, overload, sequential: pattern };
  }
  const found = declaration.overloads.find((candidate) => candidate.id === overload);
  if (found?.run === undefined) return { run: dispatched(declaration, args.length), overload, sequential: true };
  const sequential = pattern || args.length > 2 || overload === 'string_format';
  // A pattern known beforehand takes a way of its own, where nothing checks the types.
  const trusted = pattern || declaration.unguarded === true;
  return { run: trusted ? found.run : guarded(node.fn, found, found.run), overload, sequential };
}

function ordinary(node: CallNode, args: readonly Plan[], planner: Planner): Code {
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

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  less_int64: (a, b) => a < b,
  less_equals_int64: (a, b) => a <= b,
  greater_int64: (a, b) => a > b,
  greater_equals_int64: (a, b) => a >= b,
};

/** Comparisons of two ints, by far the most frequent in rules. */
function numericComparison(overload: string, first: Code, second: Code, right: Plan | undefined): Code | undefined {
  const holds = Object.hasOwn(comparisons, overload) ? comparisons[overload] : undefined;
  if (holds === undefined) return undefined;
  const slow = (a: CelValue, b: CelValue): CelValue => {
    if (isError(a)) return a;
    if (isError(b)) return b;
    if (typeof a === 'bigint' || typeof b === 'bigint')
      return holds(Number(BigInt(a as number) - BigInt(b as number)), 0);
    return noOverload;
  };
  const fixed = right?.constant?.value;
  if (typeof fixed === 'number') {
    return (frame) => {
      const a = first(frame);
      frame.cost++;
      return typeof a === 'number' ? holds(a, fixed) : slow(a, fixed);
    };
  }
  return (frame) => {
    const a = first(frame);
    const b = second(frame);
    frame.cost++;
    return typeof a === 'number' && typeof b === 'number' ? holds(a, b) : slow(a, b);
  };
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
