import { Buffer, isUtf8 } from 'node:buffer';
import { JsonSyntaxError, apiErrors, formatGvk } from '@capstan/meta';
import type { ApiResponse, JsonObject, KubeObject } from '@capstan/meta';
import { applyPatch } from '../apply/index.js';
import { TypedDecodeError, describeValue } from '../codec/index.js';
import { shownOf, withApplyScope } from '../registry/conversion.js';
import type { Flow } from '../registry/effects.js';
import { entriesOf, setManagedFields } from '../registry/field-tracking.js';
import { fitsServed } from '../registry/soundness.js';
import { type Soundness } from '../builtin/soundness.js';
import { updateObject } from '../registry/update.js';
import { MAX_BODY_BYTES, bodyBytes, mediaTypeOf, readStorable, yamlDuplicatesError } from '../request/body.js';
import { type ReadYaml } from '../yaml/types.js';
import { applyFieldValidation } from './decode-object.js';
import { parseWriteOptions, type WriteOptions } from '../request/options.js';
import { formOf, objectResponse, writeScope, type Call } from './context.js';
import { requireAddressed } from './write.js';

const APPLY = 'application/apply-patch+yaml';
const OPEN_BRACE = 0x7b;

/** Whether a PATCH is a server-side apply. */
export function isApply(call: Call): boolean {
  return mediaTypeOf(call.request.headers['content-type']) === APPLY;
}

/** Options and configuration of an apply. */
export interface ReadApply extends Configuration {
  readonly options: WriteOptions;
}

interface Configuration {
  readonly config: JsonObject;
  /** Keys that come twice; reported only of what could be applied. */
  readonly repeated: readonly string[];
}

/** Reads an apply; a manager must be named. */
export function readApply(call: Call): ReadApply {
  const options = parseWriteOptions('PatchOptions', call.info.query, 'apply');
  const { config, repeated } = readConfig(call);
  call.audit?.body(config);
  return { options, config, repeated };
}

/** PATCH with a configuration: what the manager wants the object to be, whether it exists or not. */
export function* apply(call: Call): Flow<ApiResponse> {
  const { info } = call;
  const { form } = formOf(call);
  const read = readApply(call);
  const { options } = read;
  const result = yield* updateObject(writeScope(call, options.dryRun), {
    name: info.name,
    transform: (existing, known) => applied(call, existing, read, known),
    mayCreate: info.subresource === '',
    isUidPrecondition: false,
  });
  return yield* objectResponse(form, result, result.created ? 201 : 200);
}

function* applied(
  call: Call,
  existing: KubeObject | undefined,
  { config, repeated, options }: ReadApply,
  known: Soundness,
): Flow<KubeObject> {
  const { core, served, info } = call;
  const { conversion } = served;
  const live = existing && shownOf(served, existing);
  const { fieldManager: manager, force = false } = options;
  const isLiveSound = live !== undefined && known.since === live;
  const request = { live, isLiveSound, config, manager, force, time: core.timestamp() };
  const result = yield* withApplyScope(served, info.subresource, (scope) => applyPatch(scope, request));
  if (result.type === 'conflicts') throw apiErrors.applyConflict(result.conflicts);
  const object = decodeApplied(call, result.object, { config, live, known });
  known.fits = fitsServed(served, object, known.since);
  refuseRepeated(call, repeated, options);
  requireAddressed(call, object);
  if (live === undefined && object.metadata.uid) {
    const reason = `uid mismatch: the provided object specified uid ${object.metadata.uid}, and no existing object was found`;
    throw apiErrors.conflict(served.groupResource, info.name, reason);
  }
  setManagedFields(object, entriesOf(served, result.managedFields));
  served.strategy.applyDefaults?.(object, result.object);
  return conversion === undefined ? object : conversion.toStorage(object);
}

