/** Objects checked against a required definition, whatever the live one permits. */
import { type FieldError, type JsonObject, cloneJson, forbidden } from '@capstan/meta';

import { type Definition, type DefinitionVersion, readDefinition, versionOf } from './definition.js';
import type { ServerRelease } from './requirement.js';
import { type ExcludedPath, type ExclusionTree, readExclusions } from './selection.js';

/** What of the definition counts for objects. */
export interface ObjectCheckOptions {
  /** Names of the required versions; all of them unless told. */
  readonly versions?: readonly string[];
  readonly excludedFields?: readonly ExcludedPath[] | null;
  readonly server?: ServerRelease;
}

/** One admission request. */
export interface ObjectRequest {
  readonly operation: string;
  /** The version of the object. */
  readonly version: string;
  /** `status` and `scale` are known; empty for the object itself. */
  readonly subresource?: string;
  readonly object: unknown;
  readonly oldObject?: unknown;
  /** The live definition made ready: what it fills in by itself is not held against the object. */
  readonly live?: LiveDefinition;
}

/** What is wrong with an object; warnings are about values that an update left as they were. */
export interface ObjectVerdict {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** A live definition made ready once for many objects. */
export interface LiveDefinition {
  readonly definition: Definition;
}

/** Makes a live definition ready for {@link ObjectRequest}. */
export function liveDefinition(crd: object, server?: ServerRelease): LiveDefinition {
  return { definition: readDefinition(crd, server?.minor ?? 36) };
}

const fine: ObjectVerdict = { errors: [], warnings: [] };

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a required definition. */
export class ObjectCheck {
  readonly #definition: Definition;
  readonly #versions: ReadonlySet<string>;
  readonly #exclusions: ReadonlyMap<string, ExclusionTree>;

  constructor(definition: Definition, versions: readonly string[], exclusions: ReadonlyMap<string, ExclusionTree>) {
    this.#definition = definition;
    this.#versions = new Set(versions);
    this.#exclusions = exclusions;
  }

  /** What the required definition has against a request. Versions that are not required are nobody's business. */
  check(request: ObjectRequest): ObjectVerdict {
    const version = versionOf(this.#definition, request.version);
    if (version === undefined || !this.#versions.has(request.version)) return fine;
    if (request.operation !== 'CREATE' && request.operation !== 'UPDATE') return fine;
    if (!isObject(request.object)) return fine;
    return this.#check(version, request.object);
  }

  #check(version: DefinitionVersion, object: JsonObject): ObjectVerdict {
    const schema = version.schema();
    const value = cloneJson(object);
    const excluded = this.#exclusions.get(version.name);
    const unknown = schema.prune(value).filter((path) => excluded?.has(path) !== true);
    const { errors, warnings } = schema.validate(value);
    return { errors: [...errors, ...unknown.map((path) => forbidden(path, 'unknown field'))], warnings };
  }
}

/** Makes the check of objects ready, or tells what is wrong with the options. */
export function objectCheck(
  requirementCrd: object,
  options: ObjectCheckOptions = {},
): { readonly ok: ObjectCheck } | { readonly errors: readonly FieldError[] } {
  const definition = readDefinition(requirementCrd, options.server?.minor ?? 36);
  const versions = options.versions ?? definition.versions.map(({ name }) => name);
  const { byVersion, errors } = readExclusions(definition, versions, options.excludedFields ?? []);
  return errors.length > 0 ? { errors } : { ok: new ObjectCheck(definition, versions, byVersion) };
}
