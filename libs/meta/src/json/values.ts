/** Whole-value operations on JSON trees. */
import type { JsonObject } from '../object.js';
import { setOwn } from './set-own.js';

/** Equal as JSON: key order and undefined members do not matter, `1` and `1n` differ. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let k = 0; k < a.length; k++) {
      if (!deepEqual(a[k], b[k])) return false;
    }
    return true;
  }
  if (Array.isArray(b)) return false;
  return objectsEqual(a as JsonObject, b as JsonObject);
}

function objectsEqual(a: JsonObject, b: JsonObject): boolean {
  let members = 0;
  for (const key in a) {
    const left = a[key];
    if (left === undefined) continue;
    members++;
    const right = b[key];
    if (left === right) continue;
    if (typeof left !== 'object' || left === null) return false;
    // Only `__proto__` inherits something an own JSON value could equal.
    if (right === undefined || (key === '__proto__' && !Object.hasOwn(b, key)) || !deepEqual(left, right)) return false;
  }
  for (const key in b) {
    if (b[key] !== undefined) members--;
  }
  return members === 0;
}

/** A deep copy sharing nothing mutable; frozen input gives a mutable copy. */
export function cloneJson<T>(value: T): T {
  return (typeof value === 'object' && value !== null ? cloneTree(value) : value) as T;
}

function cloneTree(value: object): object {
  // One by one: of what is frozen, as most that is copied, a slice or a spread takes twice as long.
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    for (let k = 0; k < value.length; k++) {
      const item: unknown = value[k];
      copy.push(typeof item === 'object' && item !== null ? cloneTree(item) : item);
    }
    return copy;
  }
  const copy: JsonObject = {};
  for (const key in value) {
    const item = (value as JsonObject)[key];
    setOwn(copy, key, typeof item === 'object' && item !== null ? cloneTree(item) : item);
  }
  return copy;
}

/** A deep copy that shares with another value, which nobody changes any more, whatever is equal in both. */
export function adoptJson<T>(value: T, before: unknown): T {
  return (typeof value === 'object' && value !== null ? adoptTree(value, before) : value) as T;
}

function adoptTree(value: object, before: unknown): object {
  if (value === before) return value;
  if (typeof before !== 'object' || before === null || Array.isArray(value) !== Array.isArray(before))
    return cloneTree(value);
  return Array.isArray(value)
    ? adoptItems(value, before as readonly unknown[])
    : adoptMembers(value as JsonObject, before as JsonObject);
}

function adoptItems(value: readonly unknown[], before: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined = value.length === before.length ? undefined : [];
  for (let k = 0; k < value.length; k++) {
    const item = value[k];
    const adopted = typeof item === 'object' && item !== null ? adoptTree(item, before[k]) : item;
    // What came before is what was there before.
    if (copy === undefined && !Object.is(adopted, before[k])) copy = firstItems(before, k);
    copy?.push(adopted);
  }
  return copy ?? before;
}

function firstItems(list: readonly unknown[], count: number): unknown[] {
  const first: unknown[] = [];
  for (let k = 0; k < count; k++) first.push(list[k]);
  return first;
}

function adoptMembers(value: JsonObject, before: JsonObject): JsonObject {
  let copy: JsonObject | undefined;
  let members = 0;
  for (const key in value) {
    const item = value[key];
    // An own `__proto__` stays one; one that is inherited equals nothing.
    const was = key === '__proto__' && !Object.hasOwn(before, key) ? undefined : before[key];
    const adopted = typeof item === 'object' && item !== null ? adoptTree(item, was) : item;
    if (copy === undefined && !Object.is(adopted, was)) copy = firstMembers(value, before, members);
    if (copy !== undefined) setOwn(copy, key, adopted);
    members++;
  }
  if (copy !== undefined) return copy;
  const count = members;
  for (const _ in before) members--;
  return members === 0 ? before : firstMembers(value, before, count);
}

/** The first members of a value as they were before, in the order they have now. */
function firstMembers(value: JsonObject, before: JsonObject, count: number): JsonObject {
  const first: JsonObject = {};
  let left = count;
  for (const key in value) {
    if (left-- === 0) break;
    setOwn(first, key, before[key]);
  }
  return first;
}

/**
 * Freezes the tree in place and returns it. A frozen node is taken to be frozen throughout, so shared subtrees cost
 * nothing: never freeze only the top of a tree by other means.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) freezeTree(value);
  return value;
}

function freezeTree(value: object): void {
  if (Array.isArray(value)) {
    for (let k = 0; k < value.length; k++) {
      const item: unknown = value[k];
      if (typeof item === 'object' && item !== null && !Object.isFrozen(item)) freezeTree(item);
    }
  } else {
    const object = value as JsonObject;
    for (const key in object) {
      const item = object[key];
      if (typeof item === 'object' && item !== null && !Object.isFrozen(item)) freezeTree(item);
    }
  }
  Object.freeze(value);
}
