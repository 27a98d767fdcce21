/** Parts of samples: members, metadata, and when two items are the same. */
import { deepEqual, getOwn, type JsonObject, setOwn } from '@capstan/meta';
import type { SchemaNode } from '@capstan/schema';

/** What was found out about a schema, by its JSON: the same for every sampler, since dice restart for each node. */
export interface Known {
  scalars?: readonly unknown[];
  least?: { readonly value: unknown };
  distinct?: { readonly count: number; readonly values: readonly unknown[] };
}

const everything = new Map<number, WeakMap<object, Known>>();

/** What is known of a node. */
export function knownOf(node: SchemaNode, minor: number): Known {
  let byNode = everything.get(minor);
  if (byNode === undefined) everything.set(minor, (byNode = new WeakMap()));
  let known = byNode.get(node.raw);
  if (known === undefined) byNode.set(node.raw, (known = {}));
  return known;
}

/** Sets a member, unless no value was found for it. */
export function setMember(object: JsonObject, name: string, value: unknown): void {
  if (value !== undefined) setOwn(object, name, value);
}

/** All that the metadata of a resource may hold. */
export const wholeMetadata: JsonObject = {
  name: 'a',
  namespace: 'b',
  labels: { key: 'value' },
  annotations: { key: 'value' },
  finalizers: ['example.com/finalizer'],
};

/** Sets a member to null, and makes the objects on the way to it. */
export function setNull(object: JsonObject, [name = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) {
    setOwn(object, name, null);
    return;
  }
  const inner = getOwn(object, name);
  const next = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as JsonObject) : {};
  setOwn(object, name, next);
  setNull(next, rest);
}

/** Whether values of a node have items or members. */
export function hasParts({ type }: SchemaNode): boolean {
  return type === 'object' || type === 'array';
}

/** Whether a list would take two items for the same. */
export function sameItem(a: unknown, b: unknown, node: SchemaNode): boolean {
  if (node.listType !== 'map') return deepEqual(a, b);
  const keyed = (item: unknown): unknown[] => node.listMapKeys.map((key) => getOwn((item ?? {}) as JsonObject, key));
  return deepEqual(keyed(a), keyed(b));
}

/** The value where it is an object, or an empty one. */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