/** The merged object as the kind reads it; what it does not know is the configuration's fault. */
function decodeApplied(
  call: Call,
  merged: KubeObject,
  { config, live, known }: { readonly config: JsonObject; readonly live: KubeObject | undefined; known: Soundness },
): KubeObject {
  const { served } = call;
  const { version } = served.definition;
  try {
    const { codec } = served;
    // What the schema knows and the kind does not is dropped without a word.
    const { object } = codec.decodeMerged?.(merged, live, known) ?? codec.decode(merged);
    requireConvertible(call, object, config);
    return object;
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
    const gvk = formatGvk({ ...served.groupKind, version });
    const reason = served.codec.explainConversion?.(merged) ?? error.message;
    throw inconvertible(config, gvk, `unable to convert unstructured object to ${gvk}: ${reason}`);
  }
}

function requireConvertible({ served }: Call, object: KubeObject, config: JsonObject): void {
  const problem = served.strategy.conversionProblem?.(object);
  if (problem === undefined) return;
  const gvk = formatGvk({ ...served.groupKind, version: served.definition.version });
  throw apiErrors.unclassified(`failed to convert to unversioned (${configText(config)}; ${gvk}): ${problem}`);
}

function configText(config: JsonObject): string {
  const { name, namespace } = (config['metadata'] ?? {}) as { name?: string; namespace?: string };
  return `${namespace ?? ''}/${name ?? ''}`;
}

/** What fits the schema may still not fit the kind, or the version it has to be converted to. */
export function inconvertible(config: JsonObject, gvk: string, reason: string): Error {
  return apiErrors.unclassified(
    `failed to convert new object (${configText(config)}; ${gvk}) to proper version: ${reason}`,
  );
}

/** The configuration is YAML by name; most clients send JSON, which is read as such. */
function readConfig(call: Call): Configuration {
  const { request } = call;
  const { body } = request;
  if (body?.type === 'value') return { config: requireMap(body.value), repeated: [] };
  const bytes = bodyBytes(body);
  if (bytes.length > MAX_BODY_BYTES) throw apiErrors.bodyTooLarge(MAX_BODY_BYTES);
  // Escapes that JSON knows and YAML does not are refused by the reader of YAML.
  if (bytes[0] !== OPEN_BRACE || isOtherInYaml(bytes) || !isUtf8(bytes)) return readYamlConfig(call, bytes);
  try {
    const { value, duplicates } = readStorable(bytes);
    const repeated = duplicates.map(
      ({ path }) => `line 1: key ${JSON.stringify(path.slice(path.lastIndexOf('.') + 1))} already set in map`,
    );
    return { config: requireMap(value), repeated };
  } catch (error) {
    // What is no JSON may still be YAML (`{a: b}`).
    if (error instanceof JsonSyntaxError) return readYamlConfig(call, bytes);
    throw error;
  }
}

const SURROGATE_ESCAPES = ['\\ud', '\\uD'];
const COLON = 0x3a;
const SPACE = 0x20;

/** JSON that YAML does not take: halves of surrogate pairs, and keys that are not on the line of their colon. */
function isOtherInYaml(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (SURROGATE_ESCAPES.some((escape) => text.includes(escape, 0, 'latin1'))) return true;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at)) {
    while ((text[at] ?? COLON + 1) <= SPACE) at += 1;
    if (text[at] === COLON) return true;
  }
  return false;
}

/** An apply that is tried again warns once. */
export function refuseRepeated(call: Call, repeated: readonly string[], options: WriteOptions): void {
  const warned = new Set(call.warnings);
  const problems = repeated.filter((text) => !warned.has(text));
  applyFieldValidation(problems, options, call.warnings, (all) =>
    apiErrors.badRequest(`error strict decoding YAML: error converting YAML to JSON: ${yamlDuplicatesError(all)}`),
  );
}

function readYamlConfig(call: Call, bytes: Uint8Array): Configuration {
  if (call.readYaml === undefined) throw apiErrors.internal('the YAML reader is not loaded');
  let read: ReadYaml;
  let value: unknown;
  try {
    read = call.readYaml(bytes);
    ({ value } = readStorable(read.json));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw apiErrors.badRequest(`error decoding YAML: error converting YAML to JSON: ${reason}`, { cause: error });
  }
  return { config: requireMap(value ?? {}), repeated: read.duplicates };
}

function requireMap(value: unknown): JsonObject {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  const reason = `json: cannot unmarshal ${describeValue(value)} into Go value of type map[string]interface {}`;
  throw apiErrors.badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${reason}`);
}
