/** What calls cost at run time: the charges of the server's libraries. */
import { utf8Length } from '@capstan/meta';
import { isList, isMap, listItems, mapFind, mapKeys } from '../values/collections.js';
import { DataMap } from '../values/data.js';
import { sizeOf } from '../library/standard.js';
import { Aborted } from '../values/frame.js';
import { CelBytes, CelOpaque, CelOptional, goTypeOf, kindOf } from '../values/values.js';
import type { CelValue } from '../values/values.js';

/** Reading one character is a tenth of a unit. */
export const traversal = 0.1;
/** One unit of a regular expression is about four characters. */
export const regexLength = 0.25;

/** A fixed charge, or one that depends on arguments and result. */
export type CallCost = number | ((args: readonly CelValue[], result: CelValue) => number);

/** Size of a value for charging: 1 for whatever has none. */
export function costSize(value: CelValue): number {
  if (value instanceof CelOptional) return value.present ? costSize(value.value) : 1;
  return sizeOf(value) ?? (value instanceof CelOpaque ? value.costSize : 1);
}

/** The charge of looking at everything below a value. */
function treeCost(value: CelValue): number {
  if (typeof value === 'string') return Math.trunc(utf8Length(value) * traversal);
  if (value instanceof CelBytes) return Math.trunc(value.value.length * traversal);
  let cost = 0;
  if (isList(value)) {
    for (const item of listItems(value)) cost += treeCost(item);
    return cost;
  }
  if (!isMap(value)) return 1;
  for (const key of mapKeys(value)) cost += treeCost(key) + treeCost(mapFind(value, key));
  return cost;
}

function scan(factor: number): CallCost {
  return (args) => Math.ceil(costSize(args[0]) * factor * traversal);
}

function regexCost(text: CelValue, pattern: CelValue): number {
  return Math.ceil((1 + costSize(text)) * traversal) * Math.ceil(costSize(pattern) * regexLength);
}

function smaller(args: readonly CelValue[]): number {
  return Math.ceil(Math.min(costSize(args[0]), costSize(args[1])) * traversal);
}

function selectorCost(args: readonly CelValue[]): number {
  const length = costSize(args[1]);
  return 10 + Math.ceil(length * traversal) + Math.ceil(Math.ceil(length * 0.5) * 50);
}

function containsIp(args: readonly CelValue[], stringOverload: boolean): number {
  const size = costSize(args[0]);
  const parse = stringOverload ? Math.ceil(costSize(args[1]) * traversal) : 0;
  return Math.ceil((size + size) * traversal) + parse;
}

/** Charges of formats' `validate`: as a match against a pattern of a known length. */
function validateCost(args: readonly CelValue[]): number {
  const [format, text] = args;
  if (!(format instanceof CelOpaque)) return 1;
  return Math.ceil((1 + costSize(text)) * traversal) * Math.ceil(format.patternSize * regexLength);
}

function allocating(factor: number, size: number): number {
  return Math.trunc(size * factor) + 1 + 10;
}

const addable = new Set(['int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration']);

/** The server's accounting trips over what is no list; clients see its complaint. */
function expectList(value: CelValue): void {
  if (isList(value)) return;
  const missing = addable.has(kindOf(value)) ? 'Contains' : 'Add';
  const complaint = `${value instanceof DataMap ? value.goName : goTypeOf(value)} is not traits.Lister: missing method ${missing}`;
  throw new Aborted(`internal error: interface conversion: ${complaint}`);
}

function selfCompare(list: CelValue): number {
  expectList(list);
  const size = costSize(list);
  const [first] = isList(list) && size > 0 ? [listItems(list)[0]] : [];
  const factor = typeof first === 'string' || first instanceof CelBytes ? 2 + traversal : 2;
  return allocating(factor, size * size);
}

