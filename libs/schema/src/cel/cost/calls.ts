/** Estimated costs of calls: the server's libraries, then CEL's own functions. */
import type { CelNode } from '../syntax/ast.js';
import { addRange, barelyCountable, fixed, multiplyRange, scaleRange, uncountable, unknownSize } from './ranges.js';
import type { CostRange, SizeEstimator, SizeRange } from './ranges.js';
import { regexLength, traversal } from './runtime.js';
import { sameType } from '../types/types.js';
import type { CelType } from '../types/types.js';

/** What is known of an argument. */
export interface EstimateNode {
  readonly node: CelNode;
  readonly type: CelType;
  readonly path: readonly string[];
  readonly size: SizeRange | undefined;
  readonly sizeAt: SizeEstimator;
}

/** Cost of a call without its arguments, and the size of its result where it has one. */
export interface CallEstimate {
  readonly cost: CostRange;
  readonly size?: SizeRange;
}

type Estimate = (
  target: EstimateNode | undefined,
  args: readonly EstimateNode[],
  overload: string,
) => CallEstimate | undefined;

const one: CallEstimate = { cost: fixed(1) };

function sizeOf(node: EstimateNode | undefined): SizeRange {
  return node?.size ?? unknownSize;
}

/** The range of the elements of a list, or undefined for what is no list. */
function elementOf(list: EstimateNode): { type: CelType; size: SizeRange } | undefined {
  const [type] = list.type.params;
  if (type === undefined) return undefined;
  const size = list.path.length === 0 ? undefined : list.sizeAt([...list.path, '@items']);
  return { type, size: size ?? unknownSize };
}

/** Looks at every element, and through every string. */
const eachElement: Estimate = (target) => {
  if (target === undefined) return undefined;
  const element = elementOf(target);
  if (element === undefined) return { cost: scaleRange(sizeOf(target), traversal) };
  const texts = element.type.kind === 'string' || element.type.kind === 'bytes';
  const each = texts ? addRange(fixed(1), scaleRange(element.size, traversal)) : fixed(1);
  return { cost: multiplyRange(sizeOf(target), each) };
};

/** Reads the argument; the result may be as long. */
const readArgument: Estimate = (_, [arg]) => arg && { cost: scaleRange(sizeOf(arg), traversal) };

const readTarget: Estimate = (target) => {
  const size = sizeOf(target);
  return target && { cost: scaleRange(size, traversal), size };
};

/** How often something is replaced at most and at least, and how much of the text stays. */
function replacedSize(text: SizeRange, old: SizeRange, by: SizeRange): SizeRange {
  let most = 0;
  let kept = 0;
  if (old.min === 0) {
    most = Math.min(text.max + 1, uncountable);
    kept = text.max;
  } else if (by.max <= old.min) kept = text.max;
  else most = Math.ceil(text.max / old.min);
  let least = 0;
  let keptLeast = 0;
  if (old.max === 0) {
    least = text.min + 1;
    keptLeast = text.min;
  } else if (old.max <= by.min) keptLeast = text.min;
  else least = Math.ceil(text.min / old.max);
  return addRange(multiplyRange({ min: least, max: most }, by), { min: keptLeast, max: kept });
}

const replace: Estimate = (target, [old, by]) => {
  if (target === undefined || by === undefined) return undefined;
  const text = sizeOf(target);
  return {
    cost: scaleRange(text, 2 * traversal),
    size: replacedSize(text, sizeOf(old), sizeOf(by)),
  };
};

const split: Estimate = (target, [, limit]) => {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const value = limit?.node.kind === 'literal' ? limit.node.value : undefined;
  // A negative limit counts as an enormous one, as an unsigned number would.
  const max = typeof value === 'number' ? (value < 0 ? uncountable : value) : size.max;
  return { cost: scaleRange(size, 2 * traversal), size: { min: 0, max } };
};

