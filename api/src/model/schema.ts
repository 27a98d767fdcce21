declare const inferred: unique symbol;

/** The types a structural schema knows; a node without one takes any value. */
export type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

/** The keywords of one node in the spelling of a CustomResourceDefinition: `minLength`, `x-kubernetes-list-type`, … */
export type SchemaFacts = Readonly<Record<string, unknown>>;

/** One node of a definition: plain frozen data. `T` is the TypeScript type of its values and is never there at run time. */
export interface Schema<out T = unknown> {
  readonly [inferred]?: T;
  readonly type?: SchemaType;
  /** All keywords of the node itself, without its children. */
  readonly facts: SchemaFacts;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  /** What a map holds. */
  readonly values?: Schema;
  /** An object may leave the property out. */
  readonly optional?: true;
  /** The property is there only in variants that have this gate. */
  readonly gate?: string;
  /** Keywords that are others where a gate is on; `undefined` takes one away. */
  readonly gatedFacts?: Readonly<Record<string, SchemaFacts>>;
  /** The name of a shape that several places share. */
  readonly name?: string;
  /** What the value means, in one sentence. */
  readonly doc?: string;
}

/** A node that may be missing from the object it belongs to. */
export interface OmittableSchema<out T = unknown> extends Schema<T> {
  readonly omittable: true;
}

/** The TypeScript type of the values of a schema. */
export type Infer<S> = S extends Schema<infer T> ? T : never;

/** The properties of an object. */
export type Properties = Readonly<Record<string, Schema>>;

type RequiredKeys<P> = { [K in keyof P]: P[K] extends OmittableSchema ? never : K }[keyof P];
type OmittableKeys<P> = { [K in keyof P]: P[K] extends OmittableSchema ? K : never }[keyof P];

/** The TypeScript type of an object with these properties. */
export type ObjectOf<P> = Flat<
  { -readonly [K in RequiredKeys<P>]: Infer<P[K]> } & { -readonly [K in OmittableKeys<P>]?: Infer<P[K]> }
>;

/** One object type in place of an intersection of several. */
export type Flat<T> = { [K in keyof T]: T[K] };

/** A CEL rule with the message of the server when it does not hold. */
export interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** What every node may say. */
export interface CommonOptions<T = unknown> {
  readonly doc?: string;
  readonly rules?: readonly Rule[];
  readonly default?: T;
  readonly nullable?: true;
  readonly title?: string;
  readonly format?: string;
  readonly allOf?: readonly SchemaFacts[];
  readonly anyOf?: readonly SchemaFacts[];
  readonly oneOf?: readonly SchemaFacts[];
  readonly not?: SchemaFacts;
  /** Keywords that are others in variants with a gate, in the same words. */
  readonly gated?: Readonly<Record<string, object>>;
}

/** Our words for the keywords of Kubernetes. */
const extensions: ReadonlyMap<string, string> = new Map([
  ['rules', 'x-kubernetes-validations'],
  ['listType', 'x-kubernetes-list-type'],
  ['listMapKeys', 'x-kubernetes-list-map-keys'],
  ['mapType', 'x-kubernetes-map-type'],
  ['preserveUnknown', 'x-kubernetes-preserve-unknown-fields'],
  ['embedded', 'x-kubernetes-embedded-resource'],
]);

function factsOf(options: object): SchemaFacts {
  const facts: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) facts[extensions.get(key) ?? key] = frozen(value);
  return Object.freeze(facts);
}

/** Definitions are shared by everybody: nobody may change a rule or a default in place. */
function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

/** Builds a node from options in our words. */
export function node<T>(
  parts: Omit<Schema<never>, 'facts'>,
  options: CommonOptions = {},
  facts: SchemaFacts = {},
): Schema<T> {
  const { doc, gated, ...keywords } = options;
  const gatedFacts =
    gated === undefined
      ? undefined
      : Object.freeze(Object.fromEntries(Object.entries(gated).map(([gate, each]) => [gate, factsOf(each)])));
  return Object.freeze({
    ...parts,
    facts: Object.keys(facts).length === 0 ? factsOf(keywords) : Object.freeze({ ...facts, ...factsOf(keywords) }),
    ...(gatedFacts === undefined ? {} : { gatedFacts }),
    ...(doc === undefined ? {} : { doc }),
  });
}

/** The keywords of a node where these gates are on. */
export function factsIn(schema: Schema, gates: ReadonlySet<string>): SchemaFacts {
  let { facts } = schema;
  for (const [gate, others] of Object.entries(schema.gatedFacts ?? {})) {
    if (gates.has(gate)) facts = { ...facts, ...others };
  }
  return facts;
}
