/**
 * Which old value a value replaces. Members correlate by name, items of a map list by their keys, items of other
 * lists not at all. Two quirks of the server are kept: a member the schema does not know makes its object count as
 * changed, and a map list counts as unchanged when only its order changed.
 */
import { deepEqual, type JsonObject } from '@capstan/meta';
import { type SchemaNode, memberSchemaOf } from './schema-node.js';

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function scalarKey(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return `s${value}`;
    case 'number':
    case 'bigint':
      return `n${value}`;
    case 'boolean':
      return `b${value}`;
    default:
      return undefined;
  }
}

/** The identity of an item among those of its map list, or `undefined` where it has none. */
function itemKey(item: unknown, keys: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined;
  let identity = '';
  for (const key of keys) {
    const part = Object.hasOwn(item, key) ? scalarKey(item[key]) : undefined;
    if (part === undefined) return undefined;
    identity += keys.length === 1 ? part : `${part.length}:${part}`;
  }
  return identity;
}

/** Finds the item of an old map list that has the same keys; of several the first. */
export class MapListIndex {
  readonly #keys: readonly string[];
  readonly #items = new Map<string, unknown>();

  constructor(node: SchemaNode, items: readonly unknown[]) {
    const usable = node.type === 'array' && node.listType === 'map';
    this.#keys = usable ? node.listMapKeys : [];
    if (this.#keys.length === 0) return;
    for (const item of items) {
      const key = itemKey(item, this.#keys);
      if (key !== undefined && !this.#items.has(key)) this.#items.set(key, item);
    }
  }

  get(item: unknown): unknown {
    if (this.#items.size === 0) return undefined;
    const key = itemKey(item, this.#keys);
    return key === undefined ? undefined : this.#items.get(key);
  }
}

/** A value with the old value it replaces. */
export class Correlation {
  readonly value: unknown;
  readonly old: unknown;
  readonly #node: SchemaNode;
  readonly #isOldSound: boolean;
  #unchanged: boolean | undefined;
  #oldItems: MapListIndex | undefined;
  #children: Map<string | number, Correlation> | undefined;

  /** `isOldSound`: the old value is known to pass every check of its schema but the rules. */
  constructor(value: unknown, old: unknown, node: SchemaNode, isOldSound = false) {
    this.value = value;
    this.old = old;
    this.#node = node;
    this.#isOldSound = isOldSound;
  }

  /** Whether a member needs no check: it is the very one of an old value that passed. */
  keepsMember(name: string, member: unknown): boolean {
    // Nothing that is inherited is ever a member's value.
    return this.#isOldSound && isObject(this.old) && this.old[name] === member && member !== undefined;
  }

  /** The same of an item, at its old place. */
  keepsItem(at: number, item: unknown): boolean {
    return this.#isOldSound && Array.isArray(this.old) && at < this.old.length && this.old[at] === item;
  }

  #child(at: string | number, value: unknown, old: unknown, node: SchemaNode): Correlation {
    const child = new Correlation(value, old, node, this.#isOldSound);
    (this.#children ??= new Map<string | number, Correlation>()).set(at, child);
    return child;
  }

  /** The correlation of a member, or `undefined` when it has no old value or no schema. */
  key(name: string): Correlation | undefined {
    const known = this.#children?.get(name);
    if (known !== undefined) return known;
    const { value, old } = this;
    if (!isObject(value) || !isObject(old) || !Object.hasOwn(value, name) || !Object.hasOwn(old, name))
      return undefined;
    const node = memberSchemaOf(this.#node, name);
    return node && this.#child(name, value[name], old[name], node);
  }

  /** The correlation of an item, or `undefined` when it has no old value. */
  index(at: number): Correlation | undefined {
    const known = this.#children?.get(at);
    if (known !== undefined) return known;
    const { value, old } = this;
    if (!Array.isArray(value) || !Array.isArray(old) || this.#node.listType !== 'map') return undefined;
    const oldItem = this.#oldItem(value[at], old, at);
    const { items } = this.#node;
    if (oldItem === undefined || oldItem === null || items === undefined) return undefined;
    return this.#child(at, value[at], oldItem, items);
  }

  #oldItem(item: unknown, old: readonly unknown[], at: number): unknown {
    const { listMapKeys, type } = this.#node;
    // In a sound list nothing repeats, so that an item at its old place is the one.
    if (this.#isOldSound && type === 'array' && isObject(item)) {
      const key = itemKey(item, listMapKeys);
      if (key !== undefined && key !== '' && key === itemKey(old[at], listMapKeys)) return old[at];
    }
    this.#oldItems ??= new MapListIndex(this.#node, old);
    return this.#oldItems.get(item);
  }

  /** Whether value and old value are the same. */
  unchanged(): boolean {
    return (this.#unchanged ??= this.#compare());
  }

  #compare(): boolean {
    const { value, old } = this;
    if (value === null || old === null) return value === old;
    if (Array.isArray(value)) return Array.isArray(old) && this.#sameItems(value, old);
    if (isObject(value)) return isObject(old) && this.#sameMembers(value, old);
    return value === old;
  }

  #sameItems(value: readonly unknown[], old: readonly unknown[]): boolean {
    if (value.length !== old.length) return false;
    if (this.#node.listType !== 'map') return deepEqual(value, old);
    return value.every((_, at) => this.index(at)?.unchanged() ?? false);
  }

  #sameMembers(value: JsonObject, old: JsonObject): boolean {
    const names = Object.keys(value);
    return names.length === Object.keys(old).length && names.every((name) => this.key(name)?.unchanged() ?? false);
  }
}
