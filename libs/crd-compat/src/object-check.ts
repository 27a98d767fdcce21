/** Objects checked against a required definition, whatever the live one permits. */
import { type FieldError, type JsonObject, cloneJson, deepEqual, forbidden } from '@capstan/meta';
import { StructuralSchema } from '@capstan/schema';

import { type Definition, type DefinitionVersion, readDefinition, versionOf } from './definition.js';
import { type Keys, keysOf, placeOf, schemaAt, schemaFor, valueAt } from './proof/places.js';
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
const notRequired = 'the required definition has no such field';
const notAsked = 'some validation rules were not checked because the object was invalid';

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether nothing but metadata differs: finalizers, labels and owners are nobody's business here. */
function sameBesidesMetadata(object: JsonObject, old: JsonObject): boolean {
  const { metadata: _new, ...rest } = object;
  const { metadata: _old, ...before } = old;
  return deepEqual(rest, before);
}

function isExcluded(tree: ExclusionTree | undefined, keys: Keys): boolean {
  let at = tree;
  for (const key of keys) {
    if (typeof key === 'number') continue;
    if (at?.has(key) !== true) return false;
    at = at.get(key);
    if (at === undefined) return true;
  }
  return false;
}

/** Whether the value at a place is there because the live definition filled it in. */
function isFilledIn(live: StructuralSchema | undefined, object: unknown, keys: Keys): boolean {
  if (live === undefined) return false;
  let { root: node } = live;
  for (const [index, key] of keys.entries()) {
    node = schemaAt(node, [key]);
    if (node.default === undefined) continue;
    const filled = cloneJson(node.default);
    new StructuralSchema(node.raw).applyDefaults(filled);
    if (deepEqual(valueAt(object, keys.slice(0, index + 1)), filled)) return true;
  }
  return false;
}

function sameError(a: FieldError, b: FieldError): boolean {
  return a.type === b.type && a.field === b.field && a.detail === b.detail && deepEqual(a.badValue, b.badValue);
}

/** An object as the required definition would keep it. */
interface Reading {
  readonly value: JsonObject;
  readonly unknown: readonly string[];
}

function read(schema: StructuralSchema, object: JsonObject): Reading {
  const value = cloneJson(object);
  const unknown = schema.prune(value);
  schema.dropInvalidNulls(value);
  schema.applyDefaults(value);
  return { value, unknown };
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

  /**
   * What the required definition has against a request. Versions that are not required are nobody's business, and an
   * update answers only for what it makes worse.
   */
  check(request: ObjectRequest): ObjectVerdict {
    const { object, oldObject, operation, subresource = '' } = request;
    const version = versionOf(this.#definition, request.version);
    if (version === undefined || !this.#versions.has(request.version) || !isObject(object)) return fine;
    if (operation !== 'CREATE' && operation !== 'UPDATE') return fine;
    const old = operation === 'UPDATE' && isObject(oldObject) ? oldObject : undefined;
    if (subresource === 'scale') return checkScale(version, object, old);
    if (subresource !== '' && subresource !== 'status') return fine;
    if (old !== undefined && sameBesidesMetadata(object, old)) return fine;
    const live = request.live && versionOf(request.live.definition, request.version)?.schema();
    return this.#check(version, { object, old, live, status: subresource === 'status' });
  }

  #check(
    version: DefinitionVersion,
    request: {
      readonly object: JsonObject;
      readonly old: JsonObject | undefined;
      readonly live: StructuralSchema | undefined;
      readonly status: boolean;
    },
  ): ObjectVerdict {
    const schema = version.schema();
    const { live, object, old, status } = request;
    const now = read(schema, object);
    const before = old && read(schema, old);
    const validated =
      status && before !== undefined
        ? schema.validateStatus(now.value, { old: before.value })
        : schema.validate(now.value, before === undefined ? {} : { old: before.value });
    const unknown = now.unknown
      .filter((path) => !status || path === 'status' || path.startsWith('status.') || path.startsWith('status['))
      .filter((path) => old === undefined || !deepEqual(valueAt(old, keysOf(path)), valueAt(object, keysOf(path))));
    const errors = [...validated.errors, ...unknown.map((path) => forbidden(path, notRequired))];
    if (errors.length === 0) return validated;
    const known = before === undefined ? [] : schema.validate(before.value).errors;
    const excluded = this.#exclusions.get(version.name);
    const counting = errors.filter((error) => {
      if (known.some((other) => sameError(error, other))) return false;
      const keys = placeOf(error);
      return !isExcluded(excluded, keys) && !isFilledIn(live, object, keys);
    });
    // That rules were not asked matters only beside what kept them from it.
    const real = counting.filter(({ detail }) => !detail.startsWith(notAsked));
    return { errors: real.length === 0 ? [] : counting, warnings: validated.warnings };
  }
}

/** A Scale says how many: the field it stands for has a schema. */
function checkScale(version: DefinitionVersion, scale: JsonObject, old: JsonObject | undefined): ObjectVerdict {
  const path = keysOf(version.scale?.specReplicasPath.replace(/^\./, '') ?? '');
  const replicas = valueAt(scale, ['spec', 'replicas']);
  if (path.length === 0 || replicas === undefined || replicas === valueAt(old, ['spec', 'replicas'])) return fine;
  const schema = schemaFor(schemaAt(version.schema().root, path), version.schema().minor);
  const errors = schema.validate(replicas).errors.map((error) => ({ ...error, field: 'spec.replicas' }));
  return { errors, warnings: [] };
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
