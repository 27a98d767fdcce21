import { BrokenInvariant } from '../errors.js';
import { structOf, type StructDef } from '@capstan/api/kubernetes';
import type { KubeObject } from '@capstan/meta';
import { decodeTyped, explainConversion, isNamedText, patchSchemaOf } from '../codec/index.js';
import { LEAF_TEXTS } from '../codec/index.js';
import { rememberSent } from '../builtin/shared/sent-empties.js';
import type { ObjectCodec } from './served-resource.js';

const PLAIN = { texts: LEAF_TEXTS };

/** Decodes objects of one built-in kind by its type table. The table is looked up when the first object comes. */
export function createBuiltinCodec(group: string, version: string, kind: string): ObjectCodec {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  let struct: StructDef | undefined;
  const find = (): StructDef => {
    struct ??= structOf(group, version, kind);
    if (struct === undefined) throw new BrokenInvariant(`no type table for ${apiVersion} ${kind}`);
    return struct;
  };
  return {
    decode(value, notes) {
      const context = notes === undefined ? PLAIN : { texts: LEAF_TEXTS, notes };
      const { value: decoded, unknownFields, hasExtra } = decodeTyped(find(), value, context);
      const { kind: _kind, apiVersion: _version, metadata, ...rest } = decoded;
      const object = { kind, apiVersion, metadata: metadata ?? {}, ...rest } as KubeObject;
      // Mostly there is nothing to remember, and what is remembered lives longer than its request.
      if (hasExtra) rememberSent(object, value);
      return { object, unknownFields };
    },
    isNamedText: (field) => isNamedText(find(), field),
    explainConversion: (value) => explainConversion(find(), value, LEAF_TEXTS),
    get patchSchema() {
      return patchSchemaOf(find());
    },
  };
}

/** The codec of the Scale subresource's body. */
export function createScaleCodec(): ObjectCodec {
  return createBuiltinCodec('autoscaling', 'v1', 'Scale');
}
