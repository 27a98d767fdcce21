/** The order of values and the operators on operands of any kind. */
import { compareBytes } from '@capstan/meta';
import { concatenated, isList, listItems, listSize } from './collections.js';
import { DataList } from './data.js';
import type { CelList } from './collections.js';
import { compareByteArrays, listMapKey, rawOf } from './equality.js';
import { arithmetic, compareNumbers, intOf, isNumber, negate } from './numbers.js';
import type { Operator } from './numbers.js';
import { addDuration, between } from './times.js';
import { Aborted } from './frame.js';
import {
  CelBoxed,
  CelBytes,
  CelDouble,
  CelDuration,
  CelError,
  CelTimestamp,
  fitsInt,
  isError,
  kindOf,
} from './values.js';
import type { CelValue } from './values.js';

/** These two have no such operation; the message does not name the operation. */
export const noOverload: CelError = new CelError('no such overload');
const notANumber = new CelError('NaN values cannot be ordered');

const comparable = new Set(['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration']);

/** Whether values of this kind have an order. */
export function isComparable(value: CelValue): boolean {
  return comparable.has(kindOf(value));
}

function sign(value: number | bigint): -1 | 0 | 1 {
  return value < 0 ? -1 : value > 0 ? 1 : 0;
}

function isNaNValue(value: CelValue): boolean {
  return value instanceof CelDouble && Number.isNaN(value.value);
}

/** Order of two values of one kind that is neither text nor number. */
function compareSame(a: CelValue, b: CelValue): -1 | 0 | 1 | CelError {
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return sign(a.seconds - b.seconds || a.nanos - b.nanos);
  if (a instanceof CelDuration && b instanceof CelDuration) return sign(a.nanos - b.nanos);
  if (a instanceof CelBytes && b instanceof CelBytes) return sign(compareByteArrays(a.value, b.value));
  return typeof a === 'boolean' && typeof b === 'boolean' ? sign(Number(a) - Number(b)) : noOverload;
}

/** -1, 0 or 1, or the error of comparing what has no common order. */
export function compare(a: CelValue, b: CelValue): -1 | 0 | 1 | CelError {
  if (typeof a === 'string' && typeof b === 'string') return sign(compareBytes(a, b));
  if (!isNumber(a) || !isNumber(b)) return compareSame(a, b);
  return isNaNValue(a) || isNaNValue(b) ? notANumber : compareNumbers(a, b);
}

function concatBytes(a: CelBytes, b: CelBytes): CelBytes {
  const joined = new Uint8Array(a.value.length + b.value.length);
  joined.set(a.value);
  joined.set(b.value, a.value.length);
  return new CelBytes(joined);
}

/** The server looks items of sets up in a table of its own, and trips over what cannot be a key there. */
function expectHashable(items: readonly unknown[]): void {
  const item = items.find((each) => typeof each === 'object' && each !== null && !(each instanceof CelBoxed));
  if (item === undefined) return;
  const name = Array.isArray(item) ? '[]interface {}' : 'map[string]interface {}';
  throw new Aborted(`internal error: runtime error: hash of unhashable type ${name}`);
}

/** Sets add what they lack; lists of type map overwrite in place and append; others append. */
function addToData(a: DataList, b: CelList): DataList {
  const items = b instanceof DataList ? b.readable(a.element) : listItems(b).map(rawOf);
  const { listType } = a.type.hints;
  if (listType === 'set') {
    expectHashable(a.raw);
    expectHashable(items);
    const seen = new Set(a.raw);
    const added = items.filter((item) => !seen.has(item) && seen.add(item));
    return new DataList([...a.raw, ...added], a.type);
  }
  if (listType !== 'map') return new DataList([...a.raw, ...items], a.type);
  const joined = [...a.raw];
  const places = new Map(joined.map((element, i) => [listMapKey(a, element), i]));
  for (const item of items) joined[places.get(listMapKey(a, item)) ?? joined.length] = item;
  return new DataList(joined, a.type);
}

function addLists(a: CelList, b: CelList): CelValue {
  if (a instanceof DataList) return addToData(a, b);
  if (a.length === 0) return b;
  if (listSize(b) === 0) return a;
  return concatenated(b instanceof DataList ? [...a, ...listItems(b)] : [...a, ...b]);
}

function addTimes(a: CelValue, b: CelValue): CelValue {
  if (a instanceof CelDuration) {
    if (b instanceof CelDuration) return checkedDuration(a.nanos + b.nanos);
    return b instanceof CelTimestamp ? addDuration(b, a.nanos) : noOverload;
  }
  return a instanceof CelTimestamp && b instanceof CelDuration ? addDuration(a, b.nanos) : noOverload;
}

function checkedDuration(nanos: bigint): CelValue {
  return fitsInt(nanos) ? new CelDuration(nanos) : intOf(nanos);
}

/** `a + b` for operands of any kind. */
export function add(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'string') return typeof b === 'string' ? a + b : noOverload;
  if (isNumber(a)) return arithmetic('+', a, b) ?? noOverload;
  if (isList(a)) return isList(b) ? addLists(a, b) : noOverload;
  if (a instanceof CelBytes) return b instanceof CelBytes ? concatBytes(a, b) : noOverload;
  return addTimes(a, b);
}

/** `a - b` for operands of any kind. */
export function subtract(a: CelValue, b: CelValue): CelValue {
  if (isNumber(a)) return arithmetic('-', a, b) ?? noOverload;
  if (a instanceof CelDuration) return b instanceof CelDuration ? checkedDuration(a.nanos - b.nanos) : noOverload;
  if (a instanceof CelTimestamp) {
    if (b instanceof CelDuration) {
      const opposite = checkedDuration(-b.nanos);
      return isError(opposite) ? opposite : addDuration(a, -b.nanos);
    }
    if (b instanceof CelTimestamp) return checkedDuration(between(a, b));
  }
  return noOverload;
}

/** `*`, `/` and `%` for operands of any kind. */
export function multiplicative(operator: Operator, a: CelValue, b: CelValue): CelValue {
  return arithmetic(operator, a, b) ?? noOverload;
}

/** `-a` for an operand of any kind that has an opposite. */
export function opposite(value: CelValue): CelValue {
  if (value instanceof CelDuration) return checkedDuration(-value.nanos);
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof CelDouble
    ? negate(value)
    : noOverload;
}

/** What may stand left of each operator at all. */
export const operatorAccepts: Readonly<Record<string, ReadonlySet<string>>> = {
  '_+_': new Set(['int', 'uint', 'double', 'string', 'bytes', 'list', 'timestamp', 'duration']),
  '_-_': new Set(['int', 'uint', 'double', 'timestamp', 'duration']),
  '_*_': new Set(['int', 'uint', 'double']),
  '_/_': new Set(['int', 'uint', 'double']),
  '_%_': new Set(['int', 'uint']),
  '-_': new Set(['int', 'double', 'duration', 'bool']),
};
