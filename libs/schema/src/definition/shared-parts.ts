/**
 * The real server keeps what all versions have in common once, next to the versions: a lone version has nothing of its
 * own. Messages name fields where they are kept.
 */
import { canonicalJson, equalJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { DefinitionVersion } from './definition.js';

export interface SharedParts {
  readonly schema: boolean;
  readonly subresources: boolean;
  readonly columns: boolean;
  readonly selectable: boolean;
}

const NOTHING_SHARED: SharedParts = { schema: false, subresources: false, columns: false, selectable: false };

/** Which parts all versions have alike. */
export function sharedParts(versions: readonly DefinitionVersion[]): SharedParts {
  const [first, ...others] = versions;
  if (first === undefined) return NOTHING_SHARED;
  const isShared = (field: keyof DefinitionVersion): boolean =>
    others.every((other) => equalJson(other[field], first[field]));
  return {
    // What is null there is something: items that are neither a schema nor a list.
    schema: others.every((other) => canonicalJson(other.schema ?? null) === canonicalJson(first.schema ?? null)),
    subresources: isShared('subresources'),
    columns: isShared('additionalPrinterColumns'),
    selectable: isShared('selectableFields'),
  };
}

/** The schema of a version, where it has one. */
export function schemaOf(version: DefinitionVersion): JsonObject | undefined {
  return version.schema?.openAPIV3Schema ?? undefined;
}

/** Whether a version has the status subresource. */
export function hasStatus(version: DefinitionVersion): boolean {
  return version.subresources?.status != null;
}
