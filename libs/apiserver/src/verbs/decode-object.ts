import { Buffer } from 'node:buffer';
import { structOf } from '@capstan/api/kubernetes';
import { apiErrors, duplicateFieldMessage, goQuote, isTooDeep, parseApiVersion, readKeyPaths } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { TypedDecodeError, decodeMeta, readBodyKind, type BodyKind } from '../codec/index.js';
import { LEAF_TEXTS } from '../codec/index.js';
import { createBuiltinCodec } from '../registry/builtin-codec.js';
import type { DecodedObject, ObjectCodec, ServedResource } from '../registry/served-resource.js';
import { rememberStranger, requireCustomKind, wrongCustomKind } from '../crd/custom-kind.js';
import { tooDeep, yamlDuplicatesError, type ParsedBody } from '../request/body.js';
import { relationOf } from '../request/known-kinds.js';
import type { WriteOptions } from '../request/options.js';

/** Where the real server's scheme is declared; messages quote it. */
const SCHEME = 'in scheme "pkg/runtime/scheme.go:111"';

/** What may be wrong with a body without refusing it, by the client's wish. */
export function applyFieldValidation(
  problems: readonly string[],
  options: WriteOptions,
  warnings: string[],
  refuse: (problems: readonly string[]) => Error,
): void {
  if (problems.length === 0 || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Strict') throw refuse(problems);
  for (const problem of problems) warnings.push(problem);
}

/** `unknown field "spec.x"` for each. */
export function unknownFieldTexts(paths: readonly string[]): string[] {
  return paths.map((path) => `unknown field ${goQuote(path)}`);
}

/** The object of a create or update body; kind and apiVersion may be left out, but not be others. */
export function decodeObject(
  served: ServedResource,
  body: ParsedBody,
  options: WriteOptions,
  warnings: string[],
): KubeObject {
  const { definition } = served;
  const found = kindOf(served, body);
  const kind = found.kind || definition.kind;
  const apiVersion = versionMeant(served, found.apiVersion);
  const { group, version } = parseApiVersion(apiVersion);
  const isOtherVersion = isInOtherVersion(served, { ...found, kind }, apiVersion);
  if (served.custom !== undefined) requireReadable(served, body);
  // Any kind can be read where there are no types.
  const readAs = served.custom === undefined ? definition.kind : kind;
  if (served.custom !== undefined && found.kind !== '' && found.apiVersion !== served.apiVersion)
    readForeign(served, { kind, apiVersion: found.apiVersion }, body, (unknown) =>
      applyFieldValidation(unknown, options, warnings, (all) =>
        found.apiVersion === '' ? noVersion() : apiErrors.strictDecoding(readAs, version, readAs, all),
      ),
    );
  if (!isOtherVersion) requireKind(served, { kind, apiVersion }, found, body);
  // A body in another version is read as such, and its problems are reported, before it is refused.
  const codec = isOtherVersion ? codecOf(served, group, version) : served.codec;
  const { object, unknownFields } = decodeOrRefuse(served, codec, { kind: readAs, version }, body);
  const problems = strictProblems(served, body, unknownFields);
  const ofYaml = body.yamlDuplicates ?? [];
  applyFieldValidation([...ofYaml, ...problems], options, warnings, () => {
    const all = ofYaml.length === 0 ? problems : [yamlDuplicatesError(ofYaml), ...problems];
    return apiErrors.strictDecoding(readAs, version, readAs, all);
  });
  if (isOtherVersion) throw apiErrors.apiVersionMismatch(apiVersion, served.apiVersion);
  if (readAs !== definition.kind)
    rememberStranger(object, (named) =>
      wrongCustomKind(served, { kind, apiVersion }, named.metadata.name ?? '', body.value),
    );
  return object;
}

function unstorable({ definition }: ServedResource, { bytes }: ParsedBody): Error {
  return apiErrors.unrecognizedObject(
    definition.kind,
    `couldn't get version/kind; json parse error: ${tooDeep(bytes).message}`,
    bytes,
  );
}

/** Without a version, the problems of a custom resource cannot even be described. */
function noVersion(): Error {
  return apiErrors.badRequest("Object 'apiVersion' is missing in 'object has no apiVersion field'");
}

/** A custom resource of another group or version is looked into before it is refused; of another group, its metadata alone. */
function readForeign(
  served: ServedResource,
  { kind, apiVersion }: BodyKind,
  body: ParsedBody,
  report: (unknown: readonly string[]) => void,
): void {
  const { group, version } = parseApiVersion(apiVersion);
  if (group === served.definition.group) {
    decodeOrRefuse(served, served.codec, { kind, version }, body);
    return;
  }
  try {
    const { metadata } = body.value as { readonly metadata?: unknown };
    report(unknownFieldTexts(decodeMeta(metadata, { texts: LEAF_TEXTS }).unknownFields));
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
    throw apiErrors.cannotBeHandledAs(kind, version, served.definition.kind, error.message);
  }
}

/** A version that is left out is taken for granted, behind the right group, too. */
function versionMeant({ definition, apiVersion }: ServedResource, found: string): string {
  const isOwnGroup = definition.group !== '' && found === `${definition.group}/`;
  return isOwnGroup ? apiVersion : found || apiVersion;
}

/** What strict reading complains of, in the order in which it is met; fields that are pruned are met after all others. */
export function strictProblems(served: ServedResource, body: ParsedBody, unknownFields: readonly string[]): string[] {
  const unknown = unknownFieldTexts(unknownFields);
  // A field nobody knows is not read, so that it comes twice goes unnoticed, and what comes twice inside it.
  const skipped = served.custom === undefined ? unknownFields.map((path) => duplicateFieldMessage(path)) : [];
  const duplicates = body.duplicates.filter((text) => !skipped.some((each) => isWithin(text, each)));
  if (unknown.length === 0 || duplicates.length === 0 || served.custom !== undefined)
    return [...duplicates, ...unknown];
  const complaints = new Set([...unknown, ...duplicates]);
  const met = new Set<string>();
  const seen = new Set<string>();
  for (const path of readKeyPaths(body.bytes, [...unknownFields, ...(body.duplicatePaths ?? [])])) {
    const text = seen.has(path) ? duplicateFieldMessage(path) : `unknown field ${goQuote(path)}`;
    seen.add(path);
    if (complaints.has(text)) met.add(text);
  }
  return [...met];
}

/** Whether a field comes twice that is the other one or inside it. */
function isWithin(text: string, other: string): boolean {
  return text === other || (text.startsWith(other.slice(0, -1)) && /^[.[]/.test(text.slice(other.length - 1)));
}

/** Whether a body is of the expected kind, but in another version of it. */
function isInOtherVersion(served: ServedResource, found: BodyKind, apiVersion: string): boolean {
  const { definition } = served;
  if (apiVersion === served.apiVersion) return false;
  const { group, version } = parseApiVersion(apiVersion);
  if (served.custom !== undefined) return group === definition.group;
  if (found.kind !== definition.kind) return false;
  return relationOf({ group, version, kind: found.kind }, definition) === 'other version';
}

/** The type tables of versions nobody serves are not kept: their bodies are read as if they were of the served one. */
function codecOf(served: ServedResource, group: string, version: string): ObjectCodec {
  const { kind } = served.definition;
  if (served.custom !== undefined) return served.custom.codecOf(version);
  if (structOf(group, version, kind) === undefined) return served.codec;
  return createBuiltinCodec(group, version, kind);
}

function requireKind(served: ServedResource, wanted: BodyKind, found: BodyKind, body: ParsedBody): void {
  if (served.custom !== undefined) return requireCustomKind(served, found, body);
  const { kind, apiVersion } = wanted;
  if (kind !== served.definition.kind || apiVersion !== served.apiVersion) throw wrongKind(served, wanted, body);
}

function kindOf(served: ServedResource, body: ParsedBody): { kind: string; apiVersion: string } {
  try {
    // Custom resources are maps, whose keys are what they are.
    const found = readBodyKind(body.value, served.custom === undefined ? 'as sent' : 'exact');
    if (/\/.*\//s.test(found.apiVersion))
      throw new TypedDecodeError(`unexpected GroupVersion string: ${found.apiVersion}`);
    return found;
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
    throw apiErrors.unrecognizedObject(served.definition.kind, error.message, body.bytes);
  }
}

/** What keeps a custom resource from being read into a map, or the map from being asked what it is. */
function requireReadable(served: ServedResource, body: ParsedBody): void {
  const { kind, version } = served.definition;
  const { value, beyondFloat } = body;
  if (body.isTooDeep) throw unstorable(served, body);
  if (beyondFloat !== undefined) throw apiErrors.cannotBeHandledAs(kind, version, kind, beyondFloat.message);
  const found = (value ?? {}) as { readonly apiVersion?: unknown; readonly kind?: unknown };
  if (found.apiVersion !== null || found.kind !== kind) return;
  const reason = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';
  throw apiErrors.cannotBeHandledAs(kind, '', kind, reason);
}

function decodeOrRefuse(
  served: ServedResource,
  codec: ObjectCodec,
  readAs: { readonly kind: string; readonly version: string },
  body: ParsedBody,
): DecodedObject {
  try {
    if (served.custom !== undefined && readAs.kind !== served.definition.kind) return readStranger(body.value);
    const noted = body.withNotes?.();
    const decoded = noted === undefined ? codec.decode(body.value) : codec.decode(noted.value, noted.notes);
    const problem = served.strategy.conversionProblem?.(decoded.object);
    if (problem !== undefined) throw new TypedDecodeError(problem);
    if (body.isTooDeep && isTooDeep(decoded.object)) throw unstorable(served, body);
    return decoded;
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
    throw apiErrors.cannotBeHandledAs(readAs.kind, readAs.version, served.definition.kind, error.message);
  }
}

/** Of a custom resource of another kind the metadata is read, and nothing is known of the rest. */
function readStranger(value: unknown): DecodedObject {
  const { metadata, ...rest } = value as KubeObject;
  const meta = decodeMeta(metadata, { texts: LEAF_TEXTS });
  return { object: { ...rest, metadata: meta.value } as KubeObject, unknownFields: meta.unknownFields };
}

/** The sentence about a kind the server does not know at all. */
export function notRegistered(kind: string, apiVersion: string): string {
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion.replace(/^\//, ''))} ${SCHEME}`;
}

function wrongKind(served: ServedResource, { kind, apiVersion }: BodyKind, body: ParsedBody): Error {
  const { definition } = served;
  const { group, version } = parseApiVersion(apiVersion);
  if (version === '') {
    const reason = `Object 'apiVersion' is missing in '${Buffer.from(body.bytes).toString()}'`;
    return apiErrors.cannotBeHandledAs(kind, version, definition.kind, reason);
  }
  if (relationOf({ group, version, kind }, definition) === 'unknown')
    return apiErrors.cannotBeHandledAs(kind, version, definition.kind, notRegistered(kind, apiVersion));
  const internal = definition.group === '' ? 'core' : (definition.group.split('.', 1)[0] ?? '');
  const reason = `converting (${version}.${kind}) to (${internal}.${definition.kind}): unknown conversion`;
  return apiErrors.cannotBeHandledAs(kind, version, definition.kind, reason);
}
