import type { ScalarName, SpecialName } from '@capstan/api/kubernetes';
import { JsonSyntaxError, formatDuration, formatTime, maxObjectDepth, parseJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { ProtobufError, wrongWireType } from './errors.js';
import { readMessage, type MessageReader, type ReadField } from './message.js';
import type { Reader } from './reader.js';

/** Reads values of one type. */
export interface ValueReader {
  /** 0 varint, 1 eight bytes, 2 with a length. */
  readonly wire: 0 | 1 | 2;
  /** Reads one, up to `post` where it has a length; `before` is what an earlier occurrence gave. */
  read(this: void, reader: Reader, post: number, before: unknown): unknown;
  /** What a map holds under a key that came without a value. */
  zero(this: void): unknown;
}

/** The scalars. */
export const SCALAR_READERS: Readonly<Record<ScalarName, ValueReader>> = {
  string: { wire: 2, read: (reader, post) => reader.text(post), zero: () => '' },
  bytes: { wire: 2, read: (reader, post) => reader.bytes.toString('base64', reader.at, post), zero: () => '' },
  bool: { wire: 0, read: (reader) => reader.bool(), zero: () => false },
  int32: { wire: 0, read: (reader) => reader.int32(), zero: () => 0 },
  int64: { wire: 0, read: (reader) => reader.int64(), zero: () => 0 },
  float64: { wire: 1, read: (reader) => reader.double(), zero: () => 0 },
  any: { wire: 2, read: (reader, post) => jsonOf(reader, post), zero: () => null },
};

/** The fields of a message whose JSON form is no object: each by its number, kept under its Go name. */
export type Parts = readonly (readonly [number, string, ValueReader])[];

/** A message with a few fields of its own, and what its JSON form is made of them. */
export function customReader(name: string, parts: Parts, show: (fields: JsonObject) => unknown): ValueReader {
  const fields: (ReadField | undefined)[] = [];
  for (const [number, part, value] of parts) fields[number] = fieldOf(part, value);
  const message: MessageReader = { name, fields: () => fields };
  return {
    wire: 2,
    zero: () => show({}),
    read: (reader, post) => {
      const out: JsonObject = {};
      readMessage(message, reader, post, out);
      return show(out);
    },
  };
}

/** A field of such a message. */
export function fieldOf(name: string, value: ValueReader): ReadField {
  return (reader, wire, out) => {
    if (wire !== value.wire) throw wrongWireType(wire, name);
    const post = value.wire === 2 ? reader.length() : 0;
    out[name] = value.read(reader, post, out[name]);
    if (value.wire === 2) reader.at = post;
  };
}

/** A field of such a message that comes any number of times. */
export function repeatedReader(element: ValueReader): ValueReader {
  return {
    ...element,
    read: (reader, post, before) => {
      const list = (before ?? []) as unknown[];
      list.push(element.read(reader, post, undefined));
      return list;
    },
  };
}

function jsonOf(reader: Reader, post: number): unknown {
  if (reader.at === post) return null;
  try {
    return parseJson(reader.bytes.subarray(reader.at, post), { maxDepth: maxObjectDepth / 2 }).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new ProtobufError(error.message, { cause: error });
    throw error;
  }
}

const { string, int32, int64 } = SCALAR_READERS;
const JSON_BYTES: ValueReader = { wire: 2, read: jsonOf, zero: () => null };
const TIMESTAMP: Parts = [
  [1, 'Seconds', int64],
  [2, 'Nanos', int32],
];
/** 0001-01-01T00:00:00Z, which Go takes for no time at all. */
const ZERO_SECONDS = -62_135_596_800;

function secondsText(seconds: unknown): string {
  if (typeof seconds === 'bigint' || Math.abs(seconds as number) > 1e12)
    throw new ProtobufError('time: seconds out of range');
  return formatTime((seconds as number) * 1000);
}

function showTime({ Seconds: seconds = 0 }: JsonObject): unknown {
  return seconds === ZERO_SECONDS ? null : secondsText(seconds);
}

function showMicroTime({ Seconds: seconds = 0, Nanos: nanos = 0 }: JsonObject): unknown {
  const total = Math.trunc((nanos as number) / 1000);
  const micros = ((total % 1_000_000) + 1_000_000) % 1_000_000;
  if (seconds === ZERO_SECONDS && total === 0) return null;
  const text = secondsText(typeof seconds === 'number' ? seconds + (total - micros) / 1_000_000 : seconds);
  return `${text.slice(0, -1)}.${String(micros).padStart(6, '0')}Z`;
}

/** No bytes at all stand for the zero time, not for the epoch. */
function unlessEmpty(value: ValueReader): ValueReader {
  return {
    ...value,
    zero: () => null,
    read: (reader, post, before) => (reader.at === post ? null : value.read(reader, post, before)),
  };
}

function showIntOrString({ Type: type = 0, IntVal: int = 0, StrVal: text = '' }: JsonObject): unknown {
  if (type !== 0 && type !== 1) throw new ProtobufError('impossible IntOrString.Type');
  return type === 0 ? int : text;
}

const INT_OR_STRING: Parts = [
  [1, 'Type', int64],
  [2, 'IntVal', int32],
  [3, 'StrVal', string],
];

function opaque(name: string): ValueReader {
  return customReader(name, [[1, 'Raw', JSON_BYTES]], ({ Raw: raw = null }) => raw);
}

/** The types with a JSON form of their own, but for those that hold structs. */
export const LEAF_READERS: Readonly<Record<Exclude<SpecialName, `JSONSchema${string}`>, ValueReader>> = {
  Time: unlessEmpty(customReader('Timestamp', TIMESTAMP, showTime)),
  MicroTime: unlessEmpty(customReader('Timestamp', TIMESTAMP, showMicroTime)),
  Duration: customReader('Duration', [[1, 'Duration', int64]], ({ Duration: nanos = 0 }) =>
    formatDuration(BigInt(nanos as number | bigint)),
  ),
  Quantity: customReader('Quantity', [[1, 'String_', string]], ({ String_: text = '0' }) => text),
  IntOrString: customReader('IntOrString', INT_OR_STRING, showIntOrString),
  RawExtension: opaque('RawExtension'),
  FieldsV1: opaque('FieldsV1'),
  JSON: opaque('JSON'),
};
