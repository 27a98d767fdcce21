/**
 * A schema as the server prints one inside a message: its internal form has no JSON names, so every member appears
 * under its Go name, set or not.
 */
import type { SchemaNode, ValidationRule } from './schema-node.js';

function list<T>(items: readonly T[], form: (item: T) => unknown): unknown {
  return items.length === 0 ? null : items.map(form);
}

function map(items: ReadonlyMap<string, SchemaNode> | undefined): unknown {
  if (items === undefined) return null;
  return Object.fromEntries([...items].map(([name, node]) => [name, internalSchema(node)]));
}

function schemaOrBoolean(value: SchemaNode | boolean | undefined): unknown {
  if (value === undefined) return null;
  return typeof value === 'boolean' ? { Allows: value, Schema: null } : { Allows: true, Schema: internalSchema(value) };
}

/** `items`, which the server can hold as one schema or as several. */
export function internalItems(node: SchemaNode): unknown {
  const several = node.unsupported?.itemSchemas;
  if (several !== undefined) return { Schema: null, JSONSchemas: several.map(internalSchema) };
  return node.items === undefined ? null : { Schema: internalSchema(node.items), JSONSchemas: null };
}

function documentation(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null;
  const { description = '', url = '' } = value as { description?: unknown; url?: unknown };
  return { Description: description, URL: url };
}

/** A validation rule. */
export function internalRule(rule: ValidationRule): Readonly<Record<string, unknown>> {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

/** A whole schema. */
export function internalSchema(node: SchemaNode): Readonly<Record<string, unknown>> {
  const { unsupported } = node;
  return {
    ID: unsupported?.id ?? '',
    Schema: unsupported?.schema ?? '',
    Ref: unsupported?.ref ?? null,
    Description: node.description,
    Type: node.type,
    Nullable: node.nullable,
    Format: node.format,
    Title: node.title,
    Default: node.default ?? null,
    Maximum: node.maximum ?? null,
    ExclusiveMaximum: node.exclusiveMaximum,
    Minimum: node.minimum ?? null,
    ExclusiveMinimum: node.exclusiveMinimum,
    MaxLength: node.maxLength ?? null,
    MinLength: node.minLength ?? null,
    Pattern: node.pattern,
    MaxItems: node.maxItems ?? null,
    MinItems: node.minItems ?? null,
    UniqueItems: node.uniqueItems,
    MultipleOf: node.multipleOf ?? null,
    Enum: node.enum ?? null,
    MaxProperties: node.maxProperties ?? null,
    MinProperties: node.minProperties ?? null,
    Required: list(node.required, (name) => name),
    Items: internalItems(node),
    AllOf: list(node.allOf, internalSchema),
    OneOf: list(node.oneOf, internalSchema),
    AnyOf: list(node.anyOf, internalSchema),
    Not: node.not === undefined ? null : internalSchema(node.not),
    Properties: map(node.properties),
    AdditionalProperties: schemaOrBoolean(node.additionalProperties),
    PatternProperties: map(unsupported?.patternProperties),
    Dependencies: null,
    AdditionalItems: schemaOrBoolean(unsupported?.additionalItems),
    Definitions: map(unsupported?.definitions),
    ExternalDocs: documentation(node.externalDocs),
    Example: node.example ?? null,
    XPreserveUnknownFields: node.preserveUnknownFields ?? null,
    XEmbeddedResource: node.embeddedResource,
    XIntOrString: node.intOrString,
    XListMapKeys: list(node.listMapKeys, (name) => name),
    XListType: node.listType ?? null,
    XMapType: node.mapType ?? null,
    XValidations: list(node.rules, internalRule),
  };
}

/** The Go names of the members that are set, in the order of the Go type. */
export function setMembers(node: SchemaNode): string[] {
  const form = internalSchema(node);
  return Object.keys(form).filter((name) => {
    const value = form[name];
    return value !== null && value !== '' && value !== false;
  });
}
