import { Buffer } from 'node:buffer';
import {
  apiErrors,
  compareBytes,
  duplicateFieldMessage,
  goFormat,
  goQuote,
  invalid,
  parseJson,
  readKeyPaths,
} from '@capstan/meta';
import type { ApiResponse, KubeObject, PatchSchema } from '@capstan/meta';
import { TypedDecodeError, readBodyKind } from '../codec/index.js';
import { wrongCustomKind } from '../crd/custom-kind.js';
import { shownOf } from '../registry/conversion.js';
import type { Flow } from '../registry/effects.js';
import type { DecodedObject, ObjectCodec } from '../registry/served-resource.js';
import type { Soundness } from '../builtin/soundness.js';
import { updateObject } from '../registry/update.js';
import { applyFieldValidation, notRegistered, unknownFieldTexts } from './decode-object.js';
import { parseWriteOptions, type WriteOptions } from '../request/options.js';
import { compileRequestPatch, requirePatchType, type CompiledPatch } from '../request/patch-body.js';
import { arranged, goJsonText } from '../request/go-json-text.js';
import { printSpelled, readSpelled } from '../request/spelled-numbers.js';
import { formOf, objectResponse, writeScope, type Call } from './context.js';
import { apply, isApply } from './apply.js';
import { requireAddressed, requireName, tracked, writerOf } from './write.js';

/** PATCH of an object, or of one of the subresources that show the object itself. */
export function* patch(call: Call): Flow<ApiResponse> {
  const { info } = call;
  if (isApply(call)) return yield* apply(call);
  requireKnownPatch(call);
  const { form } = formOf(call);
  const options = parsePatchOptions(call);
  const compile = lazyPatch(call, call.served.codec.patchSchema, options);
  call.audit?.patched();
  const result = yield* updateObject(writeScope(call, options.dryRun), {
    name: info.name,
    transform: (existing, known) => patched(call, compile, { existing, known }, options),
    mayCreate: false,
    isUidPrecondition: false,
  });
  return yield* objectResponse(form, result);
}

/** What kind of patch it is has to be known before anything else: the router looks at it. */
export function requireKnownPatch({ request, served, warnings }: Call): void {
  try {
    requirePatchType(request, served.custom === undefined);
  } catch (error) {
    // Nobody behind the router was asked, so that nobody has warned.
    warnings.splice(0);
    throw error;
  }
}

/** The options of a patch that is no apply. */
export function parsePatchOptions({ info }: Call): WriteOptions {
  return parseWriteOptions('PatchOptions', info.query, 'plain');
}

/** ` "" is invalid: patch: Invalid value: "…": <reason>`: the real server names neither kind nor object here. */
export function invalidPatch(shown: string, reason: string): Error {
  return apiErrors.invalid({ group: '', kind: '' }, '', [invalid('patch', shown, reason)]);
}

function patched(
  call: Call,
  compile: () => CompiledPatch,
  { existing, known }: { readonly existing: KubeObject | undefined; readonly known: Soundness },
  options: WriteOptions,
): Flow<KubeObject> {
  const { served, info } = call;
  if (existing === undefined) throw apiErrors.notFound(served.groupResource, info.name);
  const compiled = compile();
  const before = shownOf(served, existing);
  const value = compiled.apply(before);
  const object = decodePatched(call, compiled, { before, value, known }, options);
  requireAddressed(call, object);
  served.strategy.applyDefaults?.(object, value);
  return tracked(call, existing, { object, sent: value, known }, writerOf(call, options));
}

/** What was, and what came of a patch. */
interface PatchedValue {
  readonly before: KubeObject;
  readonly value: unknown;
  readonly known?: Soundness;
  /** How messages show it, where that is not the object itself. */
  readonly shownAs?: () => string;
}

