import { compareBytes, apiErrors, goFormat, invalid } from '@capstan/meta';
import type { ApiResponse, KubeObject } from '@capstan/meta';
import { TypedDecodeError, readBodyKind } from '../codec/index.js';
import { wrongCustomKind } from '../crd/custom-kind.js';
import { shownOf } from '../registry/conversion.js';
import type { Flow } from '../registry/effects.js';
import type { DecodedObject, ObjectCodec } from '../registry/served-resource.js';
import { updateObject } from '../registry/update.js';
import { applyFieldValidation, notRegistered, unknownFieldTexts } from '../request/decode-object.js';
import { parseWriteOptions, type WriteOptions } from '../request/options.js';
import { compileRequestPatch, requirePatchType, type CompiledPatch } from '../request/patch-body.js';
import { goJsonText } from '../request/go-json-text.js';
import { printSpelled, readSpelled } from '../request/spelled-numbers.js';
import { formOf, objectResponse, writeScope, type Call } from './context.js';
import { apply, isApply } from './apply.js';
import { requireName, tracked, writerOf } from './write.js';

/** PATCH of an object, or of one of the subresources that show the object itself. */
export function* patch(call: Call): Flow<ApiResponse> {
  const { info } = call;
  if (isApply(call)) return yield* apply(call);
  const { form } = formOf(call);
  const options = parsePatchOptions(call);
  const compiled = compileRequestPatch(call.request, call.served.codec.patchSchema);
  call.audit?.patched();
  const result = yield* updateObject(writeScope(call, options.dryRun), {
    name: info.name,
    transform: (existing) => patched(call, compiled, existing, options),
    mayCreate: false,
    isUidPrecondition: false,
  });
  return yield* objectResponse(form, result);
}

/** The options of a patch that is no apply; what kind of patch it is has to be known first. */
export function parsePatchOptions({ info, request, served }: Call): WriteOptions {
  requirePatchType(request, served.codec.patchSchema !== undefined);
  return parseWriteOptions('PatchOptions', info.query, 'plain');
}

/** ` "" is invalid: patch: Invalid value: "…": <reason>`: the real server names neither kind nor object here. */
export function invalidPatch(shown: string, reason: string): Error {
  return apiErrors.invalid({ group: '', kind: '' }, '', [invalid('patch', shown, reason)]);
}

function* patched(
  call: Call,
  compiled: CompiledPatch,
  existing: KubeObject | undefined,
  options: WriteOptions,
): Flow<KubeObject> {
  const { served, info } = call;
  if (existing === undefined) throw apiErrors.notFound(served.groupResource, info.name);
  const before = shownOf(served, existing);
  const value = compiled.apply(before);
  const object = decodePatched(call, compiled, { before, value }, options);
  requireName(object, info.name);
  served.strategy.applyDefaults?.(object);
  return yield* tracked(call, existing, { object, sent: value }, writerOf(call, options));
}

/** The result must be an object of the same kind and version; what does not fit is blamed on the patch. */
function decodePatched(
  call: Call,
  compiled: CompiledPatch,
  { before, value }: { readonly before: KubeObject; readonly value: unknown },
  options: WriteOptions,
): KubeObject {
  const { served, warnings } = call;
  const { strategic, problems } = compiled;
  const shown = (): string =>
    strategic === undefined ? patchedText(call, compiled, before) : goFormat(compiled.strategicShown ?? strategic);
  try {
    if (strategic === undefined) requireKind(call, value);
    const { object, unknownFields } = decodeSpelled(served.codec, compiled, before) ?? served.codec.decode(value);
    // The patch is read, or laid over the object, again for every attempt: what it says is told once.
    const unknown = unknownFieldTexts(unknownFields).sort(compareBytes);
    const found = [...problems, ...unknown].filter((text) => !warnings.includes(text));
    const problem = served.strategy.conversionProblem?.(object);
    if (problem !== undefined)
      throw strategic === undefined ? new TypedDecodeError(problem) : apiErrors.unclassified(problem);
    applyFieldValidation(found, options, warnings, (all) =>
      invalidPatch(shown(), `strict decoding error: ${all.join(', ')}`),
    );
    return object;
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
    const reason =
      strategic === undefined
        ? undefined
        : served.codec.explainConversion?.(compiled.strategicSpelled?.(before) ?? value);
    throw invalidPatch(shown(), reason ?? error.message);
  }
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
  if (served.custom !== undefined) return shownPatched({ ...compiled, touched: 'sorted' }, before);
  return shownPatched(compiled, served.codec.decode(before).object);
}

/** What comes of a patch as a text. */
export function shownPatched(compiled: CompiledPatch, before: KubeObject): string {
  const value = compiled.applySpelled === undefined ? compiled.apply(before) : compiled.applySpelled(before);
  return printSpelled(value, (marked) => goJsonText(marked, compiled.touched));
}

function requireKind(call: Call, value: unknown): void {
  const { definition, apiVersion } = call.served;
  const found = readBodyKind(value);
  if (found.kind === definition.kind && found.apiVersion === apiVersion) return;
  if (call.served.custom !== undefined) throw wrongCustomKind(call.served, found, call.info.name);
  throw new TypedDecodeError(notRegistered(found.kind, found.apiVersion));
}
