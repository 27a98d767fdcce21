/**
 * A schema as the server prints one inside a message: its internal form has no JSON names, so every member appears
 * under its Go name, set or not, in the order of the Go type.
 */
import { RawValue, canonicalJson, compareBytes } from '@capstan/meta';
import { NO_ITEMS } from './parse-schema.js';
import type { SchemaNode, ValidationRule } from './schema-node.js';

/** The text of a schema within another. */
type Inner = (node: SchemaNode) => string;
type Members = readonly (readonly [name: string, text: string])[];

const absent = 'null';

function structure(members: Members): string {
  return `{${members.map(([name, text]) => `"${name}":${text}`).join(',')}}`;
}

function json(value: unknown): string {
  return value === undefined ? absent : canonicalJson(value);
}

function list<T>(items: readonly T[], text: (item: T) => string): string {
  return items.length === 0 ? absent : `[${items.map(text).join(',')}]`;
}

function map(items: ReadonlyMap<string, SchemaNode> | undefined, inner: Inner): string {
  if (items === undefined) return absent;
  const sorted = [...items].sort(([a], [b]) => compareBytes(a, b));
  return `{${sorted.map(([name, node]) => `${json(name)}:${inner(node)}`).join(',')}}`;
}

function optional(node: SchemaNode | undefined, inner: Inner): string {
  return node === undefined ? absent : inner(node);
}

function schemaOrBoolean(value: SchemaNode | boolean | undefined, inner: Inner): string {
  if (value === undefined) return absent;
  const schema = typeof value === 'boolean' ? undefined : value;
  return structure([
    ['Allows', String(value !== false)],
    ['Schema', optional(schema, inner)],
  ]);
}

function itemsText(node: SchemaNode, inner: Inner): string {
  const several = node.unsupported?.itemSchemas;
  if (several === undefined && node.items === undefined) return absent;
  return structure([
    ['Schema', optional(node.items, inner)],
    ['JSONSchemas', several?.length === 0 && several !== NO_ITEMS ? '[]' : list(several ?? [], inner)],
  ]);
}

function dependenciesText(node: SchemaNode, inner: Inner): string {
  const dependencies = node.unsupported?.dependencies;
  if (dependencies === undefined) return absent;
  const sorted = [...dependencies].sort(([a], [b]) => compareBytes(a, b));
  const texts = sorted.map(([name, value]) => {
    const several = Array.isArray(value) ? (value as readonly string[]) : [];
    const schema = Array.isArray(value) ? undefined : (value as SchemaNode);
    return `${json(name)}:${structure([
      ['Schema', optional(schema, inner)],
      ['Property', list(several, json)],
    ])}`;
  });
  return `{${texts.join(',')}}`;
}

function documentationText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return absent;
  const { description = '', url = '' } = value as { description?: unknown; url?: unknown };
  return structure([
    ['Description', json(description)],
    ['URL', json(url)],
  ]);
}

function ruleText(rule: ValidationRule): string {
  return structure([
    ['Rule', json(rule.rule)],
    ['Message', json(rule.message ?? '')],
    ['MessageExpression', json(rule.messageExpression ?? '')],
    ['Reason', json(rule.reason)],
    ['FieldPath', json(rule.fieldPath ?? '')],
    ['OptionalOldSelf', json(rule.optionalOldSelf)],
  ]);
}

function membersOf(node: SchemaNode, inner: Inner): Members {
  const { unsupported } = node;
  return [
    ['ID', json(unsupported?.id ?? '')],
    ['Schema', json(unsupported?.schema ?? '')],
    ['Ref', json(unsupported?.ref)],
    ['Description', json(node.description)],
    ['Type', json(node.type)],
    ['Nullable', json(node.nullable)],
    ['Format', json(node.format)],
    ['Title', json(node.title)],
    ['Default', json(node.default)],
    ['Maximum', json(node.maximum)],
    ['ExclusiveMaximum', json(node.exclusiveMaximum)],
    ['Minimum', json(node.minimum)],
    ['ExclusiveMinimum', json(node.exclusiveMinimum)],
    ['MaxLength', json(node.maxLength)],
    ['MinLength', json(node.minLength)],
    ['Pattern', json(node.pattern)],
    ['MaxItems', json(node.maxItems)],
    ['MinItems', json(node.minItems)],
    ['UniqueItems', json(node.uniqueItems)],
    ['MultipleOf', json(node.multipleOf)],
    ['Enum', json(node.enum)],
    ['MaxProperties', json(node.maxProperties)],
    ['MinProperties', json(node.minProperties)],
    ['Required', list(node.required, json)],
    ['Items', itemsText(node, inner)],
    ['AllOf', list(node.allOf, inner)],
    ['OneOf', list(node.oneOf, inner)],
    ['AnyOf', list(node.anyOf, inner)],
    ['Not', optional(node.not, inner)],
    // An empty map is not an absent one here.
    [
      'Properties',
      node.properties === undefined && node.raw['properties'] !== undefined ? '{}' : map(node.properties, inner),
    ],
    ['AdditionalProperties', schemaOrBoolean(node.additionalProperties, inner)],
    ['PatternProperties', map(unsupported?.patternProperties, inner)],
    ['Dependencies', dependenciesText(node, inner)],
    ['AdditionalItems', schemaOrBoolean(unsupported?.additionalItems, inner)],
    ['Definitions', map(unsupported?.definitions, inner)],
    ['ExternalDocs', documentationText(node.externalDocs)],
    ['Example', json(node.example)],
    ['XPreserveUnknownFields', json(node.preserveUnknownFields)],
    ['XEmbeddedResource', json(node.embeddedResource)],
    ['XIntOrString', json(node.intOrString)],
    ['XListMapKeys', list(node.listMapKeys, json)],
    ['XListType', json(node.listType)],
    ['XMapType', json(node.mapType)],
    ['XValidations', list(node.rules, ruleText)],
  ];
}

function schemaText(node: SchemaNode): string {
  return structure(membersOf(node, schemaText));
}

/** The encoder escapes what could end a script element; outside of texts these characters do not occur. */
function raw(text: string): RawValue {
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return new RawValue(text.replace(/[<>&\u2028\u2029]/g, escape));
}

/** A whole schema as a bad value. */
export function internalSchema(node: SchemaNode): RawValue {
  return raw(schemaText(node));
}

/** `items`, which the server can hold as one schema or as several, as a bad value. */
export function internalItems(node: SchemaNode): RawValue {
  return raw(itemsText(node, schemaText));
}

/** A validation rule as a bad value. */
export function internalRule(rule: ValidationRule): RawValue {
  return raw(ruleText(rule));
}

/** The Go names of the members that are set, in the order of the Go type. */
export function setMembers(node: SchemaNode): string[] {
  const unset: ReadonlySet<string> = new Set([absent, '""', 'false']);
  // Whether a schema within is set does not depend on what it holds, which is most of a large definition.
  return membersOf(node, () => '{}')
    .filter(([, text]) => !unset.has(text))
    .map(([name]) => name);
}
