import type { Kind } from './kind.js';
import { versionOf } from './kind.js';
import { Place } from './meanings.js';
import type { Schema } from './schema.js';
import { factsIn } from './schema.js';

/** A node of a structural schema, as a CustomResourceDefinition holds it. */
export interface JsonSchema {
  description?: string;
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema;
  [keyword: string]: unknown;
}

/** Which variant of a kind is wanted. */
export interface VariantOptions {
  /** The feature gates that are on. */
  readonly gates?: Iterable<string>;
}

/** The structural schema of one version of a kind. */
export function structuralSchema(of: Kind, version: string, options: VariantOptions = {}): JsonSchema {
  const { schema } = versionOf(of, version);
  const gates = new Set(options.gates);
  const place = Place.root(of, version);
  const own = write(schema, place, gates);
  const { properties = {}, ...rest } = own;
  // Servers refuse a CRD that declares more about metadata than they do themselves, a description included.
  const { description: _, ...metadata } = properties['metadata'] ?? { type: 'object' };
  const head = {
    apiVersion: { description: 'The group and version the object is written in.', type: 'string' },
    kind: { description: 'The name of the kind.', type: 'string' },
  };
  return { ...rest, properties: { ...head, ...properties, metadata } };
}

function write(schema: Schema, at: Place, gates: ReadonlySet<string>): JsonSchema {
  const place = at.within(schema);
  const description = place.meaning() ?? schema.doc;
  const written: JsonSchema = description === undefined ? {} : { description };
  if (schema.type !== undefined) written.type = schema.type;
  for (const [keyword, value] of Object.entries(factsIn(schema, gates))) {
    if (value !== undefined) written[keyword] = typeof value === 'object' ? structuredCopy(value) : value;
  }
  if (schema.items !== undefined) written.items = write(schema.items, place.element(), gates);
  if (schema.values !== undefined) written.additionalProperties = write(schema.values, place.element(), gates);
  if (schema.properties !== undefined) writeProperties(written, schema.properties, place, gates);
  return written;
}

/** What is handed out belongs to the caller. */
function structuredCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, structuredCopy(each)]));
}

function writeProperties(
  into: JsonSchema,
  properties: Readonly<Record<string, Schema>>,
  place: Place,
  gates: ReadonlySet<string>,
): void {
  const written: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [key, property] of Object.entries(properties)) {
    if (property.gate !== undefined && !gates.has(property.gate)) continue;
    written[key] = write(property, place.property(key), gates);
    if (property.optional !== true) required.push(key);
  }
  if (Object.keys(written).length > 0) into.properties = written;
  if (required.length > 0) into.required = required.toSorted();
}

/** Every gate that changes anything in a kind, sorted. */
export function gatesOf(of: Kind): string[] {
  const gates = new Set<string>();
  const visit = (schema: Schema): void => {
    if (schema.gate !== undefined) gates.add(schema.gate);
    for (const gate of Object.keys(schema.gatedFacts ?? {})) gates.add(gate);
    for (const child of Object.values(schema.properties ?? {})) visit(child);
    if (schema.items !== undefined) visit(schema.items);
    if (schema.values !== undefined) visit(schema.values);
  };
  for (const { schema } of of.versions) visit(schema);
  return [...gates].toSorted();
}
