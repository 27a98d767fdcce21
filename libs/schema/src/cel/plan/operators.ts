/** Operators that have a way of their own: logic, equality, alternatives, membership, comparisons of ints. */
import type { CallNode, CelNode } from '../syntax/ast.js';
import { callCost } from '../cost/runtime.js';
import type { CallCost } from '../cost/runtime.js';
import { equals } from '../values/equality.js';
import type { Code } from '../values/frame.js';
import { noOverload } from '../values/order.js';
import { constantPlan } from './plan.js';
import type { Plan, PlanContext } from './plan.js';
import { CelDouble, CelOptional, CelUint, isError, normalInt } from '../values/values.js';
import type { CelValue } from '../values/values.js';

/** The arguments with the receiver first. */
export function argumentsOf(node: CallNode): readonly CelNode[] {
  return node.target === undefined ? node.args : [node.target, ...node.args];
}

function terms(node: CelNode, fn: string): CelNode[] {
  return node.kind === 'call' && node.fn === fn ? node.args.flatMap((arg) => terms(arg, fn)) : [node];
}

/** `&&` and `||` stop at the deciding value and ignore an error of the other side. */
export function logical(node: CallNode, planner: PlanContext): Code {
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

export function equality(node: CallNode, planner: PlanContext): Code {
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
export function alternative(node: CallNode, planner: PlanContext): Code {
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
export function membership(node: CallNode, args: readonly Plan[]): Plan | undefined {
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

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  less_int64: (a, b) => a < b,
  less_equals_int64: (a, b) => a <= b,
  greater_int64: (a, b) => a > b,
  greater_equals_int64: (a, b) => a >= b,
};

/** Comparisons of two ints, by far the most frequent in rules. */
export function numericComparison(
  overload: string,
  first: Code,
  second: Code,
  right: Plan | undefined,
): Code | undefined {
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
