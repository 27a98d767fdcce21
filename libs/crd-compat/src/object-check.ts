/** Objects checked against a required CRD, whatever the live one permits. */
import { cloneJson, deepEqual, type FieldError, forbidden, getOwn, type JsonObject } from '@capstan/meta';

import { type Definition, type DefinitionVersion, readDefinition, versionOf } from './definition.js';
import { isExcluded, isFilledIn, stepsIn, valueAt } from './object-paths.js';
import type { ServerRelease } from './requirement.js';
import { type ExcludedPath, type ExclusionTree, readExclusions } from './selection.js';

/** What of the CRD counts for objects. */
export interface ObjectCheckOptions {
  /** Names of the required versions; all of them when not set. */
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
  /** The live CRD made ready: what it fills in by itself is not held against the object. */
  readonly live?: LiveDefinition;
}

/** What is wrong with an object; warnings are about values that an update left as they were. */
export interface ObjectVerdict {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** A live CRD made ready once for many objects. */
export interface LiveDefinition {
  readonly definition: Definition;
}

/** Makes a live CRD ready for {@link ObjectRequest}. */
export function liveDefinition(crd: object, server?: ServerRelease): LiveDefinition {
  return { definition: readDefinition(crd, server?.minor ?? 36) };
}

const fine: ObjectVerdict = { errors: [], warnings: [] };

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is found of an object before anything is forgiven. */
interface Found {
  readonly errors: readonly FieldError[];
  /** Paths of fields that the required CRD does not have. */
  readonly unknown: readonly string[];
  readonly warnings: readonly string[];
}

/** Finalizers, labels and owners: a client that may change nothing else must still be able to get rid of the object. */
function changesMetadataAlone(object: JsonObject, old: JsonObject): boolean {
  const keys = new Set([...Object.keys(object), ...Object.keys(old)]);
  keys.delete('metadata');
  return [...keys].every((key) => deepEqual(getOwn(object, key), getOwn(old, key)));
}

/** The objects of a required CRD. */
export class ObjectCheck {
  readonly #definition: Definition;
  readonly #versions: ReadonlySet<string>;
  readonly #exclusions: ReadonlyMap<string, ExclusionTree>;

  constructor(definition: Definition, versions: readonly string[], exclusions: ReadonlyMap<string, ExclusionTree>) {
    this.#definition = definition;
    this.#versions = new Set(versions);
    this.#exclusions = exclusions;
  }

