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
import { type SchemaNode, schemaFeature, valueSchemaOf } from '../schema/schema-node.js';

const unspecified: unique symbol = Symbol('unspecified key');

/** Up to here it takes less to look than to remember. */
const fewItems = 16;

/** Whether it is plain that nothing repeats: a few texts, each unlike the others. */
function isPlainlyUnique(items: readonly unknown[]): boolean {
  if (items.length > fewItems) return false;
  for (let at = 0; at < items.length; at++) {
    if (typeof items[at] !== 'string') return false;
    for (let before = 0; before < at; before++) if (items[before] === items[at]) return false;
  }
  return true;
}

/** The indices at which a value appears for the second time. */
function repeated(items: readonly unknown[]): number[] {
  if (isPlainlyUnique(items)) return [];
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

function checkList(list: readonly unknown[], node: SchemaNode, at: Place, out: FieldError[]): void {
  const { path, since } = at;
  const before = Array.isArray(since) ? (since as readonly unknown[]) : undefined;
  if (node.listType === 'set' && list.length > 1) {
    for (const index of repeated(list)) out.push(duplicate(indexField(path, index), plainFloat(list[index])));
  } else if (node.listType === 'map') checkMapList(list, node.listMapKeys, path, out);
  const { items } = node;
  if (items === undefined) return;
  if ((items.features & schemaFeature.uniqueLists) === 0) return;
  for (const [index, item] of list.entries())
    check(item, items, { path: indexField(path, index), since: before?.[index] }, out);
}

function checkMembers(object: JsonObject, node: SchemaNode, { path, since }: Place, out: FieldError[]): void {
  const values = valueSchemaOf(node);
  const before = isObject(since) ? since : undefined;
  for (const name in object) {
    const value = object[name];
    if (typeof value !== 'object' || value === before?.[name]) continue;
    const member = node.properties?.get(name);
    if (values !== undefined) check(value, values, { path: keyField(path, name), since: before?.[name] }, out);
    if (member !== undefined) check(value, member, { path: joinField(path, name), since: before?.[name] }, out);
  }
}

/** Where a value is. */
interface Place {
  readonly path: string;
  /** A value in which nothing repeats: what is the very same is not looked at again. */
  readonly since: unknown;
}

function check(value: unknown, node: SchemaNode, at: Place, out: FieldError[]): void {
  if (typeof value !== 'object' || value === null || (node.features & schemaFeature.uniqueLists) === 0) return;
  if (value === at.since) return;
  if (Array.isArray(value)) checkList(value, node, at, out);
  else if (isObject(value)) checkMembers(value as JsonObject, node, at, out);
}

/** Reports items that repeat in lists that must not have repetitions; in `since` nothing does. */
export function checkListTypes(value: unknown, node: SchemaNode, since?: unknown): FieldError[] {
  const out: FieldError[] = [];
  check(value, node, { path: '', since }, out);
  return out;
}
