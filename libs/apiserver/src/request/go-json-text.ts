import { compareBytes, getOwn, setOwn, stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { htmlEscaped } from '../codec/index.js';

/**
 * What a patch did to a value: looked into the members named, left it as it was written, or rebuilt it from maps.
 * Of what it looked into, or made, the keys are sorted.
 */
export type Touched = { readonly [key: string]: Touched } | 'as written' | 'sorted';

/** JSON as Go prints a patched object. Only for messages. */
export function goJsonText(value: unknown, touched: Touched): string {
  return htmlEscaped(stringifyJson(arranged(value, touched)));
}

/** A value with its keys in the order Go prints them in. */
export function arranged(value: unknown, touched: Touched): unknown {
  if (value === null || typeof value !== 'object' || touched === 'as written') return value;
  const inside = (key: string): Touched => (touched === 'sorted' ? touched : (touched[key] ?? 'as written'));
  if (Array.isArray(value)) return value.map((item: unknown, index) => arranged(item, inside(String(index))));
  const object = value as JsonObject;
  const out: JsonObject = {};
  for (const key of Object.keys(object).sort(compareBytes)) setOwn(out, key, arranged(object[key], inside(key)));
  return out;
}

/** What a merge patch touches of a value: all it names, down to the values it brings. */
export function touchedByMerge(patch: unknown, value: unknown): Touched {
  // A list in the place of an object is not looked into.
  if (!isMap(patch)) return isMap(value) ? 'as written' : 'sorted';
  const out: Record<string, Touched> = {};
  for (const [key, item] of Object.entries(patch))
    setOwn(out, key, touchedByMerge(item, isMap(value) ? getOwn(value, key) : undefined));
  return out;
}

function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What operations on paths touch: the way to them. */
export function touchedByPaths(paths: readonly (readonly string[])[]): Touched {
  const root: Record<string, Touched> = {};
  for (const path of paths) {
    let at = root;
    for (const token of path.slice(0, -1)) {
      const next = (getOwn(at, token) ?? {}) as Record<string, Touched>;
      setOwn(at, token, next);
      at = next;
    }
  }
  return root;
}
