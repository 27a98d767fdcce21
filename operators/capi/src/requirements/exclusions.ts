import type { JsonObject } from '@capstan/meta';
import type { ReleasedDefinition } from '../transport/releases.js';

/** A path that is not required, and the versions in which it is not. */
export interface Exclusion {
  readonly path: string;
  readonly versions: readonly string[];
}

/**
 * What Cluster API keeps in its status for clients of an older version only; its controllers do not read it, and it
 * goes when that version does.
 */
const DEPRECATED = ['status', 'deprecated', 'v1beta1'] as const;

/** The built-in exclusions of a CRD: where the deprecated part is there, and of its parent when it is all of it. */
export function builtInExclusions({ additionalVersions, definition }: ReleasedDefinition): readonly Exclusion[] {
  const required = definition.spec.versions.filter(({ name, storage }) => storage || additionalVersions.includes(name));
  const byPath = new Map<string, string[]>();
  for (const { name, schema } of required) {
    const path = deprecatedPath((schema as { openAPIV3Schema?: JsonObject } | undefined)?.openAPIV3Schema);
    if (path !== undefined) byPath.set(path, [...(byPath.get(path) ?? []), name]);
  }
  return [...byPath].map(([path, versions]) => ({ path, versions }));
}

function deprecatedPath(root: JsonObject | undefined): string | undefined {
  const [status, deprecated, old] = DEPRECATED;
  const parent = child(child(root, status), deprecated);
  if (child(parent, old) === undefined) return undefined;
  const isAll = Object.keys((parent?.['properties'] ?? {}) as JsonObject).length === 1;
  return (isAll ? [status, deprecated] : DEPRECATED).join('.');
}

function child(schema: JsonObject | undefined, name: string): JsonObject | undefined {
  const properties = schema?.['properties'] as Readonly<Record<string, JsonObject>> | undefined;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
