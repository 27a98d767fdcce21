/** Equality of values, with the server's mixture of rules for data under a schema. */
import { deepEqual } from '@capstan/meta';
import { isList, isMap, listAt, listItems, listSize, mapFind, mapKeys, mapSize } from './collections.js';
import type { CelList, CelMapping } from './collections.js';
import { DataList, DataMap, fromData } from './data.js';
import { compareNumbers, isNumber } from './numbers.js';
import type { CelNumber } from './numbers.js';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelError,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  isError,
  kindOf,
} from './values.js';
import type { CelValue } from './values.js';

const noOverload = new CelError('no such overload');

/** Orders bytes: negative, zero or positive. */
export function compareByteArrays(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Whether two values are equal, or the error the comparison makes. */
export function equals(a: CelValue, b: CelValue): boolean | CelError {
  if (typeof a === 'string' || typeof a === 'boolean') return a === b;
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  if (a === null || b === null) return a === b;
  return valueEquals(a, b);
}

/** Equality as the left value defines it. */
function valueEquals(a: CelValue, b: CelValue): boolean | CelError {
  if (isNumber(a)) return isNumber(b) && numberEquals(a, b);
  if (isList(a)) return a instanceof DataList ? dataListEquals(a, b) : isList(b) && listEquals(a, b);
  if (isMap(a)) return a instanceof DataMap ? dataMapEquals(a, b) : isMap(b) && mapEquals(a, b);
  return boxEquals(a, b);
}

function boxEquals(a: CelValue, b: CelValue): boolean | CelError {
  if (a instanceof CelOptional) return b instanceof CelOptional && optionalEquals(a, b);
  if (a instanceof CelOpaque) return opaqueEquals(a, b);
  return isError(a) ? a : scalarEquals(a, b);
}

function opaqueEquals(a: CelOpaque, b: CelValue): boolean | CelError {
  return b instanceof CelOpaque && b.typeName === a.typeName ? a.equals(b) : noOverload;
}

function numberEquals(a: CelNumber, b: CelNumber): boolean {
  return !isNaNValue(a) && !isNaNValue(b) && compareNumbers(a, b) === 0;
}

function isNaNValue(value: CelValue): boolean {
  return value instanceof CelDouble && Number.isNaN(value.value);
}

function optionalEquals(a: CelOptional, b: CelOptional): boolean | CelError {
  if (a.present !== b.present) return false;
  return !a.present || equals(a.value, b.value);
}

/** What makes a scalar that is boxed the value it is. */
function identity(value: CelValue): unknown {
  if (value instanceof CelTimestamp) return `${value.seconds}.${value.nanos}`;
  if (value instanceof CelDuration) return value.nanos;
  return value instanceof CelTypeValue ? value.name : value;
}

function scalarEquals(a: CelValue, b: CelValue): boolean {
  if (a instanceof CelBytes) return b instanceof CelBytes && compareByteArrays(a.value, b.value) === 0;
  return kindOf(a) === kindOf(b) && identity(a) === identity(b);
}

/** Lists made by expressions let an error between elements pass. */
function listEquals(a: CelList, b: CelList): boolean {
  const size = listSize(a);
  if (size !== listSize(b)) return false;
  for (let at = 0; at < size; at++) {
    if (equals(listAt(a, at), listAt(b, at)) === false) return false;
  }
  return true;
}

function mapEquals(a: CelMapping, b: CelMapping): boolean {
  if (mapSize(a) !== mapSize(b)) return false;
  for (const key of mapKeys(a)) {
    const other = mapFind(b, key);
    if (other === undefined || equals(mapFind(a, key), other) === false) return false;
  }
  return true;
}

/** What the schema does not show CEL counts only where both have it. */
function hiddenEquals(a: DataMap, b: CelMapping, property: string): boolean | CelError {
  if (!(b instanceof DataMap)) return noOverload;
  return !Object.hasOwn(b.raw, property) || deepEqual(a.raw[property], b.raw[property]);
}

function entryEquals(a: DataMap, b: CelMapping, key: string): boolean | CelError {
  const own = mapFind(a, key);
  const other = mapFind(b, key);
  if (own === undefined || other === undefined) return own === other;
  return equals(own, other);
}

function dataMapEquals(a: DataMap, b: CelValue): boolean | CelError {
  if (!isMap(b)) return noOverload;
  if (mapSize(a) !== mapSize(b)) return false;
  for (const property of Object.keys(a.raw)) {
    const key = a.type.kind === 'object' ? a.type.properties.get(property)?.name : property;
    const equal = key === undefined ? hiddenEquals(a, b, property) : entryEquals(a, b, key);
    if (equal !== true) return equal;
  }
  return true;
}

function dataListEquals(a: DataList, b: CelValue): boolean | CelError {
  if (!isList(b)) return noOverload;
  if (a.raw.length !== listSize(b)) return false;
  const { listType } = a.type.hints;
  if (listType === 'set') return setEquals(a, b);
  if (listType === 'map') return mapListEquals(a, b);
  for (let at = 0; at < a.raw.length; at++) {
    const equal = equals(listAt(a, at), listAt(b, at));
    if (equal !== true) return equal;
  }
  return true;
}

/** The JSON behind an element, for sets and keys, which compare raw values. */
export function rawOf(value: CelValue): unknown {
  if (value instanceof DataMap || value instanceof DataList || value instanceof CelDouble) {
    return value instanceof CelDouble ? value.value : value.raw;
  }
  return value;
}

/** The key that identifies an element of a list of type map. */
export function listMapKey(list: DataList, element: unknown): string {
  const record = typeof element === 'object' && element !== null ? (element as Readonly<Record<string, unknown>>) : {};
  return JSON.stringify((list.type.hints.listMapKeys ?? []).map((key) => String(record[key])));
}

function setEquals(a: DataList, b: CelList): boolean {
  const own = new Set(a.raw);
  return (b instanceof DataList ? b.raw : listItems(b).map(rawOf)).every((element) => own.has(element));
}

function mapListEquals(a: DataList, b: CelList): boolean | CelError {
  const byKey = new Map(a.raw.map((element) => [listMapKey(a, element), element]));
  for (const item of listItems(b)) {
    const own = byKey.get(listMapKey(a, rawOf(item)));
    if (own === undefined) return false;
    const equal = equals(fromData(own, a.element), item);
    if (equal !== true) return equal;
  }
  return true;
}

/** Whether a list has an element equal to the value; an error of a comparison counts only when none is. */
export function listContains(list: CelList, value: CelValue): boolean | CelError {
  let failed: CelError | undefined;
  const size = listSize(list);
  for (let at = 0; at < size; at++) {
    const element = listAt(list, at);
    const equal = list instanceof DataList ? equals(element, value) : equals(value, element);
    if (equal === true) return true;
    if (equal !== false && list instanceof DataList) failed ??= equal;
  }
  return failed ?? false;
}
