/** Uniqueness in lists of type `set` and `map`. */
import {
  type FieldError,
  type JsonObject,
  canonicalJson,
  duplicate,
  indexField,
  WholeFloat,
  invalid,
  joinField,
  keyField,
  plainFloat,
} from '@capstan/meta';
import { type SchemaNode, schemaFeature, valueSchemaOf } from './schema-node.js';

const unspecified: unique symbol = Symbol('unspecified key');

/** The indices at which a value appears for the second time. */
function repeated(items: readonly unknown[]): number[] {
  const times = new Map<unknown, number>();
  const found: number[] = [];
  for (const [index, item] of items.entries()) {
    // A compound is compared by its text; the prefix keeps it apart from a string of the same text.
    const key = typeof item === 'object' && item !== null ? `\u0000${canonicalJson(item)}` : item;
    const seen = times.get(key) ?? 0;
    if (seen === 1) found.push(index);
    times.set(key, seen + 1);
  }
  return found;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WholeFloat);
}

/** The identity of an item as the server shows it. */
function keysOf(item: unknown, names: readonly string[]): JsonObject {
  const keys: JsonObject = {};
  if (!isObject(item)) return keys;
  for (const name of names) if (Object.hasOwn(item, name)) keys[name] = plainFloat(item[name]);
  return keys;
}

function singleKey(item: unknown, name: string): unknown {
  return isObject(item) && Object.hasOwn(item, name) ? item[name] : unspecified;
}

function checkMapList(list: readonly unknown[], names: readonly string[], path: string, out: FieldError[]): void {
  for (const [index, item] of list.entries()) {
    if (item === null || isObject(item)) continue;
    out.push(invalid(indexField(path, index), plainFloat(item), 'must be an object for an array of list-type map'));
    return;
  }
  if (list.length < 2) return;
  const [name = ''] = names;
  const keys = list.map((item) => (names.length === 1 ? singleKey(item, name) : keysOf(item, names)));
  for (const index of repeated(keys)) out.push(duplicate(indexField(path, index), keysOf(list[index], names)));
}

function checkList(list: readonly unknown[], node: SchemaNode, path: string, out: FieldError[]): void {
  if (node.listType === 'set' && list.length > 1) {
    for (const index of repeated(list)) out.push(duplicate(indexField(path, index), plainFloat(list[index])));
  } else if (node.listType === 'map') checkMapList(list, node.listMapKeys, path, out);
  const { items } = node;
  if (items === undefined) return;
  for (const [index, item] of list.entries()) check(item, items, indexField(path, index), out);
}

function checkMembers(object: JsonObject, node: SchemaNode, path: string, out: FieldError[]): void {
  const values = valueSchemaOf(node);
  for (const name in object) {
    const member = node.properties?.get(name);
    if (values !== undefined) check(object[name], values, keyField(path, name), out);
    if (member !== undefined) check(object[name], member, joinField(path, name), out);
  }
}

function check(value: unknown, node: SchemaNode, path: string, out: FieldError[]): void {
  if (typeof value !== 'object' || value === null || (node.features & schemaFeature.uniqueLists) === 0) return;
  if (Array.isArray(value)) checkList(value, node, path, out);
  else if (isObject(value)) checkMembers(value as JsonObject, node, path, out);
}

/** Reports items that repeat in lists that must not have repetitions. */
export function checkListTypes(value: unknown, node: SchemaNode): FieldError[] {
  const out: FieldError[] = [];
  check(value, node, '', out);
  return out;
}
