import type { GroupVersionKind } from '@capstan/meta';
import type { CelType } from '../cel/types/types.js';
import { parseSchema } from '../structural/schema/parse-schema.js';
import { declareType } from '../structural/rules/types.js';

type Json = Readonly<Record<string, unknown>>;

const REF_PREFIX = '#/components/schemas/';

function isJson(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The type of a kind by the OpenAPI v3 document of its group and version; undefined when the document lacks it. */
export function openApiKindType(document: unknown, gvk: GroupVersionKind): CelType | undefined {
  const components = isJson(document) && isJson(document['components']) ? document['components'] : {};
  const schemas = isJson(components['schemas']) ? components['schemas'] : {};
  const root = Object.values(schemas).find((schema): schema is Json => isJson(schema) && describes(schema, gvk));
  if (root === undefined) return undefined;
  return declareType(parseSchema(new Inliner(schemas).inline(root)), true, gvk.kind);
}

function describes(schema: Json, { group, version, kind }: GroupVersionKind): boolean {
  const kinds = schema['x-kubernetes-group-version-kind'];
  if (!Array.isArray(kinds)) return false;
  return kinds.some(
    (each: unknown) => isJson(each) && each['group'] === group && each['version'] === version && each['kind'] === kind,
  );
}

/** Puts referred schemas in the place of their references. Where a schema contains itself, nothing is known. */
class Inliner {
  readonly #schemas: Json;
  readonly #open = new Set<string>();

  constructor(schemas: Json) {
    this.#schemas = schemas;
  }

  inline(schema: Json): Json {
    const reference = referenceOf(schema);
    if (reference !== undefined) return this.#referred(reference);
    // What is a number or a text has no type of its own.
    if (schema['format'] === 'int-or-string') return { 'x-kubernetes-int-or-string': true };
    const { properties, items, additionalProperties } = schema;
    return {
      ...schema,
      ...(isJson(properties) ? { properties: this.#each(properties) } : {}),
      ...(isJson(items) ? { items: this.inline(items) } : {}),
      ...(isJson(additionalProperties) ? { additionalProperties: this.inline(additionalProperties) } : {}),
    };
  }

  #each(properties: Json): Json {
    const inlined = Object.entries(properties).map(([name, schema]) => [
      name,
      isJson(schema) ? this.inline(schema) : {},
    ]);
    return Object.fromEntries(inlined) as Json;
  }

  #referred(name: string): Json {
    const schema = this.#schemas[name];
    if (!isJson(schema) || this.#open.has(name)) return {};
    this.#open.add(name);
    const inlined = this.inline(schema);
    this.#open.delete(name);
    return inlined;
  }
}

/** A reference, alone or as the one member of `allOf` next to a default. */
function referenceOf(schema: Json): string | undefined {
  const { allOf } = schema;
  const single: unknown = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : schema;
  const reference = isJson(single) ? single['$ref'] : undefined;
  return typeof reference === 'string' && reference.startsWith(REF_PREFIX)
    ? reference.slice(REF_PREFIX.length)
    : undefined;
}
