import { deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

/**
 * What a list may hold beyond the desired items: nothing (`equal`), items of other names in a list whose items have names
 * (`named`), or anything, in any order (`superset`).
 */
export type ListRule = 'equal' | 'named' | 'superset';

/**
 * Whether everything that is desired is there. Fields that the server or another field manager added are no difference, and
 * neither is an empty list or object that the server left out.
 */
export function includesDesired(existing: unknown, desired: unknown, lists: ListRule = 'equal'): boolean {
  if (desired === undefined) return true;
  if (Array.isArray(desired)) {
    if (existing === undefined) return desired.length === 0;
    return Array.isArray(existing) && includesItems(existing, desired, lists);
  }
  if (!isObject(desired)) return deepEqual(existing, desired);
  if (existing === undefined) return Object.values(desired).every((value) => value === undefined);
  if (!isObject(existing)) return false;
  return Object.entries(desired).every(([key, value]) => includesDesired(ownField(existing, key), value, lists));
}

function includesItems(existing: readonly unknown[], desired: readonly unknown[], lists: ListRule): boolean {
  if (lists === 'superset') return desired.every((item) => existing.some((each) => deepEqual(each, item)));
  const names = desired.map(nameOf);
  if (lists === 'equal' || desired.length === 0 || names.includes(undefined))
    return (
      existing.length === desired.length && desired.every((item, at) => includesDesired(existing[at], item, lists))
    );
  const byName = new Map(existing.map((item) => [nameOf(item), item]));
  return desired.every((item, at) => includesDesired(byName.get(names[at]), item, lists));
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
