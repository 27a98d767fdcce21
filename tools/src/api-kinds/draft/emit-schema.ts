import { quantityPattern } from '@capstan/api/model';
import type { Schema, SchemaFacts } from '@capstan/api/model';

import type { Code } from './code.js';
import { literal, propertyName } from './code.js';

/** The name of a node, if it has one. */
export type Reference = (schema: Schema) => string | undefined;

/** The keywords of Kubernetes in our words. */
const words: ReadonlyMap<string, string> = new Map([
  ['x-kubernetes-validations', 'rules'],
  ['x-kubernetes-list-type', 'listType'],
  ['x-kubernetes-list-map-keys', 'listMapKeys'],
  ['x-kubernetes-map-type', 'mapType'],
  ['x-kubernetes-preserve-unknown-fields', 'preserveUnknown'],
  ['x-kubernetes-embedded-resource', 'embedded'],
]);

interface Builder {
  readonly name: string;
  /** The keywords that the builder sets by itself. */
  readonly implied: SchemaFacts;
}

const either = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
const unknown = { 'x-kubernetes-preserve-unknown-fields': true };

/** In order: the first whose keywords are all there is taken. */
const builders: Readonly<Record<string, readonly Builder[]>> = {
  string: [
    { name: 'time', implied: { format: 'date-time' } },
    { name: 'duration', implied: { format: 'duration' } },
    { name: 'string', implied: {} },
  ],
  integer: [
    { name: 'int32', implied: { format: 'int32' } },
    { name: 'int64', implied: { format: 'int64' } },
    { name: 'integer', implied: {} },
  ],
  number: [{ name: 'number', implied: {} }],
  boolean: [{ name: 'boolean', implied: {} }],
  array: [{ name: 'array', implied: {} }],
  object: [{ name: 'object', implied: {} }],
  opaque: [
    { name: 'embedded', implied: { ...unknown, 'x-kubernetes-embedded-resource': true } },
    { name: 'anyObject', implied: unknown },
    { name: 'object', implied: {} },
  ],
  untyped: [
    { name: 'quantity', implied: { ...either, pattern: quantityPattern } },
    { name: 'intOrString', implied: either },
    { name: 'anything', implied: unknown },
  ],
};

/** Writes definitions as code and remembers which builders it took. */
export class SchemaWriter {
  readonly used = new Set<string>();
  readonly #reference: Reference;

  constructor(reference: Reference) {
    this.#reference = reference;
  }

  /** A node where it stands; `inFull` when it is the definition of its own name. */
  write(schema: Schema, inFull = false): Code {
    const known = inFull ? undefined : this.#reference(schema);
    let code = known ?? this.#node(schema);
    if (inFull) return code;
    if (schema.facts['nullable'] === true) code = this.#call('nullable', code);
    if (schema.optional === true) code = this.#call('optional', code);
    if (schema.gate !== undefined) code = this.#call('gated', literal(schema.gate), code);
    return code;
  }

  #node(schema: Schema): Code {
    const { nullable: _outside, ...facts } = schema.facts;
    const builder = builderOf(schema, facts);
    const options = optionsOf(facts, builder.implied);
    const gated = Object.entries(schema.gatedFacts ?? {}).map(
      ([gate, others]) => [propertyName(gate), { entries: optionsOf(others, {}) }] as const,
    );
    if (gated.length > 0) options.push(['gated', { entries: gated }]);
    const args = this.#children(schema, builder.name);
    if (options.length > 0) args.push({ entries: options });
    return this.#call(builder.name, ...args);
  }

  #children(schema: Schema, builder: string): Code[] {
    if (schema.items !== undefined) return [this.write(schema.items)];
    if (schema.values !== undefined) return [this.write(schema.values)];
    if (builder !== 'object') return [];
    const entries = Object.entries(schema.properties ?? {});
    return [{ entries: entries.map(([key, each]) => [propertyName(key), this.write(each)] as const) }];
  }

  #call(name: string, ...args: readonly Code[]): Code {
    this.used.add(name);
    return { call: name, args };
  }
}

function builderOf(schema: Schema, facts: SchemaFacts): Builder {
  if (schema.values !== undefined) return { name: 'map', implied: {} };
  const opaque = schema.type === 'object' && schema.properties === undefined;
  const group = opaque ? 'opaque' : (schema.type ?? 'untyped');
  const found = builders[group]?.find(({ implied }) =>
    Object.entries(implied).every(([key, value]) => JSON.stringify(facts[key]) === JSON.stringify(value)),
  );
  if (found === undefined) throw new Error(`no builder for ${JSON.stringify(schema).slice(0, 200)}`);
  return found;
}

function optionsOf(facts: SchemaFacts, implied: SchemaFacts): (readonly [string, Code])[] {
  return Object.entries(facts)
    .filter(([keyword]) => !(keyword in implied))
    .map(([keyword, value]) => {
      const word = words.get(keyword);
      if (word === undefined && keyword.startsWith('x-')) throw new Error(`no word for ${keyword}`);
      return [propertyName(word ?? keyword), literal(value)] as const;
    });
}
