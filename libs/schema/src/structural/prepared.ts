/** Whether a value is already what pruning, dropping nulls and defaulting would make of it. */
import type { JsonObject } from '@capstan/meta';
import { type SchemaNode, memberSchemaOf, schemaFeature, valueSchemaOf } from './schema-node.js';

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

function hasDefaults(object: JsonObject, { defaulted }: SchemaNode): boolean {
  for (const [name] of defaulted) if (!Object.hasOwn(object, name) || object[name] === undefined) return false;
  return true;
}

/** Whether there is no member in it, at any depth. */
function isBare(value: unknown): boolean {
  if (!isTree(value)) return true;
  return Array.isArray(value) ? value.every(isBare) : Object.keys(value).length === 0;
}

/** What nothing is known of stays only where unknown fields do; a value that is no tree has nothing in it to be unknown. */
function isMemberSettled(value: unknown, node: SchemaNode | undefined): boolean {
  if (value === null) return node?.nullable === true;
  if (typeof value !== 'object') return true;
  if (node === undefined) return isBare(value);
  return isSettled(value as object, node, node.embeddedResource, node.preserveUnknownFields === true);
}

function areMembersSettled(object: JsonObject, node: SchemaNode, isResource: boolean, keepsUnknown: boolean): boolean {
  if ((node.features & schemaFeature.defaults) !== 0 && !hasDefaults(object, node)) return false;
  const isClosed = node.additionalProperties === undefined && !keepsUnknown;
  for (const name in object) {
    const member = memberSchemaOf(node, name);
    if (isResource && isMetaField(name)) {
      if (!isMetaSettled(object[name], member)) return false;
    } else if (member !== undefined || node.additionalProperties !== undefined) {
      if (!isMemberSettled(object[name], member)) return false;
    } else if (isClosed) return false;
  }
  return true;
}

function areItemsSettled(list: readonly unknown[], items: SchemaNode | undefined, keepsUnknown: boolean): boolean {
  for (const item of list) {
    if (item === null) return false;
    if (typeof item !== 'object') continue;
    if (items === undefined ? !keepsUnknown : !isItemSettled(item, items, keepsUnknown)) return false;
  }
  return true;
}

function isItemSettled(item: object, items: SchemaNode, keepsUnknown: boolean): boolean {
  return isSettled(item, items, items.embeddedResource, keepsUnknown || items.preserveUnknownFields === true);
}

function isSettled(value: object, node: SchemaNode, isResource: boolean, keepsUnknown: boolean): boolean {
  if (Array.isArray(value)) return areItemsSettled(value, node.items, keepsUnknown);
  return areMembersSettled(value as JsonObject, node, isResource, keepsUnknown);
}

/**
 * Whether preparing the resource would leave it as it is. False may be wrong, where telling takes more than a look; then
 * the resource is prepared for nothing.
 */
export function isPrepared(value: unknown, root: SchemaNode): boolean {
  return !isTree(value) || isSettled(value, root, true, root.preserveUnknownFields === true);
}
