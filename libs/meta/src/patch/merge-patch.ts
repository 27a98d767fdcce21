/** JSON merge patch (RFC 7386) as the Kubernetes server runs it. */
import type { JsonObject } from '../object.js';
import { getOwn, setOwn } from '../json/set-own.js';
import { copyMembers } from '../json/copies.js';
import { deepEqual } from '../json/values.js';
import { JsonPatchError } from './errors.js';

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Drops null members of objects at every depth; null list elements stay. Shares what holds none. */
function pruneNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? pruneItems(value) : pruneMembers(value as JsonObject);
}

function pruneItems(items: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const pruned = pruneNulls(item);
    if (pruned !== item) (copy ??= items.slice())[index] = pruned;
  }
  return copy ?? items;
}

function pruneMembers(object: JsonObject): JsonObject {
  let copy: JsonObject | undefined;
  for (const key in object) {
    const item = object[key];
    const pruned = pruneNulls(item);
    if (item === null) delete (copy ??= copyMembers(object))[key];
    else if (pruned !== item) setOwn((copy ??= copyMembers(object)), key, pruned);
  }
  return copy ?? object;
}

function mergeObjects(doc: JsonObject, patch: JsonObject): JsonObject {
  let copy: JsonObject | undefined;
  for (const key in patch) {
    const change = patch[key];
    const current = getOwn(doc, key);
    if (change === null || change === undefined) {
      if (Object.hasOwn(doc, key)) delete (copy ??= copyMembers(doc))[key];
      continue;
    }
    // A list put in the place of an object is taken as it is, nulls included; everything else new is pruned.
    const next = !isObject(current) ? pruneNulls(change) : isObject(change) ? mergeObjects(current, change) : change;
    if (next !== current) setOwn((copy ??= copyMembers(doc)), key, next);
  }
  return copy ?? doc;
}

/**
 * The document with the patch merged in; neither is changed, untouched subtrees are shared, and a patch that changes
 * nothing gives the very same document. Throws {@link JsonPatchError} when the patch is neither object nor list.
 */
export function applyMergePatch(doc: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) return pruneNulls(patch);
  if (!isObject(patch)) throw new JsonPatchError('decode', 'Invalid JSON Patch');
  if (doc === null || doc === undefined) throw new JsonPatchError('apply', 'Invalid JSON Document');
  return isObject(doc) ? mergeObjects(doc, patch) : pruneNulls(patch);
}

/** The merge patch that turns one object into the other; `{}` when they are equal. Nulls in `to` cannot be expressed. */
export function createMergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const key in to) {
    const before = getOwn(from, key);
    const after = to[key];
    if (before === after) continue;
    if (isObject(before) && isObject(after)) {
      const nested = createMergePatch(before, after);
      if (Object.keys(nested).length > 0) setOwn(patch, key, nested);
    } else if (!deepEqual(before, after)) {
      setOwn(patch, key, after);
    }
  }
  for (const key in from) {
    if (from[key] !== undefined && getOwn(to, key) === undefined) setOwn(patch, key, null);
  }
  return patch;
}
