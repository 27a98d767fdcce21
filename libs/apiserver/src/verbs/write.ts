import { adoptJson, apiErrors, copyMembers } from '@capstan/meta';
import type { ApiResponse, KubeObject } from '@capstan/meta';
import { managerOrUserAgent } from '../apply/index.js';
import { keepSent, rememberSent } from '../builtin/shared/sent-empties.js';
import { keepStranger } from '../crd/custom-kind.js';
import { hasFloats, keepFloats } from '../crd/whole-floats.js';
import { isImmediate, shownOf } from '../registry/conversion.js';
import { createObject, matchNamespace } from '../registry/create.js';
import type { Flow } from '../registry/effects.js';
import { trackAcrossVersions, trackWrite, type Writer } from '../registry/field-tracking.js';
import { wipeSystemMetadata } from '../registry/metadata.js';
import { Soundness } from '../builtin/soundness.js';
import { updateObject } from '../registry/update.js';
import { parseObjectBody } from '../request/body.js';
import { decodeObject } from './decode-object.js';
import { parseWriteOptions, type WriteOptions } from '../request/options.js';
import { formOf, objectResponse, writeScope, type Call } from './context.js';

/** The body of a create or update: decoded, defaulted, free to be changed; and as it was sent. */
export function readObject(call: Call, options: WriteOptions): { object: KubeObject; sent: unknown } {
  const { served, request, warnings } = call;
  // Custom resources have no protobuf form.
  const protobufVersion = served.custom === undefined ? served.apiVersion : undefined;
  const body = parseObjectBody(request, served.definition.kind, call.readYaml, protobufVersion);
  const object = decodeObject(served, body, options, warnings);
  served.strategy.applyDefaults?.(object, body.value);
  call.audit?.asked(object);
  return { object, sent: body.value };
}

/** Who a write is credited to. */
export function writerOf(call: Call, options: WriteOptions): Writer {
  const { core, request } = call;
  return { manager: managerOrUserAgent(options.fieldManager, request.headers['user-agent']), time: core.timestamp() };
}

/** An object to be written, the body it was read from, and what is known of it. */
interface WrittenObject {
  readonly object: KubeObject;
  readonly sent: unknown;
  readonly known: Soundness;
}

/** Records who set what, then gives the object the form it is stored in. */
export function* tracked(
  call: Call,
  existing: KubeObject | undefined,
  { object: next, sent, known }: WrittenObject,
  writer: Writer,
): Flow<KubeObject> {
  const { served, info } = call;
  const { conversion } = served;
  const live = existing && shownOf(served, existing);
  const objects = { live, next, sent, known };
  if (isImmediate(served)) trackWrite(served, info.subresource, objects, writer);
  else yield* trackAcrossVersions(served, info.subresource, objects, writer);
  return conversion === undefined ? next : conversion.toStorage(next);
}

/** POST to a collection. */
export function* create(call: Call): Flow<ApiResponse> {
  const { form } = formOf(call);
  const options = parseWriteOptions('CreateOptions', call.info.query);
  const read = readObject(call, options);
  wipeSystemMetadata(read.object.metadata);
  const known = new Soundness();
  const stored = yield* tracked(
    call,
    undefined,
    { object: read.object, sent: read.sent, known },
    writerOf(call, options),
  );
  const written = yield* createObject(writeScope(call, options.dryRun), stored, known);
  return yield* objectResponse(form, written, 201);
}

/** PUT of an object, or of one of the subresources that show the object itself. */
export function* update(call: Call): Flow<ApiResponse> {
  const { served, info } = call;
  const { form } = formOf(call);
  const options = parseWriteOptions('UpdateOptions', info.query);
  const { object, sent } = readObject(call, options);
  requireAddressed(call, object);
  const writer = writerOf(call, options);
  const result = yield* updateObject(writeScope(call, options.dryRun), {
    name: info.name,
    transform: (existing, known) => {
      const copy = freshCopy(object, known);
      if (served.custom === undefined) keepSent(object, copy);
      else rememberSent(copy, sent);
      keepFloats(object, copy);
      keepStranger(object, copy);
      return tracked(call, existing, { object: copy, sent, known }, writer);
    },
    mayCreate: served.strategy.allowCreateOnUpdate && info.subresource === '',
    isUidPrecondition: true,
  });
  return yield* objectResponse(form, result, result.created ? 201 : 200);
}

/** A copy to be written; what it repeats of a sound object is the very same there, so that nobody looks at it again. */
function freshCopy(object: KubeObject, { since }: Soundness): KubeObject {
  const isOwn = since === undefined || hasFloats(object);
  const copy = copyMembers(isOwn ? object : adoptJson(object, since));
  copy.metadata = copyMembers(isOwn ? object.metadata : adoptJson(object.metadata, since.metadata));
  return copy;
}

/** The body must be of the namespace and the name in the URL. */
export function requireAddressed(call: Call, object: KubeObject): void {
  matchNamespace(call, object);
  requireName(object, call.info.name);
}

/** The body must name the object of the URL. */
export function requireName(object: KubeObject, name: string): void {
  const given = object.metadata.name ?? '';
  if (given === '') {
    throw apiErrors.badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (given !== name) throw apiErrors.nameMismatch(given, name);
}
