/** Objects that fit a structural schema, and others that nearly do. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What the generator reads of a schema. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly Json[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/** Numbers that are the same for the same seed (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  of<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T;
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  byte: 'YQ==',
  uri: 'https://example.com',
  duration: '10s',
};
const ODD: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e20,
  '',
  'x',
  'Not a Name!',
  'x'.repeat(300),
  [],
  [null],
  {},
  { zork: 1 },
];
const TEXTS = ['a', 'abc', 'a-b', 'v1.30.0', '10.0.0.0/8', '10%', 'https://example.com/x', 'a/b', '5m', 'Ab_c'];

/** Makes values for one schema. */
export class ObjectMaker {
  readonly #chance: Chance;
  /** How often an optional member appears, and how often something odd stands for what is wanted. */
  readonly #rates: { readonly optional: number; readonly odd: number };

  constructor(chance: Chance, rates: { readonly optional: number; readonly odd: number }) {
    this.#chance = chance;
    this.#rates = rates;
  }

  value(schema: Schema, depth = 0): Json {
    const chance = this.#chance;
    if (depth > 0 && chance.is(this.#rates.odd)) return chance.of(ODD);
    if (schema.enum !== undefined && schema.enum.length > 0) return chance.of(schema.enum);
    switch (schema.type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#array(schema, depth);
      case 'integer':
      case 'number':
        return Math.max(schema.minimum ?? 0, 0) + Math.floor(chance.next() * 5);
      case 'boolean':
        return chance.is(0.5);
      case 'string':
        return FORMATS[schema.format ?? ''] ?? chance.of(TEXTS).padEnd(schema.minLength ?? 0, 'a');
      default:
        return schema['x-kubernetes-int-or-string'] === true ? chance.of<Json>([1, '10%', 'x']) : { a: 1 };
    }
  }

  #array(schema: Schema, depth: number): Json[] {
    const length = (schema.minItems ?? 0) + Math.floor(this.#chance.next() * 3);
    return Array.from({ length }, () => this.value(schema.items ?? {}, depth + 1));
  }

  #object(schema: Schema, depth: number): { [key: string]: Json } {
    const chance = this.#chance;
    const { odd, optional } = this.#rates;
    const object: { [key: string]: Json } = {};
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const isWanted =
        schema.required?.includes(name) === true
          ? !chance.is(odd)
          : chance.is(depth < 2 ? Math.max(optional, 0.5) : optional);
      if (isWanted) object[name] = this.value(member, depth + 1);
    }
    if (typeof schema.additionalProperties === 'object') {
      const count = (schema.minProperties ?? 0) + Math.floor(chance.next() * 3);
      for (let at = 0; at < count; at += 1) object[`key${at}`] = this.value(schema.additionalProperties, depth + 1);
    }
    if (chance.is(odd / 2)) object['zork'] = chance.of(ODD);
    return object;
  }
}
