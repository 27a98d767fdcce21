import type { JsonSchema, Schema, SchemaType } from '@capstan/api/model';

/** What is written elsewhere in a node, and words of others that are not ours to keep. */
const structure = new Set(['description', 'type', 'properties', 'required', 'items', 'additionalProperties']);

/** Reads a published schema as a definition, without its words. */
export function schemaOf(json: JsonSchema): Schema {
  const facts = Object.fromEntries(
    Object.entries(json)
      .filter(([keyword]) => !structure.has(keyword))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  const properties = json.properties === undefined ? undefined : propertiesOf(json.properties, json.required ?? []);
  return {
    ...(json.type === undefined ? {} : { type: json.type as SchemaType }),
    facts,
    ...(properties === undefined ? {} : { properties }),
    ...(json.items === undefined ? {} : { items: schemaOf(json.items) }),
    ...(json.additionalProperties === undefined ? {} : { values: schemaOf(json.additionalProperties) }),
  };
}

function propertiesOf(json: Readonly<Record<string, JsonSchema>>, required: readonly string[]): Record<string, Schema> {
  const missing = required.filter((key) => json[key] === undefined);
  if (missing.length > 0) throw new Error(`required but not described: ${missing.join(', ')}`);
  return Object.fromEntries(
    Object.keys(json)
      .toSorted()
      .map((key) => {
        const schema = schemaOf(json[key] ?? {});
        return [key, required.includes(key) ? schema : { ...schema, optional: true as const }];
      }),
  );
}
