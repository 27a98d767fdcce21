import { Buffer } from 'node:buffer';
import type { WatchEventType } from '@capstan/meta';
import { PROTOBUF_TYPE, protobufOfJson, writeWatchFrame } from '../protobuf/index.js';
import { encodeJson } from './payload.js';

/** How bodies are put into bytes. */
export interface Encoding {
  /** The key of what is kept in several encodings. */
  readonly name: 'json' | 'protobuf';
  readonly mediaType: string;
  /** The media type of a watch. */
  readonly watchType: string;
  /** The content type of an answer that names one; JSON is understood. */
  readonly headers: Readonly<Record<string, string>>;
  /** A whole body from a value that names its kind. */
  body(this: void, value: unknown): Uint8Array;
  /** An event of a watch, around the body of its object. */
  frame(this: void, type: WatchEventType, body: Uint8Array): Uint8Array;
}

const encoder = new TextEncoder();
const CLOSING = encoder.encode('}\n');

/** JSON; YAML is made from it at the very end. */
export const JSON_TEXT: Encoding = {
  name: 'json',
  mediaType: 'application/json',
  watchType: 'application/json',
  headers: {},
  body: encodeJson,
  frame: (type, body) => Buffer.concat([encoder.encode(`{"type":"${type}","object":`), body, CLOSING]),
};

/** Protobuf, for the kinds that have messages. */
export const PROTOBUF: Encoding = {
  name: 'protobuf',
  mediaType: PROTOBUF_TYPE,
  watchType: `${PROTOBUF_TYPE};stream=watch`,
  headers: { 'content-type': PROTOBUF_TYPE },
  body: (value) => protobufOfJson(value as { readonly apiVersion: string; readonly kind: string }),
  frame: writeWatchFrame,
};
