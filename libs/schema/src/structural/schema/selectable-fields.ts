/** The values of `selectableFields`, which field selectors compare. */
import { goFormat } from '@capstan/meta';
import type { SchemaNode } from './schema-node.js';
import { resolveFieldPath } from './field-path.js';

/** A selectable field: the name a selector uses, and how its value is read from an object. */
export interface SelectableField {
  readonly name: string;
  /** The value as text; empty where the object has none. */
  read(object: unknown): string;
}

/** Makes the selectable fields of a version ready; paths that lead nowhere are left out. */
export function selectableFields(jsonPaths: readonly string[], root: SchemaNode): SelectableField[] {
  return jsonPaths.flatMap((jsonPath): SelectableField[] => {
    const resolved = resolveFieldPath(jsonPath, root, false);
    if ('error' in resolved) return [];
    const { names } = resolved;
    return [{ name: jsonPath.replace(/^\./, ''), read: (object) => readText(object, names) }];
  });
}

function readText(object: unknown, names: readonly string[]): string {
  let value = object;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return '';
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value === null || value === undefined ? '' : goFormat(value);
}
