import type { JsonObject } from '@capstan/meta';

/**
 * Whether everything that is wanted is there. What the server or others have added does not count as a difference: other
 * fields of an object, other elements of a list whose elements have names.
 */
export function isSubset(wanted: unknown, actual: unknown): boolean {
  if (wanted === undefined) return true;
  // A server leaves out what is empty.
  if (Array.isArray(wanted))
    return actual === undefined ? wanted.length === 0 : isList(actual) && isSublist(wanted, actual);
  if (!isObject(wanted)) return wanted === actual;
  if (actual === undefined) return Object.values(wanted).every((value) => value === undefined);
  return isObject(actual) && Object.entries(wanted).every(([key, value]) => isSubset(value, ownField(actual, key)));
}

function isSublist(wanted: readonly unknown[], actual: readonly unknown[]): boolean {
  const names = wanted.map(nameOf);
  if (wanted.length === 0 || names.includes(undefined)) {
    return wanted.length === actual.length && wanted.every((value, index) => isSubset(value, actual[index]));
  }
  const byName = new Map(actual.map((value) => [nameOf(value), value]));
  return wanted.every((value, index) => isSubset(value, byName.get(names[index])));
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function nameOf(value: unknown): string | undefined {
  const name = isObject(value) ? ownField(value, 'name') : undefined;
  return typeof name === 'string' ? name : undefined;
}

function ownField(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
