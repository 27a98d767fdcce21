import { adoptJson, cloneJson, setOwn } from '@capstan/meta';
import type { JsonNotes, JsonObject, KubeObject, ObjectMeta } from '@capstan/meta';
import { schemaFeature } from '@capstan/schema';
import type { StructuralSchema } from '@capstan/schema';
import { TypedDecodeError, decodeMeta, describeValue } from '../codec/index.js';
import type { Decoded } from '../codec/index.js';
import type { DecodedObject, ObjectCodec } from '../registry/served-resource.js';
import { readEmbeddedMetadata } from './embedded-metadata.js';
import { floatPaths, rememberFloats, withNegativeZeros } from './whole-floats.js';
import { LEAF_TEXTS } from '../request/leaf-texts.js';

const CONTEXT = { texts: LEAF_TEXTS };

/** What is known beside the value: what it is to replace, and how its text was written. */
interface Beside {
  readonly before?: KubeObject | undefined;
  readonly notes?: JsonNotes | undefined;
}

/**
 * Reads bodies of one version of a custom resource: unknown fields pruned, unwanted nulls dropped, metadata read as
 * the Go type would be, defaults filled in. No strategic merge patch: nobody says how its lists are merged.
 */
export function createCustomCodec(kind: string, apiVersion: string, schema: () => StructuralSchema): ObjectCodec {
  const decodeWith = (value: unknown, isMerged: boolean, { before, notes }: Beside = {}): DecodedObject => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new TypedDecodeError(
        `json: cannot unmarshal ${describeValue(value)} into Go value of type map[string]interface {}`,
      );
    }
    const { kind: _kind, apiVersion: _version, metadata, ...body } = value as JsonObject;
    const meta = readMeta(metadata, before);
    const structural = schema();
    const own =
      before !== undefined && isShareable(before, apiVersion, structural)
        ? adoptJson(body, bodyOf(before))
        : cloneJson(body);
    const object = { kind, apiVersion, metadata: meta.value as ObjectMeta, ...own } as KubeObject;
    const unknown = [...meta.unknownFields, ...structural.prune(object)];
    if (!isMerged) structural.dropInvalidNulls(object);
    const floats = notes === undefined ? [] : floatPaths(value, notes);
    const read = (): string[] => readEmbeddedMetadata(object, structural.root, isMerged ? 'kept' : 'refused');
    unknown.push(...withNegativeZeros(object, floats, read));
    structural.applyDefaults(object);
    rememberFloats(object, floats);
    return { object, unknownFields: unknown };
  };
  return {
    decode: (value, notes) => decodeWith(value, false, notes === undefined ? {} : { notes }),
    decodePatched: (value, before) => decodeWith(value, false, { before }),
    // What an apply has emptied is null, and the real server leaves it to validation to complain; so it does with
    // embedded metadata that cannot be read.
    decodeMerged: (value, before) => decodeWith(value, true, { before }),
    readMutated(value: JsonObject): KubeObject {
      const { kind: _kind, apiVersion: _version, metadata, ...body } = value;
      const object = { kind, apiVersion, metadata: readableMeta(metadata), ...cloneJson(body) } as KubeObject;
      schema().applyDefaults(object);
      return object;
    },
  };
}

/** Reads metadata; who set which field is not read again where it is just what is stored. */
function readMeta(metadata: unknown, before: KubeObject | undefined): Decoded {
  const stored = before?.metadata.managedFields;
  const { managedFields, ...others } = (metadata ?? {}) as ObjectMeta;
  if (stored === undefined || managedFields !== stored || !Object.isFrozen(stored))
    return decodeMeta(metadata, CONTEXT);
  const meta = decodeMeta(others, CONTEXT);
  meta.value['managedFields'] = stored;
  return meta;
}

/** Whether nothing of the object would be changed on reading, so that parts of it can stay as they are. */
function isShareable(before: KubeObject, apiVersion: string, schema: StructuralSchema): boolean {
  if (before.apiVersion !== apiVersion || (schema.root.features & schemaFeature.embedded) !== 0) return false;
  return schema.isPrepared(before);
}

/** All but the type and the metadata. */
function bodyOf({ apiVersion: _version, kind: _kind, metadata: _metadata, ...body }: KubeObject): JsonObject {
  return body;
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
