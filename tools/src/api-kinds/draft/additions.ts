import type { JsonSchema } from '@capstan/api/model';

import type { PublishedCrd } from './crd-file.js';
import type { Addition } from './sources.js';

/** A published definition with our own fields in it. */
export function withAdditions(crd: PublishedCrd, additions: readonly Addition[]): PublishedCrd {
  if (additions.length === 0) return crd;
  const copy = structuredClone(crd);
  for (const addition of additions) add(copy, addition);
  return copy;
}

function add(crd: PublishedCrd, { path, schema, required }: Addition): void {
  const [version = '', ...keys] = path.split('.');
  const last = keys.pop();
  const root = crd.spec.versions.find((each) => each.name === version)?.schema.openAPIV3Schema;
  const parent = root === undefined ? undefined : schemaAt(root, keys);
  if (parent === undefined || last === undefined) throw new Error(`${crd.spec.names.kind} has no place for ${path}`);
  if (parent.properties?.[last] !== undefined) {
    throw new Error(`${crd.spec.names.kind} has ${path} by now: take the addition away`);
  }
  parent.properties = { ...parent.properties, [last]: schema };
  if (required === true) parent.required = [...(parent.required ?? []), last];
}

function schemaAt(schema: JsonSchema, keys: readonly string[]): JsonSchema | undefined {
  const inner = schema.items ?? schema.additionalProperties;
  if (inner !== undefined) return schemaAt(inner, keys);
  const [key, ...rest] = keys;
  if (key === undefined) return schema;
  const property = schema.properties?.[key];
  return property === undefined ? undefined : schemaAt(property, rest);
}
