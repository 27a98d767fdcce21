import type { JsonObject } from '../object.js';

/** Deep equality of normalised objects: absent, null and the empty list are one; `{}` is a set pointer, so it is not. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return isEmpty(a) && isEmpty(b);
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => equalJson(item, b[i]));
  if (Array.isArray(a) || Array.isArray(b)) return isEmpty(a) && isEmpty(b);
  return equalObjects(a as JsonObject, b as JsonObject);
}

function equalObjects(left: JsonObject, right: JsonObject): boolean {
  for (const key of Object.keys(left)) if (!equalJson(left[key], right[key])) return false;
  for (const key of Object.keys(right))
    if (!Object.hasOwn(left, key) && !equalJson(undefined, right[key])) return false;
  return true;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
