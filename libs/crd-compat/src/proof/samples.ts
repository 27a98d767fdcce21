/** Values that a schema takes: small ones, full ones, and all kinds of them. */
import { type JsonObject, canonicalJson, cloneJson, deepEqual, setOwn } from '@capstan/meta';
import { type SchemaNode, StructuralSchema } from '@capstan/schema';
import { ANY, itemsOf, resourceNames, restOf } from '../compare/any.js';
import type { SampleHint } from '../compare/site.js';
import { Dice } from './random.js';
import { textsOf, textsOfLength } from './texts.js';

/** How much of what is optional goes into a sample. */
type Amount = 'full' | 'least' | 'random';

const anything: readonly unknown[] = ['text', 7, true, {}, [], 1.5, { key: 'value' }];

function numbersOf(node: SchemaNode): number[] {
  const { maximum, minimum, multipleOf } = node;
  const numbers = [1, 0, 2, 3, 7, 10, 100, -1, 1.5, 1000, 65_535, 1e6, 2 ** 31, -(2 ** 31) - 1, 2 ** 40];
  for (const bound of [minimum, maximum]) {
    if (bound !== undefined) numbers.unshift(bound, Math.ceil(bound), Math.floor(bound), bound + 1, bound - 1);
  }
  if (minimum !== undefined && maximum !== undefined) numbers.push((minimum + maximum) / 2);
  if (multipleOf === undefined) return numbers;
  const base = Math.ceil((minimum ?? 0) / multipleOf) * multipleOf;
  return [base, base + multipleOf, base + 2 * multipleOf, ...numbers];
}

/** Makes samples of schema nodes. The same questions in the same order give the same answers. */
export class Sampler {
  readonly dice: Dice;
  readonly #minor: number;
  readonly #scalars = new WeakMap<object, readonly unknown[]>();
  /** Constants of rules, which are worth trying where their type fits. */
  hints: readonly unknown[] = [];

  constructor(seed: number, minor: number) {
    this.dice = new Dice(seed);
    this.#minor = minor;
  }

  #accepts(node: SchemaNode): (value: unknown) => boolean {
    const schema = new StructuralSchema(node.raw, { minor: this.#minor });
    return (value) => schema.validateSchema(value).length === 0;
  }

  /** Values without parts that the node takes by itself; the plainest first. */
  scalarsOf(node: SchemaNode): readonly unknown[] {
    const known = this.#scalars.get(node.raw);
    if (known !== undefined) return known;
    const found = this.#candidates(node).filter(this.#accepts(node));
    const distinct = [...new Map(found.map((value) => [canonicalJson(value), value])).values()].slice(0, 16);
    this.#scalars.set(node.raw, distinct);
    return distinct;
  }

  #candidates(node: SchemaNode): unknown[] {
    if (node.enum !== undefined) return [...node.enum];
    if (node.intOrString) return [...numbersOf(node).filter(Number.isSafeInteger), ...textsOf(node, this.dice, 8)];
    switch (node.type) {
      case 'boolean':
        return [true, false];
      case 'integer':
        return numbersOf(node).filter(Number.isSafeInteger);
      case 'number':
        return numbersOf(node);
      case 'string':
        return [...textsOf(node, this.dice, 24)];
      case '':
        return [...anything];
      default:
        return [];
    }
  }

