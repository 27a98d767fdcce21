/** Reads a schema's JSON into {@link SchemaNode}s. */
import type { JsonObject } from '@capstan/meta';
import { type SchemaNode, type UnsupportedKeywords, type ValidationRule, schemaFeature } from './schema-node.js';

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numeric(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' ? Number(value) : undefined;
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function schemas(value: unknown, known: KnownNodes | undefined): readonly SchemaNode[] {
  return Array.isArray(value) ? value.filter(isObject).map((raw) => parseNode(raw, known)) : none;
}

const none: readonly SchemaNode[] = [];

function schemaMap(value: unknown, known: KnownNodes | undefined): ReadonlyMap<string, SchemaNode> | undefined {
  if (!isObject(value)) return undefined;
  const map = new Map<string, SchemaNode>();
  for (const name of Object.keys(value)) {
    const item = value[name];
    map.set(name, parseNode(isObject(item) ? item : {}, known));
  }
  return map.size === 0 ? undefined : map;
}

function schemaOrBoolean(value: unknown, known: KnownNodes | undefined): SchemaNode | boolean | undefined {
  if (typeof value === 'boolean') return value;
  return isObject(value) ? parseNode(value, known) : undefined;
}

function dependencies(value: unknown): ReadonlyMap<string, SchemaNode | readonly string[]> | undefined {
  if (!isObject(value)) return undefined;
  const map = new Map<string, SchemaNode | readonly string[]>();
  for (const [name, item] of Object.entries(value))
    map.set(name, isObject(item) ? parseNode(item, undefined) : strings(item));
  return map;
}

const unsupportedKeywords = [
  'id',
  '$schema',
  '$ref',
  'patternProperties',
  'definitions',
  'dependencies',
  'additionalItems',
] as const;

/** In the place of items that are neither a schema nor a list of them. */
export const NO_ITEMS: readonly SchemaNode[] = [];

function unsupported(raw: JsonObject): UnsupportedKeywords | undefined {
  // What is neither a schema nor a list of them reads as something that is there and empty.
  const itemSchemas = Array.isArray(raw['items'])
    ? schemas(raw['items'], undefined)
    : raw['items'] === null
      ? NO_ITEMS
      : undefined;
  if (itemSchemas === undefined && !unsupportedKeywords.some((name) => raw[name] !== undefined)) return undefined;
  const patternProperties = schemaMap(raw['patternProperties'], undefined);
  const definitions = schemaMap(raw['definitions'], undefined);
  const depends = dependencies(raw['dependencies']);
  const additionalItems = schemaOrBoolean(raw['additionalItems'], undefined);
  return {
    id: text(raw['id']),
    schema: text(raw['$schema']),
    ...(typeof raw['$ref'] === 'string' && { ref: raw['$ref'] }),
    ...(patternProperties && { patternProperties }),
    ...(definitions && { definitions }),
    ...(depends && { dependencies: depends }),
    ...(additionalItems !== undefined && { additionalItems }),
    ...(itemSchemas && { itemSchemas }),
  };
}

function parseRule(raw: JsonObject): ValidationRule {
  const { message, messageExpression, reason, fieldPath, optionalOldSelf } = raw;
  return {
    rule: text(raw['rule']),
    ...(typeof message === 'string' && { message }),
    ...(typeof messageExpression === 'string' && { messageExpression }),
    ...(typeof reason === 'string' && { reason }),
    ...(typeof fieldPath === 'string' && { fieldPath }),
    ...(typeof optionalOldSelf === 'boolean' && { optionalOldSelf }),
  };
}

function parseRules(value: unknown): readonly ValidationRule[] {
  return Array.isArray(value) ? value.filter(isObject).map(parseRule) : noRules;
}

const noRules: readonly ValidationRule[] = [];

const noDefaults: SchemaNode['defaulted'] = [];

function defaultedOf(properties: SchemaNode['properties']): SchemaNode['defaulted'] {
  if (properties === undefined) return noDefaults;
  const found = [...properties].filter(([, node]) => node.default !== undefined);
  return found.length === 0 ? noDefaults : found;
}

type Shape = Pick<
  SchemaNode,
  'additionalProperties' | 'default' | 'embeddedResource' | 'items' | 'listType' | 'properties' | 'rules'
>;

function featuresOf(node: Shape): number {
  let features = node.default === undefined ? 0 : schemaFeature.defaults;
  if (node.embeddedResource) features |= schemaFeature.embedded;
  if (node.listType === 'map' || node.listType === 'set') features |= schemaFeature.uniqueLists;
  if (node.rules.length > 0) features |= schemaFeature.rules;
  if (node.items !== undefined) features |= node.items.features;
  if (typeof node.additionalProperties === 'object') features |= node.additionalProperties.features;
  if (node.properties !== undefined) for (const member of node.properties.values()) features |= member.features;
  return features;
}

/** Nodes by the JSON they were read from, for those who read many schemas that share most of it and never change it. */
export type KnownNodes = WeakMap<object, SchemaNode>;

function parseNode(raw: JsonObject, known: KnownNodes | undefined): SchemaNode {
  const seen = known?.get(raw);
  if (seen !== undefined) return seen;
  const node = readNode(raw, known);
  known?.set(raw, node);
  return node;
}

function readNode(raw: JsonObject, known: KnownNodes | undefined): SchemaNode {
  const shape: Shape = {
    default: raw['default'] ?? undefined,
    items: isObject(raw['items']) ? parseNode(raw['items'], known) : undefined,
    properties: schemaMap(raw['properties'], known),
    additionalProperties: schemaOrBoolean(raw['additionalProperties'], known),
    embeddedResource: raw['x-kubernetes-embedded-resource'] === true,
    listType: typeof raw['x-kubernetes-list-type'] === 'string' ? raw['x-kubernetes-list-type'] : undefined,
    rules: parseRules(raw['x-kubernetes-validations']),
  };
  const mapType = raw['x-kubernetes-map-type'];
  const preserve = raw['x-kubernetes-preserve-unknown-fields'];
  return {
    raw,
    type: text(raw['type']),
    format: text(raw['format']),
    title: text(raw['title']),
    description: text(raw['description']),
    nullable: raw['nullable'] === true,
    default: shape.default,
    example: raw['example'] ?? undefined,
    externalDocs: raw['externalDocs'] ?? undefined,
    maximum: numeric(raw['maximum']),
    exclusiveMaximum: raw['exclusiveMaximum'] === true,
    minimum: numeric(raw['minimum']),
    exclusiveMinimum: raw['exclusiveMinimum'] === true,
    maxLength: numeric(raw['maxLength']),
    minLength: numeric(raw['minLength']),
    pattern: text(raw['pattern']),
    maxItems: numeric(raw['maxItems']),
    minItems: numeric(raw['minItems']),
    uniqueItems: raw['uniqueItems'] === true,
    multipleOf: numeric(raw['multipleOf']),
    enum: Array.isArray(raw['enum']) && raw['enum'].length > 0 ? (raw['enum'] as readonly unknown[]) : undefined,
    maxProperties: numeric(raw['maxProperties']),
    minProperties: numeric(raw['minProperties']),
    required: strings(raw['required']),
    items: shape.items,
    properties: shape.properties,
    additionalProperties: shape.additionalProperties,
    allOf: schemas(raw['allOf'], known),
    anyOf: schemas(raw['anyOf'], known),
    oneOf: schemas(raw['oneOf'], known),
    not: isObject(raw['not']) ? parseNode(raw['not'], known) : undefined,
    preserveUnknownFields: typeof preserve === 'boolean' ? preserve : undefined,
    embeddedResource: shape.embeddedResource,
    intOrString: raw['x-kubernetes-int-or-string'] === true,
    listType: shape.listType,
    listMapKeys: strings(raw['x-kubernetes-list-map-keys']),
    mapType: typeof mapType === 'string' ? mapType : undefined,
    rules: shape.rules,
    unsupported: unsupported(raw),
    defaulted: defaultedOf(shape.properties),
    features: featuresOf(shape),
  };
}

/** Reads an `openAPIV3Schema`. Total: what has the wrong JSON type reads as not given. */
export function parseSchema(openApiV3Schema: unknown, known?: KnownNodes): SchemaNode {
  return parseNode(isObject(openApiV3Schema) ? openApiV3Schema : {}, known);
}
