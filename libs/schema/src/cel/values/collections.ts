/** Lists and maps in all their representations: plain JSON, literals of an expression, and data under a schema. */
import { DataList, DataMap, fromData } from './data.js';
import { Aborted } from './frame.js';
import { adapt, CelBoxed, CelBytes, CelDouble, CelError, CelUint, normalInt } from './values.js';
import type { CelValue } from './values.js';

const unhashable = 'internal error: runtime error: hash of unhashable type types.Bytes';
const unhashableRemoved = 'internal error: hash of unhashable type: types.Bytes';

/** What a numeric or other key is filed under, so that 1, 1u and 1.0 meet. The server trips over bytes. */
function canonicalKey(key: CelValue, fault = unhashable): unknown {
  if (typeof key !== 'object') return key;
  if (key instanceof CelBytes) throw new Aborted(fault);
  if (key instanceof CelUint) return normalInt(key.value);
  if (key instanceof CelDouble) return Number.isNaN(key.value) ? key : key.value;
  return key;
}

/** A map made by an expression; keys are strings, ints, uints or bools. */
export class CelMap extends CelBoxed {
  readonly kind = 'map';
  readonly #entries = new Map<unknown, readonly [CelValue, CelValue]>();

  get size(): number {
    return this.#entries.size;
  }
  get(key: CelValue): CelValue {
    return this.#entries.get(canonicalKey(key))?.[1];
  }
  set(key: CelValue, value: CelValue): void {
    this.#entries.set(canonicalKey(key), [key, value]);
  }
  delete(key: CelValue): void {
    this.#entries.delete(canonicalKey(key, unhashableRemoved));
  }
  keys(): CelValue[] {
    return [...this.#entries.values()].map(([key]) => key);
  }
  /** A map with the same entries. */
  copy(): CelMap {
    const copy = new CelMap();
    for (const [key, value] of this.#entries.values()) copy.set(key, value);
    return copy;
  }
}

/** A list in any representation. */
export type CelList = readonly unknown[] | DataList;
/** A map in any representation; a plain object has string keys and JSON values. */
export type CelMapping = CelMap | DataMap | Readonly<Record<string, unknown>>;

/** Whether it is a list. */
export function isList(value: CelValue): value is CelList {
  return Array.isArray(value) || value instanceof DataList;
}

/** Whether it is a map or an object. */
export function isMap(value: CelValue): value is CelMapping {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof CelBoxed) return value.kind === 'map';
  return !Array.isArray(value);
}

const sums = new WeakSet<readonly unknown[]>();

/** Remembers that a list is a sum of others, because one message depends on it. */
export function concatenated(list: readonly unknown[]): CelList {
  sums.add(list);
  return list;
}

/** Whether a list is a sum of others. */
export function isSum(list: readonly unknown[]): boolean {
  return sums.has(list);
}

/** Number of elements. */
export function listSize(list: CelList): number {
  return list instanceof DataList ? list.raw.length : list.length;
}

/** The element at an index within bounds. */
export function listAt(list: CelList, index: number): CelValue {
  return list instanceof DataList ? fromData(list.raw[index], list.element) : adapt(list[index]);
}

/** All elements as CEL values. */
export function listItems(list: CelList): readonly CelValue[] {
  if (list instanceof DataList) return list.raw.map((raw) => fromData(raw, list.element));
  return list.map(adapt);
}

/** Number of entries; undeclared ones of an object count too. */
export function mapSize(map: CelMapping): number {
  if (map instanceof CelMap) return map.size;
  return Object.keys(map instanceof DataMap ? (map.raw as object) : map).length;
}

/** The value of a key, undefined when there is none, an error when the key cannot be one. */
export function mapFind(map: CelMapping, key: CelValue): CelValue {
  if (map instanceof CelMap) return map.get(key);
  if (map instanceof DataMap) return typeof key === 'string' ? map.find(key) : new CelError('no such overload');
  if (typeof key !== 'string' || !Object.hasOwn(map, key)) return undefined;
  return adapt((map as Readonly<Record<string, unknown>>)[key]);
}

/** The keys, in the order the data has them. */
export function mapKeys(map: CelMapping): readonly CelValue[] {
  return map instanceof CelMap || map instanceof DataMap ? map.keys() : Object.keys(map);
}