const join: Estimate = (target, [separator]) => {
  if (target === undefined) return undefined;
  const list = sizeOf(target);
  const element = elementOf(target);
  let size: SizeRange = element === undefined ? fixed(0) : multiplyRange(list, element.size);
  if (separator !== undefined) {
    const max = list.max >= uncountable ? barelyCountable : Math.max(0, list.max - 1);
    const gaps = { min: Math.max(0, list.min - 1), max };
    size = addRange(size, multiplyRange(sizeOf(separator), gaps));
  }
  return { cost: scaleRange(size, traversal), size };
};

function regexCost(text: SizeRange, pattern: SizeRange): CostRange {
  return multiplyRange(scaleRange(addRange(text, fixed(1)), traversal), scaleRange(pattern, regexLength));
}

const find: Estimate = (target, [pattern]) => {
  if (target === undefined || pattern === undefined) return undefined;
  const text = sizeOf(target);
  return { cost: regexCost(text, sizeOf(pattern)), size: { min: 0, max: text.max } };
};

/** Comparing the bytes of two addresses; a text has to be read first. */
function addresses(overload: string, arg: EstimateNode | undefined): CostRange {
  const cost = scaleRange({ min: 8, max: 32 }, traversal);
  return overload.endsWith('_string') ? addRange(cost, scaleRange(sizeOf(arg), traversal)) : cost;
}

const selector: Estimate = (_, args) => {
  if (args.length !== 1) return undefined;
  const length = sizeOf(args[0]);
  const requirements = scaleRange(scaleRange(length, 0.5), 50);
  return { cost: addRange(addRange(fixed(10), scaleRange(length, traversal)), requirements) };
};

const equality: Estimate = (_, [left, right]) => {
  if (left === undefined || right === undefined || !sameType(left.type, right.type)) return undefined;
  switch (left.type.name) {
    case 'kubernetes.NamedFormat':
      return { cost: scaleRange({ min: 1, max: 64 }, traversal) };
    case 'kubernetes.URL':
      return { cost: scaleRange({ min: 1, max: right.size?.max ?? 1 }, traversal) };
    default:
      return left.type.name.startsWith('kubernetes.') || left.type.name.startsWith('net.') ? one : undefined;
  }
};

const validate: Estimate = (_, [text]) =>
  text && { cost: scaleRange(scaleRange(sizeOf(text), traversal), 128 * regexLength) };

const byFunction: Readonly<Record<string, Estimate>> = {
  check: () => ({ cost: fixed(350_000) }),
  fieldSelector: selector,
  labelSelector: selector,
  ...Object.fromEntries(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name) => [name, eachElement])),
  url: (_, [arg]) => arg && { cost: scaleRange(sizeOf(arg), traversal), size: sizeOf(arg) },
  ...Object.fromEntries(['lowerAscii', 'upperAscii', 'substring', 'trim'].map((name) => [name, readTarget])),
  replace,
  split,
  join,
  find,
  findAll: find,
  ...Object.fromEntries(
    ['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'].map((name) => [name, readArgument]),
  ),
  ip: (target, args, overload) => (overload === 'cidr_ip' ? one : readArgument(target, args, overload)),
  'ip.isCanonical': (_, [text]) => text && { cost: scaleRange(sizeOf(text), 2 * traversal) },
  containsIP: (_, [arg], overload) => arg && { cost: addresses(overload, arg) },
  containsCIDR: (_, [arg], overload) => {
    const masking = addRange(scaleRange({ min: 4, max: 16 }, traversal), fixed(1));
    return arg && { cost: addRange(addresses(overload, arg), masking) };
  },
  validate,
  '_==_': equality,
};

function literalInt(node: EstimateNode | undefined, otherwise: number): number {
  const value = node?.node.kind === 'literal' ? node.node.value : undefined;
  return typeof value === 'number' ? Math.max(0, value) : otherwise;
}

function listCall(factor: number, size: SizeRange): CallEstimate {
  return { cost: addRange(scaleRange(size, factor), fixed(11)), size };
}

function sets(factor: number): Estimate {
  return (_, [a, b]) => ({
    cost: addRange(scaleRange(multiplyRange(sizeOf(a), sizeOf(b)), factor), fixed(1)),
  });
}