  /** What the required CRD has against a request. Versions that are not required are nobody's business. */
  check(request: ObjectRequest): ObjectVerdict {
    const version = versionOf(this.#definition, request.version);
    if (version === undefined || !this.#versions.has(request.version)) return fine;
    if (request.operation !== 'CREATE' && request.operation !== 'UPDATE') return fine;
    const { object, oldObject } = request;
    if (!isObject(object)) return fine;
    const old = isObject(oldObject) ? oldObject : undefined;
    if (request.subresource === 'scale') return checkScale(version, object, old);
    if (old !== undefined && changesMetadataAlone(object, old)) return fine;
    const found = request.subresource === 'status' ? findInStatus(version, object, old) : find(version, object, old);
    return this.#forgive(found, object, { old, version, request });
  }

  /** Leaves out what is excluded, what was so before, and what the live CRD has filled in. */
  #forgive(
    { errors, unknown, warnings }: Found,
    object: JsonObject,
    { old, request, version }: { old: JsonObject | undefined; version: DefinitionVersion; request: ObjectRequest },
  ): ObjectVerdict {
    if (errors.length === 0 && unknown.length === 0) return { errors, warnings };
    const excluded = this.#exclusions.get(version.name);
    const { live, subresource } = request;
    const inStatus = subresource === 'status';
    const served = live === undefined ? undefined : versionOf(live.definition, version.name)?.schema();
    const isHeld = (path: string): boolean => {
      const steps = stepsIn(object, path);
      return !isExcluded(excluded, steps) && (served === undefined || !isFilledIn(object, steps, served));
    };
    const wasSo = (path: string): boolean => {
      const steps = stepsIn(object, path);
      return old !== undefined && deepEqual(valueAt(object, steps), valueAt(old, steps));
    };
    const strange = unknown.filter(isHeld);
    const held = errors.filter(({ field }) => field !== WHOLE && isHeld(field));
    const others = errors.filter((error) => error.field === WHOLE && !isRemark(error));
    const unchecked = errors.filter(isRemark);
    // The rules were left out on account of what is forgiven now, so they are asked after all.
    const rules =
      unchecked.length > 0 && held.length === 0
        ? broken(version, object, old).filter(({ field }) => isHeld(field) && (!inStatus || isInStatus(field)))
        : [];
    const fresh = strange.filter((path) => !wasSo(path)).map((path) => forbidden(path, UNKNOWN));
    return {
      errors: [...held, ...rules, ...others, ...(held.length > 0 && !inStatus ? unchecked : []), ...fresh],
      warnings: [...warnings, ...strange.filter(wasSo).map((path) => `${path}: ${UNKNOWN}`)],
    };
  }
}

/** How errors about a value as a whole are placed. */
const WHOLE = '<nil>';
const UNKNOWN = 'the required CRD has no such field';

/** The remark that some rules were left out on account of other errors. */
function isRemark({ badValue, field, type }: FieldError): boolean {
  return field === WHOLE && type === 'Invalid' && badValue === null;
}

/** The rules that an object breaks, those about changes among them, whatever else is wrong with it. */
function broken(version: DefinitionVersion, object: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const schema = version.schema();
  const [value, before] = [cloneJson(object), cloneJson(old)];
  schema.prepare(value);
  if (before !== undefined) schema.prepare(before);
  return schema.validateStranger(value, [], undefined, before).errors;
}

function isInStatus(path: string): boolean {
  return path === 'status' || path.startsWith('status.') || path.startsWith('status[');
}

function find(version: DefinitionVersion, object: JsonObject, old: JsonObject | undefined): Found {
  const schema = version.schema();
  const value = cloneJson(object);
  const unknown = schema.prepare(value);
  if (old === undefined) return { ...schema.validate(value), unknown };
  const before = cloneJson(old);
  schema.prepare(before);
  return { ...schema.validate(value, { old: before }), unknown };
}

/** Of a write to the status nothing else counts: what is wrong with the rest must not keep the status away. */
function findInStatus(version: DefinitionVersion, object: JsonObject, old: JsonObject = {}): Found {
  const schema = version.schema();
  const [value, before] = [cloneJson(object), cloneJson(old)];
  const unknown = schema.prepare(value);
  schema.prepare(before);
  const { errors, warnings } = schema.validateStatus(value, { old: before });
  const own = errors.filter((error) => isInStatus(error.field) || isRemark(error));
  return { errors: own, unknown: unknown.filter(isInStatus), warnings };
}

/** A Scale is no object of the CRD: what counts is where its number would be written. */
function checkScale(version: DefinitionVersion, scale: JsonObject, old: JsonObject | undefined): ObjectVerdict {
  const replicas = valueAt(scale, ['spec', 'replicas']) ?? 0;
  if (version.scale === undefined || (old !== undefined && replicas === (valueAt(old, ['spec', 'replicas']) ?? 0)))
    return fine;
  const path = version.scale.specReplicasPath.replace(/^\./, '');
  const object = path.split('.').reduceRight<unknown>((below, name) => ({ [name]: below }), replicas);
  const { errors } = version.schema().validate(object);
  return { errors: errors.filter(({ field }) => field === path), warnings: [] };
}

/** Prepares the check of objects, or returns what is wrong with the options. */
export function objectCheck(
  requirementCrd: object,
  options: ObjectCheckOptions = {},
): { readonly ok: ObjectCheck } | { readonly errors: readonly FieldError[] } {
  const definition = readDefinition(requirementCrd, options.server?.minor ?? 36);
  const versions = options.versions ?? definition.versions.map(({ name }) => name);
  const { byVersion, errors } = readExclusions(definition, versions, options.excludedFields ?? []);
  return errors.length > 0 ? { errors } : { ok: new ObjectCheck(definition, versions, byVersion) };
}