const byOverload: Readonly<Record<string, CallCost>> = {
  list_slice: (_, result) => allocating(1, costSize(result)),
  list_flatten: (args) => allocating(1, costSize(args[0])),
  list_flatten_int: (args) => {
    const [, depth] = args;
    if (kindOf(depth) !== 'int') {
      throw new Aborted(`internal error: interface conversion: ref.Val is ${goTypeOf(depth)}, not types.Int`);
    }
    return allocating(Number(args[1]), costSize(args[0]));
  },
  lists_range: (_, result) => allocating(1, costSize(result)),
  list_reverse: (_, result) => allocating(1, costSize(result)),
  list_distinct: (args) => selfCompare(args[0]),
  list_sets_contains_list: (args) => 1 + costSize(args[0]) * costSize(args[1]),
  list_sets_intersects_list: (args) => 1 + costSize(args[0]) * costSize(args[1]),
  list_sets_equivalent_list: (args) => 1 + costSize(args[0]) * costSize(args[1]) * 2,
};

const byFunction: Readonly<Record<string, CallCost>> = {
  check: 350_000,
  fieldSelector: selectorCost,
  labelSelector: selectorCost,
  isSorted: (args) => treeCost(args[0]),
  sum: (args) => treeCost(args[0]),
  max: (args) => treeCost(args[0]),
  min: (args) => treeCost(args[0]),
  indexOf: (args) => treeCost(args[0]),
  lastIndexOf: (args) => treeCost(args[0]),
  url: scan(1),
  lowerAscii: scan(1),
  upperAscii: scan(1),
  substring: scan(1),
  trim: scan(1),
  replace: scan(2),
  split: scan(2),
  join: (_, result) => Math.ceil(costSize(result) * 2 * traversal),
  find: (args) => regexCost(args[0], args[1]),
  findAll: (args) => regexCost(args[0], args[1]),
  cidr: scan(1),
  isIP: scan(1),
  isCIDR: scan(1),
  'ip.isCanonical': scan(2),
  quantity: scan(1),
  isQuantity: scan(1),
  semver: scan(1),
  isSemver: scan(1),
  validate: validateCost,
  '_==_': (args) => (args[0] instanceof CelOpaque ? 1 : smaller(args)),
};

const standard: Readonly<Record<string, CallCost>> = {
  starts_with_string: scan(1),
  ends_with_string: scan(1),
  string_to_bytes: scan(1),
  bytes_to_string: scan(1),
  strings_quote: scan(1),
  string_format: scan(1),
  in_list: (args) => costSize(args[1]),
  not_equals: smaller,
  add_string: (args) => Math.ceil((costSize(args[0]) + costSize(args[1])) * traversal),
  add_bytes: (args) => Math.ceil((costSize(args[0]) + costSize(args[1])) * traversal),
  matches_string: (args) => regexCost(args[0], args[1]),
  contains_string: (args) => Math.ceil(costSize(args[0]) * traversal) * Math.ceil(costSize(args[1]) * traversal),
  ...Object.fromEntries(
    ['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name) => [
      [`${name}_string`, smaller],
      [`${name}_bytes`, smaller],
    ]),
  ),
};

/** The charge of a call; the overload is empty when only the values decide it. */
export function callCost(fn: string, overload: string): CallCost {
  const own = byOverload[overload];
  if (own !== undefined) return own;
  if (overload.endsWith('_sort')) return (args) => selfCompare(args[0]);
  if (overload.endsWith('_sortByAssociatedKeys')) return (args) => selfCompare(args[1]);
  if (fn === 'ip') return overload === 'cidr_ip' ? 1 : scan(1);
  if (fn === 'containsIP') return (args) => containsIp(args, overload === 'cidr_contains_ip_string');
  if (fn === 'containsCIDR') {
    return (args) => {
      const mask = Math.ceil(costSize(args[0]) * traversal) + 1;
      return containsIp(args, overload === 'cidr_contains_cidr_string') + mask;
    };
  }
  return (Object.hasOwn(byFunction, fn) ? byFunction[fn] : standard[overload]) ?? 1;
}