  /** Other values for a place, hints first. */
  alternatives(node: SchemaNode): readonly unknown[] {
    if (node.type === 'object' || node.type === 'array') return [];
    const hinted = this.hints.length === 0 ? [] : this.hints.filter(this.#accepts(node));
    return [...hinted, ...this.scalarsOf(node)];
  }

  /** A small value: what is required and no more. `variant` makes different ones. */
  least(node: SchemaNode, variant = 0): unknown {
    return this.#sample(node, 'least', variant);
  }

  /** A value with everything in it. */
  full(node: SchemaNode): unknown {
    return this.#sample(node, 'full', 0);
  }

  /** Some value or other. */
  any(node: SchemaNode): unknown {
    return this.#sample(node, 'random', 0);
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
    const list: unknown[] = [];
    const unique = node.listType === 'set' || node.listType === 'map';
    for (let at = 0; at < count * 3 && list.length < count && list.length < 2000; at++) {
      const item = this.#sample(items, amount, variant + at);
      if (node.listType === 'map') this.#distinguish(item, node, at);
      if (unique && list.some((other) => sameItem(other, item, node))) continue;
      list.push(item);
    }
    return list;
  }

  /** Gives the keys of an item values of their own. */
  #distinguish(item: unknown, node: SchemaNode, at: number): void {
    if (typeof item !== 'object' || item === null || at === 0) return;
    for (const key of node.listMapKeys) {
      const schema = itemsOf(node).properties?.get(key);
      if (schema === undefined) continue;
      const values = this.scalarsOf(schema);
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
      const value = this.#sample(member, amount, variant);
      if (value !== undefined) setOwn(object, name, value);
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
      if (!Object.hasOwn(object, name) && rest !== undefined) setOwn(object, name, this.#sample(rest, amount, variant));
    }
    this.#addMembers(object, node, wanted, variant);
  }

  #addMembers(object: JsonObject, node: SchemaNode, wanted: number, variant: number): void {
    const rest = restOf(node);
    for (const [name, member] of node.properties ?? []) {
      if (Object.keys(object).length >= wanted) return;
      if (Object.hasOwn(object, name)) continue;
      const value = this.least(member, variant);
      if (value !== undefined) setOwn(object, name, value);
    }
    for (let at = 0; rest !== undefined && Object.keys(object).length < wanted && at < 2000; at++) {
      setOwn(object, at === 0 ? 'key' : `key${at}`, this.least(rest, variant + at));
    }
  }

  /** Samples with something particular about them. */
  shaped(node: SchemaNode, hint: SampleHint): readonly unknown[] {
    if (hint.length !== undefined) return textsOfLength(node, hint.length, this.dice);
    if (hint.items !== undefined) return [this.#items(node, hint.items, 'least', 0)];
    if (hint.members !== undefined) return [this.#ofSize(node, hint.members)];
    if (hint.repeated === true) return [0, 1].map((variant) => this.#repeated(node, variant));
    if (hint.twins !== undefined) {
      const twins = this.twins(node, hint.twins);
      return twins === undefined ? [] : [[...twins]];
    }
    if (hint.extra === true) return this.#withExtra(node);
    return [0, 1, 2].map((variant) => this.least(node, variant));
  }

  #ofSize(node: SchemaNode, size: number): JsonObject {
    const object = this.least(node) as JsonObject;
    this.#addMembers(object, node, size, 0);
    return object;
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
      const base = this.least(node);
      const object = typeof base === 'object' && base !== null && !Array.isArray(base) ? (base as JsonObject) : {};
      return { ...object, unknownKey: this.least(rest, variant) };
    });
  }

  /** Two items that are the same in some keys and differ in others, or anywhere else. */
  twins(
    node: SchemaNode,
    { differ, same }: { readonly differ: readonly string[]; readonly same: readonly string[] },
  ): readonly [unknown, unknown] | undefined {
    const items = itemsOf(node);
    const first = this.least(items);
    const second = cloneJson(first);
    if (typeof first !== 'object' || first === null || Array.isArray(first)) return undefined;
    for (const key of same) {
      const schema = items.properties?.get(key);
      const [value] = schema === undefined ? [] : this.scalarsOf(schema);
      if (value === undefined) continue;
      setOwn(first as JsonObject, key, value);
      setOwn(second as JsonObject, key, value);
    }
    const others = differ.length > 0 ? differ : [...(items.properties ?? [])].map(([name]) => name);
    for (const name of others) {
      if (same.includes(name)) continue;
      const schema = items.properties?.get(name);
      const [a, b] = schema === undefined ? [] : this.scalarsOf(schema);
      if (a === undefined || b === undefined) continue;
      setOwn(first as JsonObject, name, a);
      setOwn(second as JsonObject, name, b);
      break;
    }
    return [first, second];
  }

  /** Two items that are not the same. */
  pair(node: SchemaNode): readonly [unknown, unknown] | undefined {
    const [first, second] = this.#items({ ...node, listType: node.listType ?? 'set' }, 2, 'least', 0);
    return first === undefined || second === undefined ? undefined : [first, second];
  }
}

function sameItem(a: unknown, b: unknown, node: SchemaNode): boolean {
  if (node.listType !== 'map') return deepEqual(a, b);
  const keyed = (item: unknown): unknown[] => node.listMapKeys.map((key) => (item as JsonObject | null)?.[key]);
  return deepEqual(keyed(a), keyed(b));
}
