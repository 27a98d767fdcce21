/** The schema of one version of a custom resource, read once from its `openAPIV3Schema`. */

/** One `x-kubernetes-validations` entry. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** Keywords a structural schema may never carry; kept so that admission can name them. */
export interface UnsupportedKeywords {
  readonly id?: string;
  readonly schema?: string;
  readonly ref?: string;
  readonly patternProperties?: ReadonlyMap<string, SchemaNode>;
  readonly definitions?: ReadonlyMap<string, SchemaNode>;
  readonly dependencies?: ReadonlyMap<string, SchemaNode | readonly string[]>;
  readonly additionalItems?: SchemaNode | boolean;
  readonly itemSchemas?: readonly SchemaNode[];
}

/**
 * A node of a schema. Every member is always present so that all nodes share one shape; `undefined` is "not given".
 * Empty strings and false flags read as not given, as they do in the served API.
 */
export interface SchemaNode {
  /** The JSON this node was read from; never changed. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly type: string;
  readonly format: string;
  readonly title: string;
  readonly description: string;
  readonly nullable: boolean;
  /** `undefined` when there is none; a JSON null is none. */
  readonly default: unknown;
  readonly example: unknown;
  readonly externalDocs: unknown;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: string;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly multipleOf: number | undefined;
  readonly enum: readonly unknown[] | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
  readonly items: SchemaNode | undefined;
  readonly properties: ReadonlyMap<string, SchemaNode> | undefined;
  readonly additionalProperties: SchemaNode | boolean | undefined;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  /** `x-kubernetes-preserve-unknown-fields`; `false` is kept apart because admission refuses it. */
  readonly preserveUnknownFields: boolean | undefined;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: string | undefined;
  readonly rules: readonly ValidationRule[];
  readonly unsupported: UnsupportedKeywords | undefined;
  /** The properties that have a default. */
  readonly defaulted: readonly (readonly [string, SchemaNode])[];
  /** What this node or one below it has, as bits of {@link schemaFeature}; junctors do not count. */
  readonly features: number;
}

/** Bits that let a walk over a value pass by whole subtrees. */
export const schemaFeature = { defaults: 1, embedded: 2, uniqueLists: 4, rules: 8 } as const;

/** The schema of the values of a map, where one is given. */
export function valueSchemaOf(node: SchemaNode): SchemaNode | undefined {
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
}

/** The schema of a member: its own, else that of the map's values. */
export function memberSchemaOf(node: SchemaNode | undefined, name: string): SchemaNode | undefined {
  if (node === undefined) return undefined;
  return node.properties?.get(name) ?? valueSchemaOf(node);
}
