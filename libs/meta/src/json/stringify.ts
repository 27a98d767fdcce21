/** JSON out. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../object.js';
import { compareBytes } from './compare-bytes.js';

/** What the caller already knows about the value. */
export interface StringifyJsonOptions {
  /** True goes straight to the encoder that knows `bigint`. */
  readonly hasBigInt?: boolean;
}

/** The keys in the order they are written. */
type KeyOrder = (object: JsonObject) => string[];

function sortedKeys(object: JsonObject): string[] {
  return Object.keys(object).sort(compareBytes);
}

function write(value: unknown, keysOf: KeyOrder): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    let out = '[';
    for (let k = 0; k < value.length; k++) out += (k === 0 ? '' : ',') + write(value[k], keysOf);
    return `${out}]`;
  }
  const object = value as JsonObject;
  let out = '';
  for (const key of keysOf(object)) {
    const item = object[key];
    if (item === undefined) continue;
    out += `${out === '' ? '' : ','}${JSON.stringify(key)}:${write(item, keysOf)}`;
  }
  return `{${out}}`;
}

/** JSON text of a value; `bigint` is written as the integer it is. */
export function stringifyJson(value: unknown, options?: StringifyJsonOptions): string {
  if (options?.hasBigInt !== true) {
    try {
      return JSON.stringify(value) ?? 'null';
    } catch (error) {
      // The native encoder refuses bigint with a TypeError; a cyclic value ends below in a RangeError.
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return write(value, Object.keys);
}

/** JSON text with keys in UTF-8 byte order at every level: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return write(value, sortedKeys);
}

/** SHA-256 of {@link canonicalJson}, in hex. */
export function canonicalHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value), 'utf8').digest('hex');
}
