/** The JSON patch (RFC 6902) between two documents. */
import type { JsonObject } from '../object.js';
import { compareBytes } from '../json/compare-bytes.js';
import { getOwn } from '../json/set-own.js';
import { deepEqual } from '../json/values.js';

/** An operation as it goes over the wire. */
interface CreatedOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function step(path: string, key: string): string {
  return `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function keys(object: JsonObject): string[] {
  return Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort(compareBytes);
}

function diffObjects(from: JsonObject, to: JsonObject, path: string, out: CreatedOperation[]): void {
  for (const key of keys(from)) if (getOwn(to, key) === undefined) out.push({ op: 'remove', path: step(path, key) });
  for (const key of keys(to)) {
    const before = getOwn(from, key);
    if (before === undefined) out.push({ op: 'add', path: step(path, key), value: to[key] });
    else diff(before, to[key], step(path, key), out);
  }
}

/** Element by element from the front; what is over at the end is taken off from the back, so that no index shifts. */
function diffLists(from: readonly unknown[], to: readonly unknown[], path: string, out: CreatedOperation[]): void {
  const shared = Math.min(from.length, to.length);
  for (let at = 0; at < shared; at += 1) diff(from[at], to[at], `${path}/${at}`, out);
  for (let at = from.length - 1; at >= shared; at -= 1) out.push({ op: 'remove', path: `${path}/${at}` });
  for (let at = shared; at < to.length; at += 1) out.push({ op: 'add', path: `${path}/${at}`, value: to[at] });
}

function diff(from: unknown, to: unknown, path: string, out: CreatedOperation[]): void {
  if (from === to) return;
  if (isObject(from) && isObject(to)) diffObjects(from, to, path, out);
  else if (Array.isArray(from) && Array.isArray(to)) diffLists(from, to, path, out);
  else if (!deepEqual(from, to)) out.push({ op: 'replace', path, value: to });
}

/** The operations that turn one document into the other, in a fixed order; none when they are equal. */
export function createJsonPatch(from: unknown, to: unknown): CreatedOperation[] {
  const out: CreatedOperation[] = [];
  diff(from, to, '', out);
  return out;
}
