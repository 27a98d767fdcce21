/** What the field manager must know of the resource a write goes to. */
import type { JsonObject } from '@capstan/meta';
import type { ApplyType } from './apply-type.js';
import type { FieldFilter } from './field-filter.js';

/** A resource in the version of the request, or one of its subresources. Make one per resource and keep it. */
export interface ApplyScope {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for the main resource. */
  readonly subresource: string;
  /** The type of the object in a version; undefined when the version is not served (any more). */
  typeOf(apiVersion: string): ApplyType | undefined;
  /** The object in another served version. Asked only for versions {@link typeOf} knows. */
  convert(object: JsonObject, apiVersion: string): JsonObject;
  /** What a write in this scope cannot own, by version: `status` on the main resource, `spec` on status, … */
  filterOf(apiVersion: string): FieldFilter | undefined;
  /** The object before it had any content: of a built-in kind what Go writes of the untouched struct. */
  emptyObject(): JsonObject;
}

/** What differs from a resource that is served in one version and resets nothing. */
export interface ApplyScopeOptions {
  readonly apiVersion: string;
  readonly kind: string;
  readonly type: ApplyType;
  readonly emptyObject?: () => JsonObject;
  readonly subresource?: string;
  readonly filter?: FieldFilter;
}

/** The scope of a resource with a single version. */
export function singleVersionScope(options: ApplyScopeOptions): ApplyScope {
  const { apiVersion, kind, type, filter } = options;
  return {
    apiVersion,
    kind,
    subresource: options.subresource ?? '',
    typeOf: (version) => (version === apiVersion ? type : undefined),
    convert: (object) => object,
    filterOf: (version) => (version === apiVersion ? filter : undefined),
    emptyObject: options.emptyObject ?? (() => ({ apiVersion, kind })),
  };
}

/** More than a kind has; what managers name that never was is not remembered without end. */
const MAX_VERSIONS = 32;

/** Remembers what is found out of a version: every write asks, and more than once. */
export function oncePerVersion<T>(find: (apiVersion: string) => T): (apiVersion: string) => T {
  const found = new Map<string, { readonly value: T }>();
  return (apiVersion) => {
    let known = found.get(apiVersion);
    if (known === undefined) {
      known = { value: find(apiVersion) };
      if (found.size < MAX_VERSIONS) found.set(apiVersion, known);
    }
    return known.value;
  };
}
