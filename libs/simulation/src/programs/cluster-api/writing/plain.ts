import type { JsonObject } from '@capstan/meta';

/** A copy without members that are undefined: no JSON has them. */
export function plain<T>(value: T): T {
  return clean(value) as T;
}

function clean(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(clean);
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) if (item !== undefined) copy[key] = clean(item);
  return copy;
}

/** Whether a record has nothing in it. */
export function isEmpty(value: object | undefined): boolean {
  return value === undefined || Object.values(value).every((item) => item === undefined);
}
