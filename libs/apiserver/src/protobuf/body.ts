import type { JsonObject } from '@capstan/meta';
import { goQuote } from '@capstan/meta';
import { decodeTyped } from '../codec/index.js';
import { LEAF_TEXTS } from '../codec/index.js';
import { decodeProtobuf } from './decode.js';
import { encodeMessage, protobufStruct, readEnvelope, writeEnvelope } from './envelope.js';
import { ProtobufError } from './errors.js';

/** A whole protobuf body as the JSON the server would have given in its place; throws ProtobufError or TypedDecodeError. */
export function jsonOfProtobuf(bytes: Uint8Array): JsonObject {
  const { apiVersion, kind, raw } = readEnvelope(bytes);
  const struct = protobufStruct(apiVersion, kind);
  if (struct === undefined)
    throw new ProtobufError(`no kind ${goQuote(kind)} is known for version ${goQuote(apiVersion)}`);
  const { value } = decodeTyped(struct, { kind, apiVersion, ...decodeProtobuf(struct, raw) }, { texts: LEAF_TEXTS });
  return value;
}

/** An object of a built-in kind as a whole protobuf body. */
export function protobufOfJson(object: { readonly apiVersion: string; readonly kind: string }): Uint8Array {
  return writeEnvelope(object.apiVersion, object.kind, encodeMessage(object));
}
