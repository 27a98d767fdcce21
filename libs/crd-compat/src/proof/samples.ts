/** Values that a schema takes: small ones, full ones, and all kinds of them. */
import { type FieldError, type JsonObject, canonicalJson, cloneJson, setOwn } from '@capstan/meta';
import type { SchemaNode } from '@capstan/schema';
import { ANY, itemsOf, resourceNames, restOf } from '../drafts/any.js';
import type { SampleHint } from '../drafts/site.js';
import { candidatesOf } from './candidates.js';
import { readEmbedded } from './embedded.js';
import { type Keys, schemaFor } from './places.js';
import { Dice } from './random.js';
import { repaired } from './repair.js';
import { asObject, hasParts, knownOf, sameItem, setMember, setNull, wholeMetadata } from './sample-parts.js';
import { textsOfLength } from './texts.js';

/** How much of what is optional goes into a sample. */
type Amount = 'full' | 'least' | 'random';

/** No longer lists are built. */
const mostItems = 12_000;
const localBudget = 300;
const randomBudget = 30;

/** A place in a value that must be there, and maybe stay as it is. */
interface Kept {
  readonly keys: Keys;
  readonly frozen: boolean;
}

/** Makes samples of schema nodes. The same questions in the same order give the same answers. */
export class Sampler {
  readonly dice: Dice;
  readonly #minor: number;
  /** Constants of rules, which are worth trying where their type fits. */
  hints: readonly unknown[] = [];

  constructor(seed: number, minor: number) {
    this.dice = new Dice(seed);
    this.#minor = minor;
  }

  /** Whether a node takes a value, its rules and those below included. */
  #accepts(node: SchemaNode): (value: unknown) => boolean {
    const schema = schemaFor(node, this.#minor);
    return (value) => schema.validateSchema(value).length === 0 && schema.validate(value).errors.length === 0;
  }

  /** The value with as little changed as will do for the node; the value itself where nothing does. */
  repaired(node: SchemaNode, value: unknown, kept?: Kept, budget = localBudget): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const schema = schemaFor(node, this.#minor);
    const errorsOf = (each: object): readonly FieldError[] => {
      const filled = cloneJson(each);
      const unreadable = readEmbedded(node, filled);
      if (unreadable.length > 0) return unreadable;
      schema.applyDefaults(filled);
      return schema.validate(filled).errors;
    };
    const options = { root: node, sampler: this, errorsOf, budget, resource: false };
    return repaired({ ...options, kept: kept?.keys, frozen: kept?.frozen ?? false }, value) ?? value;
  }