/** The patch of a request, read when there is something to lay it over: a missing object is reported first. */
export function lazyPatch(
  call: Call,
  schema: PatchSchema | undefined,
  { fieldValidation }: WriteOptions,
): () => CompiledPatch {
  let compiled: CompiledPatch | undefined;
  const reading = { schema, isUnchecked: fieldValidation === 'Ignore' };
  return () => (compiled ??= compileRequestPatch(call.request, reading));
}

/** The result must be an object of the same kind and version; what does not fit is blamed on the patch. */
export function decodePatched(
  call: Call,
  compiled: CompiledPatch,
  { before, value, known, shownAs }: PatchedValue,
  options: WriteOptions,
): KubeObject {
  const { served, warnings } = call;
  const { strategic, problems } = compiled;
  const shown = (): string =>
    strategic === undefined
      ? (shownAs?.() ?? patchedText(call, compiled, before))
      : goFormat(compiled.strategicShown?.(before) ?? strategic);
  const report = (found: readonly string[]): void =>
    applyFieldValidation(found, options, warnings, (all) =>
      invalidPatch(shown(), `strict decoding error: ${all.join(', ')}`),
    );
  try {
    if (strategic === undefined) requireKind(call, value, report);
    if (served.custom !== undefined && compiled.beyondFloat !== undefined)
      throw new TypedDecodeError(compiled.beyondFloat);
    const { object, unknownFields } = decodedOf(served.codec, compiled, {
      before,
      value,
      ...(known === undefined ? {} : { known }),
    });
    // The patch is read, or laid over the object, again for every attempt: its problems are reported once.
    const text = (): string => patchedText(call, compiled, before);
    const unknown = unknownFieldTexts(inOrder(unknownFields, strategic === undefined ? text : undefined));
    // Of a custom resource all is read before anything is found to be unknown.
    const unread = served.custom === undefined ? unknown : [];
    const repeated = compiled.bringsRepeats === true ? repeatedFields(text(), unread) : [];
    const warned = new Set(warnings);
    const found = [...problems, ...repeated, ...unknown].filter((text) => !warned.has(text));
    requireConvertible(call, compiled, object);
    report(found);
    return object;
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
    throw invalidPatch(shown(), wordsFor(call, compiled, { before, value }) ?? error.message);
  }
}

/** Fields as they are met in a text; the maps that a strategic patch makes are sorted, and their keys are not shown. */
function inOrder(paths: readonly string[], text: (() => string) | undefined): readonly string[] {
  if (text === undefined) return paths.map(withoutMapKeys).sort(compareBytes);
  if (paths.length < 2) return paths;
  const met = new Map(readKeyPaths(Buffer.from(text()), paths).map((path, index) => [path, index]));
  return paths.toSorted((a, b) => (met.get(a) ?? 0) - (met.get(b) ?? 0));
}

/** Of the built-in kinds schemas alone have maps with fields inside. */
function withoutMapKeys(path: string): string {
  return path.replaceAll(/\b((?:p|patternP)roperties|definitions|dependencies)\.[^.]+(?=\.)/g, '$1');
}

/** The fields that come twice in the text of a patched object, but for those inside what nobody reads. */
function repeatedFields(text: string, unknown: readonly string[]): string[] {
  const isUnread = (path: string): boolean =>
    unknown.some((each) => `unknown field ${goQuote(path)}`.startsWith(each.slice(0, -1)));
  const paths = parseJson(text).duplicates.map(({ path }) => path);
  return paths.filter((path) => !isUnread(path)).map((path) => duplicateFieldMessage(path));
}

/** What only a strategic patch can leave to be found so late is reported without a prefix. */
function requireConvertible({ served }: Call, { strategic }: CompiledPatch, object: KubeObject): void {
  const problem = served.strategy.conversionProblem?.(object);
  if (problem === undefined) return;
  throw strategic === undefined ? new TypedDecodeError(problem) : apiErrors.unclassified(problem);
}

