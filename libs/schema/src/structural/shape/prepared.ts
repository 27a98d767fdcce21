/** Whether a value is already what pruning, dropping nulls and defaulting would make of it. */
import type { JsonObject } from '@capstan/meta';
import { type SchemaNode, memberSchemaOf, schemaFeature, valueSchemaOf } from '../schema/schema-node.js';

function isMetaField(name: string): boolean {
  return name === 'metadata' || name === 'apiVersion' || name === 'kind';
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Metadata is read by others; but a schema may have something to say about what is in it. */
function isMetaSettled(value: unknown, node: SchemaNode | undefined): boolean {
  if (node === undefined) return true;
  if (!isTree(value)) return value !== null || node.nullable;
  return node.properties === undefined && valueSchemaOf(node) === undefined;
}

function hasDefaults(object: JsonObject, { defaulted, features }: SchemaNode): boolean {
  if ((features & schemaFeature.defaults) === 0) return true;
  for (const [name] of defaulted) if (!Object.hasOwn(object, name) || object[name] === undefined) return false;
  return true;
}

/** Whether there is no member in it, at any depth. */
function isBare(value: unknown): boolean {
  if (!isTree(value)) return true;
  return Array.isArray(value) ? value.every(isBare) : Object.keys(value).length === 0;
}

/** What nothing is known of stays only where unknown fields do; a value that is no tree has nothing in it to be unknown. */
function isMemberSettled(value: unknown, node: SchemaNode | undefined, since: unknown): boolean {
  if (value === null) return node?.nullable === true;
  if (typeof value !== 'object') return true;
  if (node === undefined) return isBare(value);
  const isKept = node.preserveUnknownFields === true;
  return isSettled(value as object, node, { isResource: node.embeddedResource, keepsUnknown: isKept, since });
}

/** How a value is looked at. */
interface Look {
  readonly isResource: boolean;
  readonly keepsUnknown: boolean;
  /** What is settled: what is the very same needs no look. */
  readonly since: unknown;
}

function areMembersSettled(object: JsonObject, node: SchemaNode, { isResource, keepsUnknown, since }: Look): boolean {
  const before = membersOf(since);
  if (!hasDefaults(object, node)) return false;
  for (const name in object) {
    const value = object[name];
    const was = before[name];
    if (value === was && value !== undefined) continue;
    const member = memberSchemaOf(node, name);
    if (isResource && isMetaField(name)) {
      if (!isMetaSettled(value, member)) return false;
    } else if (member === undefined && node.additionalProperties === undefined) {
      if (!keepsUnknown) return false;
    } else if (!isMemberSettled(value, member, was)) return false;
  }
  return true;
}

const noMembers: JsonObject = {};

function membersOf(value: unknown): JsonObject {
  return isTree(value) && !Array.isArray(value) ? (value as JsonObject) : noMembers;
}

function areItemsSettled(list: readonly unknown[], items: SchemaNode | undefined, look: Look): boolean {
  const before = Array.isArray(look.since) ? (look.since as readonly unknown[]) : undefined;
  for (let at = 0; at < list.length; at++) {
    const item = list[at];
    if (item === null) return false;
    const was = before?.[at];
    if (typeof item !== 'object' || item === was) continue;
    if (items === undefined ? !look.keepsUnknown : !isItemSettled(item, items, look.keepsUnknown, was)) return false;
  }
  return true;
}

function isItemSettled(item: object, items: SchemaNode, keepsUnknown: boolean, since: unknown): boolean {
  const isKept = keepsUnknown || items.preserveUnknownFields === true;
  return isSettled(item, items, { isResource: items.embeddedResource, keepsUnknown: isKept, since });
}

function isSettled(value: object, node: SchemaNode, look: Look): boolean {
  if (Array.isArray(value)) return areItemsSettled(value, node.items, look);
  return areMembersSettled(value as JsonObject, node, look);
}

/**
 * Whether preparing the resource would leave it as it is. False may be wrong, where finding out is expensive; then
 * the resource is prepared for nothing. Of `since` it is known that it is prepared.
 */
export function isPrepared(value: unknown, root: SchemaNode, since?: unknown): boolean {
  const keepsUnknown = root.preserveUnknownFields === true;
  return !isTree(value) || isSettled(value, root, { isResource: true, keepsUnknown, since });
}