  /** Values without parts that the node takes by itself; the plainest first. */
  scalarsOf(node: SchemaNode): readonly unknown[] {
    const known = knownOf(node, this.#minor);
    if (known.scalars !== undefined) return known.scalars;
    const accepts = this.#accepts(node);
    const distinct = new Map<string, unknown>();
    for (const value of candidatesOf(node)) {
      const text = canonicalJson(value);
      if (!distinct.has(text) && accepts(value)) distinct.set(text, value);
      if (distinct.size >= 16) break;
    }
    return (known.scalars = [...distinct.values()]);
  }

  /** So many different values without parts, as far as there are. */
  #distinct(node: SchemaNode, count: number): readonly unknown[] {
    const known = knownOf(node, this.#minor);
    if (known.distinct?.count === count) return known.distinct.values;
    const plain = this.scalarsOf(node);
    const values = new Set(plain);
    const accepts = this.#accepts(node);
    for (let at = 1; values.size < count && at < 3 * count; at++) {
      const made = plain.slice(0, 2).map((value) => (typeof value === 'string' ? `${value}${at}` : 10 + at));
      for (const value of [...made, `a${at}`]) {
        if (typeof value === typeof plain[0] && !values.has(value) && accepts(value)) values.add(value);
      }
    }
    known.distinct = { count, values: [...values] };
    return known.distinct.values;
  }

  /** Other values for a place, hints first. */
  alternatives(node: SchemaNode): readonly unknown[] {
    if (node.type === 'object' || node.type === 'array') return [];
    const hinted = this.hints.length === 0 ? [] : this.hints.filter(this.#accepts(node));
    return [...hinted, ...this.scalarsOf(node)];
  }

  /** A small value: what is required and no more. `variant` makes different ones. */
  least(node: SchemaNode, variant = 0): unknown {
    if (variant !== 0) return this.repaired(node, this.#sample(node, 'least', variant));
    const known = knownOf(node, this.#minor);
    known.least ??= { value: this.repaired(node, this.#sample(node, 'least', 0)) };
    return cloneJson(known.least.value);
  }

  /** A value with everything in it. */
  full(node: SchemaNode): unknown {
    return this.repaired(node, this.#sample(node, 'full', 0));
  }

  /** Some value or other. */
  any(node: SchemaNode): unknown {
    return this.repaired(node, this.#sample(node, 'random', 0), undefined, randomBudget);
  }

  /** A sample of a part: what is small is good already. */
  #part(node: SchemaNode, amount: Amount, variant: number): unknown {
    return amount === 'least' ? this.least(node, variant) : this.#sample(node, amount, variant);
  }

  #sample(node: SchemaNode, amount: Amount, variant: number): unknown {
    if (node.nullable && amount === 'random' && node !== ANY && this.dice.chance(0.1)) return null;
    if (node.enum === undefined && !node.intOrString) {
      if (node.type === 'object') return this.#object(node, amount, variant);
      if (node.type === 'array') return this.#list(node, amount, variant);
    }
    const values = amount === 'random' ? this.alternatives(node) : this.scalarsOf(node);
    const at = amount === 'random' ? this.dice.below(values.length) : variant % Math.max(1, values.length);
    return cloneJson(values[at]);
  }

  #list(node: SchemaNode, amount: Amount, variant: number): unknown[] {
    const { maxItems = Infinity, minItems = 0 } = node;
    const extra = amount === 'least' ? 0 : amount === 'full' ? 1 : this.dice.below(3);
    return this.#items(node, Math.min(maxItems, Math.max(minItems, extra)), amount, variant);
  }

  /** So many items, different ones where a list must not repeat. */
  #items(node: SchemaNode, count: number, amount: Amount, variant: number): unknown[] {
    const items = itemsOf(node);
    if (node.listType === 'set' && amount !== 'random' && !hasParts(items)) {
      return this.#distinct(items, count).slice(0, count);
    }
    const list: unknown[] = [];
    const unique = node.listType === 'set' || node.listType === 'map';
    for (let at = 0; at < count * 3 && list.length < count && list.length < mostItems; at++) {
      const item = this.#part(items, amount, variant + (unique ? at : 0));
      if (unique) this.#distinguish(item, node, { at, count });
      if (unique && list.some((other) => sameItem(other, item, node))) continue;
      list.push(item);
    }
    return list;
  }

  /** Gives the keys of an item values of their own. */
  #distinguish(item: unknown, node: SchemaNode, { at, count }: { readonly at: number; readonly count: number }): void {
    if (typeof item !== 'object' || item === null || at === 0) return;
    const keys = node.listType === 'map' ? node.listMapKeys : [...(itemsOf(node).properties?.keys() ?? [])].slice(0, 1);
    for (const key of keys) {
      const schema = itemsOf(node).properties?.get(key);
      if (schema === undefined) continue;
      const values = this.#distinct(schema, count);
      setOwn(item as JsonObject, key, values[at % Math.max(1, values.length)]);
    }
  }

  #object(node: SchemaNode, amount: Amount, variant: number): JsonObject {
    const object: JsonObject = {};
    if (node.embeddedResource) Object.assign(object, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    for (const [name, member] of node.properties ?? []) {
      if (node.embeddedResource && resourceNames.has(name)) continue;
      const wanted = node.required.includes(name);
      if (!wanted && (amount === 'least' || (amount === 'random' && this.dice.chance(0.5)))) continue;
      setMember(object, name, this.#part(member, amount, variant));
    }
    this.#fillUp(object, node, amount, variant);
    return object;
  }

  /** Members of maps, and as many optional ones as there must be. */
  #fillUp(object: JsonObject, node: SchemaNode, amount: Amount, variant: number): void {
    const rest = restOf(node);
    const { minProperties = 0 } = node;
    const map = rest !== undefined && node.preserveUnknownFields !== true;
    const extra = map && amount !== 'least' ? 1 + this.dice.below(2) : 0;
    const wanted = Math.max(minProperties, Math.min(node.maxProperties ?? Infinity, extra));
    for (const name of node.required) {
      if (!Object.hasOwn(object, name) && rest !== undefined)
        setMember(object, name, this.#part(rest, amount, variant));
    }
    this.#addMembers(object, node, wanted, variant);
  }

  #addMembers(object: JsonObject, node: SchemaNode, wanted: number, variant: number): void {
    const rest = restOf(node);
    for (const [name, member] of node.properties ?? []) {
      if (Object.keys(object).length >= wanted) return;
      if (Object.hasOwn(object, name)) continue;
      setMember(object, name, this.least(member, variant));
    }
    for (let at = 0; rest !== undefined && Object.keys(object).length < wanted && at < 2000; at++) {
      setMember(object, at === 0 ? 'key' : `key${at}`, this.least(rest, variant + at));
    }
  }

  /** Samples with something particular about them. */
  shaped(node: SchemaNode, hint: SampleHint): readonly unknown[] {
    if (hint.nulls !== undefined) return this.#withNulls(node, hint.nulls, hint.members ?? 0);
    if (hint.metadata === true) return [{ ...(this.least(node) as JsonObject), metadata: cloneJson(wholeMetadata) }];
    if (hint.length !== undefined) return textsOfLength(node, hint.length, this.dice);
    if (hint.items !== undefined) return [this.#items(node, hint.items, 'least', 0)];
    if (hint.members !== undefined) return [this.#ofSize(node, hint.members)];
    if (hint.repeated === true) return [0, 1].map((variant) => this.#repeated(node, variant));
    if (hint.itemPair !== undefined) {
      const itemPair = this.itemPair(node, hint.itemPair);
      return itemPair === undefined ? [] : [[...itemPair]];
    }
    if (hint.extra === true) return this.#withExtra(node);
    return [0, 1, 2].map((variant) => this.least(node, variant));
  }

  #ofSize(node: SchemaNode, size: number): JsonObject {
    const object = asObject(this.least(node));
    this.#addMembers(object, node, size, 0);
    return object;
  }

  /** A small and a full value with members that are null, and so many members in all if there are fewer. */
  #withNulls(node: SchemaNode, ways: readonly (readonly string[])[], members: number): readonly unknown[] {
    return [this.least(node), this.#others(node, ways), this.full(node)].map((value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
      const object = value as JsonObject;
      for (const way of ways) setNull(object, way);
      this.#addMembers(object, node, members, 0);
      return object;
    });
  }

  /** A value with all members but those that some ways begin with. */
  #others(node: SchemaNode, ways: readonly (readonly string[])[]): unknown {
    const object = this.least(node);
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return object;
    for (const [name, member] of node.properties ?? []) {
      if (!ways.some(([first]) => first === name)) setMember(object as JsonObject, name, this.least(member));
    }
    return this.repaired(node, object);
  }

  #repeated(node: SchemaNode, variant: number): unknown[] {
    const item = this.least(itemsOf(node), variant);
    return [item, cloneJson(item)];
  }

  /** Values with a member that the schema does not describe by name. */
  #withExtra(node: SchemaNode): readonly unknown[] {
    const rest = restOf(node);
    if (rest === undefined) return [];
    return [0, 1].map((variant) => {
      const object = asObject(this.least(node));
      setMember(object, 'unknownKey', this.least(rest, variant));
      return object;
    });
  }