function squared(node: EstimateNode | undefined, factor: number): CallEstimate {
  return listCall(factor, multiplyRange(sizeOf(node), sizeOf(node)));
}

const byOverload: Readonly<Record<string, Estimate>> = {
  list_slice: (target, [from, to]) => {
    const length = literalInt(to, sizeOf(target).max) - literalInt(from, 0);
    return listCall(1, fixed(length < 0 ? uncountable : length));
  },
  list_flatten: (target) => listCall(1, sizeOf(target)),
  list_flatten_int: (target, [depth]) => listCall(literalInt(depth, uncountable), sizeOf(target)),
  lists_range: (_, [count]) => listCall(1, fixed(literalInt(count, uncountable))),
  list_reverse: (target) => listCall(1, sizeOf(target)),
  list_distinct: (target) => squared(target, 2),
  list_sets_contains_list: sets(1),
  list_sets_intersects_list: sets(1),
  list_sets_equivalent_list: sets(2),
};

function sorting(
  overload: string,
  target: EstimateNode | undefined,
  args: readonly EstimateNode[],
): CallEstimate | undefined {
  const [, type, kind] = /^list_(.+)_(sort|sortByAssociatedKeys)$/.exec(overload) ?? [];
  if (type === undefined) return undefined;
  const factor = type === 'string' || type === 'bytes' ? 2 + traversal : 2;
  return squared(kind === 'sort' ? target : args[0], factor);
}

/** The cheaper side decides a comparison, and it costs something unless one is surely empty. */
function comparison([left, right]: readonly EstimateNode[]): CallEstimate {
  const max = Math.min(sizeOf(left).max, sizeOf(right).max);
  return { cost: scaleRange({ min: max > 0 ? 1 : 0, max }, traversal) };
}

const comparisons = /^(?:less|less_equals|greater|greater_equals)_(?:string|bytes)$|^(?:not_)?equals$/;

/** Twice the size and two quotes; the server's sum overflows, to nothing if the size is unknown. */
function quotedMax(max: number): number {
  if (max >= uncountable) return 0;
  return max === barelyCountable ? barelyCountable : (max * 2 + 2) % uncountable;
}

function standard(overload: string, target: EstimateNode | undefined, args: readonly EstimateNode[]): CallEstimate {
  const [first, second] = args;
  const size = sizeOf(first);
  switch (overload) {
    case 'string_format':
      return { cost: scaleRange(sizeOf(target), traversal) };
    case 'string_to_bytes':
      return {
        cost: scaleRange(size, traversal),
        size: { min: size.min, max: Math.min(size.max * 4, uncountable) },
      };
    case 'bytes_to_string':
      return {
        cost: scaleRange(size, traversal),
        size: { min: Math.floor(size.min / 4), max: size.max },
      };
    case 'strings_quote':
      return {
        cost: scaleRange(size, traversal),
        size: { min: size.min + 2, max: quotedMax(size.max) },
      };
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: scaleRange(size, traversal) };
    case 'in_list':
      return { cost: sizeOf(second) };
    case 'matches_string':
      return { cost: regexCost(sizeOf(target), size) };
    case 'contains_string':
      return {
        cost: multiplyRange(scaleRange(sizeOf(target), traversal), scaleRange(size, traversal)),
      };
    case 'add_string':
    case 'add_bytes': {
      const sum = addRange(size, sizeOf(second));
      return { cost: scaleRange(sum, traversal), size: sum };
    }
    case 'add_list':
      return { cost: fixed(1), size: addRange(size, sizeOf(second)) };
    default:
      return comparisons.test(overload) ? comparison(args) : one;
  }
}

/** What one overload of a call costs beyond its arguments. */
export function callEstimate(
  fn: string,
  overload: string,
  target: EstimateNode | undefined,
  args: readonly EstimateNode[],
): CallEstimate {
  const own = byOverload[overload]?.(target, args, overload) ?? sorting(overload, target, args);
  if (own !== undefined) return own;
  const library = Object.hasOwn(byFunction, fn) ? byFunction[fn]?.(target, args, overload) : undefined;
  return library ?? standard(overload, target, args);
}
