import { adoptJson, cloneJson, copyMembers, getOwn, setOwn } from '@capstan/meta';
import type { JsonNotes, JsonObject, KubeObject, ObjectMeta } from '@capstan/meta';
import { schemaFeature } from '@capstan/schema';
import type { StructuralSchema } from '@capstan/schema';
import { TypedDecodeError, decodeMeta, describeValue } from '../codec/index.js';
import type { Decoded } from '../codec/index.js';
import type { DecodedObject, ObjectCodec } from '../registry/served-resource.js';
import type { Soundness } from '../builtin/soundness.js';
import { readEmbeddedMetadata } from './embedded-metadata.js';
import { floatPaths, rememberFloats, withNegativeZeros } from './whole-floats.js';
import { LEAF_TEXTS } from '../codec/index.js';

const CONTEXT = { texts: LEAF_TEXTS };

/** What is known besides the value: the object it is to replace, and how its text was written. */
interface DecodeContext {
  readonly before?: KubeObject | undefined;
  readonly notes?: JsonNotes | undefined;
  readonly known?: Soundness | undefined;
}

/**
 * Reads bodies of one version of a custom resource: unknown fields pruned, unwanted nulls dropped, metadata read as
 * the Go type would be, defaults filled in. No strategic merge patch: there is no patch strategy for its lists.
 */
export function createCustomCodec(kind: string, apiVersion: string, schema: () => StructuralSchema): ObjectCodec {
  const decodeWith = (
    value: unknown,
    isMerged: boolean,
    { before, notes, known }: DecodeContext = {},
  ): DecodedObject => {
    const body = requireMap(value);
    const structural = schema();
    // The metadata of what is embedded is read in place.
    const sound = before === known?.since && !hasEmbedded(structural) ? before : undefined;
    const meta = readMeta(body['metadata'], before, sound);
    const shared = sound ?? (isShareable(before, apiVersion, structural) ? before : undefined);
    const object: KubeObject = { kind, apiVersion, metadata: meta.value as ObjectMeta };
    takeBody(object, body, shared);
    // The usual patch brings nothing that would have to be pruned or defaulted.
    if (sound !== undefined && structural.isPrepared(object, sound))
      return { object, unknownFields: meta.unknownFields };
    const unknown = [...meta.unknownFields, ...structural.prune(object)];
    if (!isMerged) structural.dropInvalidNulls(object);
    const floats = notes === undefined ? [] : floatPaths(value, notes);
    const read = (): string[] => readEmbeddedMetadata(object, structural.root, isMerged ? 'kept' : 'refused');
    for (const field of withNegativeZeros(object, floats, read)) unknown.push(field);
    structural.applyDefaults(object);
    rememberFloats(object, floats);
    return { object, unknownFields: unknown };
  };
  return {
    decode: (value, notes) => decodeWith(value, false, notes === undefined ? {} : { notes }),
    decodePatched: (value, before, known) => decodeWith(value, false, { before, known }),
    // What an apply has emptied is null, and the real server leaves it to validation to complain; so it does with
    // embedded metadata that cannot be read.
    decodeMerged: (value, before, known) => decodeWith(value, true, { before, known }),
    readMutated(value: JsonObject): KubeObject {
      const { kind: _kind, apiVersion: _version, metadata, ...body } = value;
      const object = { kind, apiVersion, metadata: readableMeta(metadata), ...cloneJson(body) } as KubeObject;
      schema().applyDefaults(object);
      return object;
    },
  };
}

function requireMap(value: unknown): JsonObject {
  if (isMap(value)) return value;
  const kind = describeValue(value);
  throw new TypedDecodeError(`json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`);
}

/** Reads metadata; who set which field is not read again where it is just what is stored. */
function readMeta(metadata: unknown, before: KubeObject | undefined, sound: KubeObject | undefined): Decoded {
  if (sound !== undefined && isMap(metadata)) return readChangedMeta(metadata, sound.metadata);
  const stored = before?.metadata.managedFields;
  const { managedFields, ...others } = (metadata ?? {}) as ObjectMeta;
  if (stored === undefined || managedFields !== stored || !Object.isFrozen(stored))
    return decodeMeta(metadata, CONTEXT);
  const meta = decodeMeta(others, CONTEXT);
  meta.value['managedFields'] = stored;
  return meta;
}

function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads what of metadata is not the very same as before; nobody changes parts of metadata in place. */
function readChangedMeta(metadata: JsonObject, before: ObjectMeta): Decoded {
  if (metadata === before) return { value: copyMembers(metadata), unknownFields: [] };
  const changed: JsonObject = {};
  let isChanged = false;
  for (const key of Object.keys(metadata)) {
    if (metadata[key] === getOwn(before as JsonObject, key)) continue;
    setOwn(changed, key, metadata[key]);
    isChanged = true;
  }
  if (!isChanged) return { value: copyMembers(metadata), unknownFields: [] };
  const read = decodeMeta(changed, CONTEXT);
  const value: JsonObject = {};
  for (const key of Object.keys(metadata)) if (!Object.hasOwn(changed, key)) value[key] = metadata[key];
  return { value: Object.assign(value, read.value), unknownFields: read.unknownFields };
}

/** Whether nothing of the object would be changed on reading, so that parts of it can stay as they are. */
function isShareable(before: KubeObject | undefined, apiVersion: string, schema: StructuralSchema): boolean {
  return before?.apiVersion === apiVersion && !hasEmbedded(schema) && schema.isPrepared(before);
}

/** Copies all but the type and the metadata; what is equal in an object that parts can be had of is that of it. */
function takeBody(object: KubeObject, body: JsonObject, shared: KubeObject | undefined): void {
  for (const key in body) {
    if (key === 'kind' || key === 'apiVersion' || key === 'metadata') continue;
    const part = body[key];
    const own = shared === undefined ? cloneJson(part) : adoptJson(part, getOwn(shared as JsonObject, key));
    setOwn(object as JsonObject, key, own);
  }
}

function hasEmbedded({ root }: StructuralSchema): boolean {
  return (root.features & schemaFeature.embedded) !== 0;
}

/** The fields of metadata that can be read. */
function readableMeta(metadata: unknown): ObjectMeta {
  const given = (typeof metadata === 'object' && metadata !== null ? metadata : {}) as JsonObject;
  try {
    return decodeMeta(given, CONTEXT).value as ObjectMeta;
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
  }
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(given)) if (isReadable({ [key]: value })) setOwn(kept, key, value);
  return decodeMeta(kept, CONTEXT).value as ObjectMeta;
}

function isReadable(metadata: JsonObject): boolean {
  try {
    decodeMeta(metadata, CONTEXT);
    return true;
  } catch (error) {
    if (error instanceof TypedDecodeError) return false;
    throw error;
  }
}