  /** Two items that are the same in some keys and differ in others, or anywhere else. */
  itemPair(
    node: SchemaNode,
    { differ, same }: { readonly differ: readonly string[]; readonly same: readonly string[] },
  ): readonly [unknown, unknown] | undefined {
    const items = itemsOf(node);
    const first = this.least(items);
    const second = cloneJson(first);
    if (typeof first !== 'object' || first === null || Array.isArray(first)) return undefined;
    const both = [first as JsonObject, second as JsonObject] as const;
    for (const key of same) this.#setKey(items, key, both, false);
    const others = differ.length > 0 ? differ : [...(items.properties ?? [])].map(([name]) => name);
    others.filter((name) => !same.includes(name)).some((name) => this.#setKey(items, name, both, true));
    return [first, second];
  }

  /** Gives a member of two items the same value, or two values; false where there are none. */
  #setKey(items: SchemaNode, name: string, both: readonly [JsonObject, JsonObject], different: boolean): boolean {
    const schema = items.properties?.get(name);
    const [one, two] = schema === undefined ? [] : this.scalarsOf(schema);
    const other = different ? two : one;
    if (one === undefined || other === undefined) return false;
    setOwn(both[0], name, one);
    setOwn(both[1], name, other);
    return true;
  }

  /** Two items that are not the same. */
  pair(node: SchemaNode): readonly [unknown, unknown] | undefined {
    const [first, second] = this.#items({ ...node, listType: node.listType ?? 'set' }, 2, 'least', 0);
    return first === undefined || second === undefined ? undefined : [first, second];
  }
}