/**
 * What keeps a patched object from being read: of a strategic patch in the words of the way from maps to types, of any
 * other the first fault in the order of the text that the patched object is to the real server.
 */
function wordsFor(call: Call, compiled: CompiledPatch, { before, value }: PatchedValue): string | undefined {
  const { served } = call;
  const { strategic, strategicSpelled, touched, applySpelled } = compiled;
  if (strategic !== undefined) return served.codec.explainConversion?.(strategicSpelled?.(before) ?? value);
  if (served.custom !== undefined) return undefined;
  const ordered = readSpelled(arranged(applySpelled === undefined ? value : applySpelled(before), touched(before)));
  try {
    requireKind(call, ordered.value, () => {});
    served.codec.decode(ordered.value, ordered.notes);
    return undefined;
  } catch (error) {
    return error instanceof TypedDecodeError ? error.message : undefined;
  }
}

function decodedOf(codec: ObjectCodec, compiled: CompiledPatch, { before, value, known }: PatchedValue): DecodedObject {
  return decodeSpelled(codec, compiled, before) ?? codec.decodePatched?.(value, before, known) ?? codec.decode(value);
}

/** Reads what comes of a patch in which numbers are not written like integers; undefined of any other. */
export function decodeSpelled(
  codec: ObjectCodec,
  { applySpelled }: CompiledPatch,
  before: KubeObject,
): DecodedObject | undefined {
  if (applySpelled === undefined) return undefined;
  const { value, notes } = readSpelled(applySpelled(before));
  return codec.decode(value, notes);
}

/** The patched object as messages show it: what the patch left alone in the order in which Go prints it. */
function patchedText({ served }: Call, compiled: CompiledPatch, before: KubeObject): string {
  if (served.custom !== undefined) return shownPatched({ ...compiled, touched: () => 'sorted' }, before);
  return shownPatched(compiled, withClaimKinds(served.codec.decode(before).object));
}

/** The claims of a stateful set say what they are, as no other part of an object does. */
function withClaimKinds(object: KubeObject): KubeObject {
  const spec = object['spec'] as { volumeClaimTemplates?: object[] | null } | undefined;
  const claims = spec?.volumeClaimTemplates;
  if (object.kind !== 'StatefulSet' || !Array.isArray(claims)) return object;
  const typed = claims.map((claim) => ({ kind: 'PersistentVolumeClaim', apiVersion: 'v1', ...claim }));
  return { ...object, spec: { ...spec, volumeClaimTemplates: typed } };
}

/** What is left of an object nobody has read. */
const NAMELESS: KubeObject = { apiVersion: '', kind: '', metadata: {} };

/** What comes of a patch as a text. */
export function shownPatched(compiled: CompiledPatch, before: KubeObject): string {
  const value = compiled.applySpelled === undefined ? compiled.apply(before) : compiled.applySpelled(before);
  return printSpelled(value, (marked) => goJsonText(marked, compiled.touched(before)));
}

function requireKind(call: Call, value: unknown, report: (found: readonly string[]) => void): void {
  const { definition, apiVersion, custom } = call.served;
  const found = readBodyKind(value, custom === undefined ? 'sorted' : 'exact');
  if (found.kind === definition.kind && found.apiVersion === apiVersion) return;
  if (custom !== undefined) throw wrongCustomKind(call.served, found, call.info.name, value);
  // A kind that is left out is taken for granted; without a version no field is known, not even the name.
  const isOwnKind = found.kind === '' || found.kind === definition.kind;
  if (isOwnKind && found.apiVersion === apiVersion) return;
  if (isOwnKind && found.apiVersion === '') {
    const unread = Object.keys(value ?? {}).filter((key) => key !== 'kind' && key !== 'apiVersion');
    report(unknownFieldTexts(unread.toSorted(compareBytes)));
    requireName(NAMELESS, call.info.name);
  }
  throw new TypedDecodeError(notRegistered(found.kind, found.apiVersion));
}
