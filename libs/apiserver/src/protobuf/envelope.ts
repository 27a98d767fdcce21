import { BrokenInvariant } from '../errors.js';
import { Buffer } from 'node:buffer';
import { structOf } from '@capstan/api/kubernetes';
import type { StructDef } from '@capstan/api/kubernetes';
import { goQuote } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { encodeProtobuf } from './encode.js';
import { ProtobufError } from './errors.js';
import { readMessage, type MessageReader, type ReadField } from './message.js';
import { SCALAR_READERS, fieldOf } from './read-values.js';
import { Reader } from './reader.js';
import { Writer } from './writer.js';

/** The media type of enveloped messages. */
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

/** What every body begins with: `k8s` and a zero byte. */
const MAGIC = Uint8Array.of(0x6b, 0x38, 0x73, 0);

/** A message with the name of its kind. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The message; a view of the bytes it was read from. */
  readonly raw: Uint8Array;
}

const TYPE_META: MessageReader = messageWith('TypeMeta', [
  undefined,
  fieldOf('APIVersion', SCALAR_READERS.string),
  fieldOf('Kind', SCALAR_READERS.string),
]);

const UNKNOWN: MessageReader = messageWith('Unknown', [
  undefined,
  fieldOf('TypeMeta', {
    wire: 2,
    zero: () => ({}),
    read: (reader, post, before) => {
      const out = (before ?? {}) as JsonObject;
      readMessage(TYPE_META, reader, post, out);
      return out;
    },
  }),
  fieldOf('Raw', { wire: 2, zero: () => undefined, read: (reader, post) => reader.bytes.subarray(reader.at, post) }),
  fieldOf('ContentEncoding', SCALAR_READERS.string),
  fieldOf('ContentType', SCALAR_READERS.string),
]);

function messageWith(name: string, fields: readonly (ReadField | undefined)[]): MessageReader {
  return { name, fields: () => fields };
}

/** Opens a body; throws {@link ProtobufError}. */
export function readEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new ProtobufError('empty data');
  if (bytes.length < 4 || MAGIC.some((byte, at) => bytes[at] !== byte)) {
    throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  if (bytes.length === 4) throw new ProtobufError('empty body');
  const reader = new Reader(bytes);
  reader.at = 4;
  const out: JsonObject = {};
  readMessage(UNKNOWN, reader, bytes.length, out);
  const meta = (out['TypeMeta'] ?? {}) as JsonObject;
  const raw = (out['Raw'] ?? bytes.subarray(0, 0)) as Uint8Array;
  return { apiVersion: (meta['APIVersion'] ?? '') as string, kind: (meta['Kind'] ?? '') as string, raw };
}

/** An empty content encoding and content type end every envelope. */
const TRAILER = Uint8Array.of(0x1a, 0, 0x22, 0);
const scratch = new Writer();

/** What stands before a message of the given size. */
function headOf(apiVersion: string, kind: string, rawSize: number): Uint8Array {
  scratch.reset();
  scratch.uint(rawSize);
  scratch.tag(0x12);
  const before = scratch.size;
  scratch.text(kind);
  scratch.tag(0x12);
  scratch.text(apiVersion);
  scratch.tag(0x0a);
  scratch.uint(scratch.size - before);
  scratch.tag(0x0a);
  scratch.raw(MAGIC);
  return scratch.take();
}

/** A body around a message. */
export function writeEnvelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  return Buffer.concat([headOf(apiVersion, kind, raw.length), raw, TRAILER]);
}

function lengthSize(length: number): number {
  let size = 1;
  for (let left = length; left >= 0x80; left = Math.floor(left / 0x80)) size++;
  return size;
}

function putLength(out: Uint8Array, at: number, length: number): void {
  let left = length;
  let next = at;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) out[next++] = (left % 0x80) | 0x80;
  out[next] = left;
}

/** A list without its items, and how long those are together, each by {@link partSize}. */
export interface ListEnvelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Uint8Array;
  readonly itemsSize: number;
}

/** How long a message is as a part of another. */
export function partSize(length: number): number {
  return 1 + lengthSize(length) + length;
}

/** A body that is a list, put together from the messages of its metadata and of its items. */
export function* listEnvelopeParts(
  { apiVersion, kind, metadata, itemsSize }: ListEnvelope,
  items: Iterable<Uint8Array>,
): Iterable<Uint8Array> {
  // The older list of metadata has its fields the other way round.
  const isReversed = apiVersion === 'meta.k8s.io/v1beta1';
  yield headOf(apiVersion, kind, partSize(metadata.length) + itemsSize);
  if (!isReversed) yield* part(0x0a, metadata);
  for (const item of items) yield* part(isReversed ? 0x0a : 0x12, item);
  if (isReversed) yield* part(0x12, metadata);
  yield TRAILER;
}

function* part(tag: number, message: Uint8Array): Iterable<Uint8Array> {
  const head = new Uint8Array(1 + lengthSize(message.length));
  head[0] = tag;
  putLength(head, 1, message.length);
  yield head;
  // What is empty has nothing to add.
  if (message.length > 0) yield message;
}

/** One event of a watch: the length in four bytes, then the event, which has no envelope, around the object's body. */
export function writeWatchFrame(type: string, object: Uint8Array): Uint8Array {
  scratch.reset();
  scratch.raw(object);
  scratch.uint(object.length);
  scratch.tag(0x0a);
  scratch.uint(scratch.size);
  scratch.tag(0x12);
  scratch.text(type);
  scratch.tag(0x0a);
  const { size } = scratch;
  scratch.raw(Uint8Array.of(size >>> 24, size >>> 16, size >>> 8, size));
  return scratch.take();
}

function groupVersionOf(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.lastIndexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

/** The struct of a kind that has messages, if there is one. Metadata looks the same in all versions of it. */
export function protobufStruct(apiVersion: string, kind: string): StructDef | undefined {
  const [group, version] = groupVersionOf(apiVersion);
  return group === 'meta.k8s.io' ? structOf(group, 'v1', kind) : structOf(group, version, kind);
}

/** The message of any object that names its kind. */
export function encodeMessage(value: { readonly apiVersion: string; readonly kind: string }): Uint8Array {
  const struct = protobufStruct(value.apiVersion, value.kind);
  if (struct === undefined)
    throw new BrokenInvariant(`no message is known for ${goQuote(value.kind)} of ${goQuote(value.apiVersion)}`);
  return encodeProtobuf(struct, value as unknown as JsonObject);
}
