/** Defaults, and the nulls that give way to them. */
import { type JsonObject, cloneJson, setOwn } from '@capstan/meta';
import { type SchemaNode, memberSchemaOf, schemaFeature, valueSchemaOf } from '../schema/schema-node.js';

function isUnwantedNull(value: unknown, node: SchemaNode | undefined): node is SchemaNode {
  return value === null && node !== undefined && !node.nullable;
}

/**
 * Removes, in place, null members that are neither nullable nor defaulted. Nulls in lists stay, for validation to
 * complain about; nulls with a default stay for {@link applyDefaults}.
 */
export function dropInvalidNulls(value: unknown, node: SchemaNode | undefined): void {
  if (typeof value !== 'object' || value === null || node === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) dropInvalidNulls(item, node.items);
    return;
  }
  const object = value as JsonObject;
  for (const name in object) {
    const member = object[name];
    if (typeof member !== 'object') continue;
    const schema = memberSchemaOf(node, name);
    if (isUnwantedNull(member, schema) && schema.default === undefined) delete object[name];
    else dropInvalidNulls(member, schema);
  }
}

/** A copy of the default where the value is an unwanted null, else the value. */
function replaceNull(value: unknown, node: SchemaNode | undefined): unknown {
  return isUnwantedNull(value, node) ? cloneJson(node.default ?? null) : value;
}

function defaultMembers(object: JsonObject, node: SchemaNode): void {
  for (const [name, schema] of node.defaulted) {
    const present = Object.hasOwn(object, name) && object[name] !== undefined;
    if (!present || isUnwantedNull(object[name], schema)) setOwn(object, name, cloneJson(schema.default));
  }
  const values = valueSchemaOf(node);
  for (const name in object) {
    const own = node.properties?.get(name);
    if (own === undefined && values !== undefined && object[name] === null) object[name] = replaceNull(null, values);
    applyDefaults(object[name], own ?? values);
  }
}

/** Fills in defaults, in place: at every depth, but only inside objects that are there. */
export function applyDefaults(value: unknown, node: SchemaNode | undefined): void {
  if (node === undefined || typeof value !== 'object' || value === null) return;
  if ((node.features & schemaFeature.defaults) === 0) return;
  if (!Array.isArray(value)) {
    defaultMembers(value as JsonObject, node);
    return;
  }
  const { items } = node;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === null) value[at] = replaceNull(null, items);
    applyDefaults(value[at], items);
  }
}
