import type { ScalarName, SpecialName } from '@capstan/api/kubernetes';
import { canonicalJson, parseDuration, parseMicroTime, parseTime, stringifyJson } from '@capstan/meta';
import type { Writer } from './writer.js';

/** Writes values of one type, with their length before them where they have one. */
export interface ValueWriter {
  /** 0 varint, 1 eight bytes, 2 with a length. */
  readonly wire: 0 | 1 | 2;
  /** Null and undefined stand for the zero value. */
  write(this: void, writer: Writer, value: unknown): void;
}

function writeText(writer: Writer, value: unknown): void {
  writer.text((value ?? '') as string);
}

function writeInt(writer: Writer, value: unknown): void {
  writer.int((value ?? 0) as number | bigint);
}

function writeBool(writer: Writer, value: unknown): void {
  writer.byte(value === true ? 1 : 0);
}

/** The scalars. */
export const SCALAR_WRITERS: Readonly<Record<ScalarName, ValueWriter>> = {
  string: { wire: 2, write: writeText },
  bytes: { wire: 2, write: (writer, value) => writer.base64((value ?? '') as string) },
  bool: { wire: 0, write: writeBool },
  int32: { wire: 0, write: writeInt },
  int64: { wire: 0, write: writeInt },
  float64: { wire: 1, write: (writer, value) => writer.double(Number(value ?? 0)) },
  any: { wire: 2, write: (writer, value) => writer.text(stringifyJson(value ?? null)) },
};

/** 0001-01-01T00:00:00Z, which is written as no bytes at all. */
const ZERO_SECONDS = -62_135_596_800;
const ZERO = 0x30;

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** Seconds of `2006-01-02T15:04:05Z`, the form objects are kept in; NaN for any other. */
function quickSeconds(text: string): number {
  if (text.length !== 20 || text.charCodeAt(19) !== 0x5a) return Number.NaN;
  const century = twoDigits(text, 0);
  // Before the year 100 `Date` would think of the twentieth century.
  if (!(century > 0)) return Number.NaN;
  const year = century * 100 + twoDigits(text, 2);
  const day = Date.UTC(year, twoDigits(text, 5) - 1, twoDigits(text, 8));
  return day / 1000 + twoDigits(text, 11) * 3600 + twoDigits(text, 14) * 60 + twoDigits(text, 17);
}

function writeTimestamp(writer: Writer, seconds: number, nanos: number): void {
  if (seconds === ZERO_SECONDS && nanos === 0) return writer.byte(0);
  const before = writer.size;
  writer.uint(nanos);
  writer.tag(0x10);
  writer.int(seconds);
  writer.tag(0x08);
  writer.uint(writer.size - before);
}

function writeTime(writer: Writer, value: unknown): void {
  if (value === null || value === undefined) return writer.byte(0);
  const quick = quickSeconds(value as string);
  writeTimestamp(writer, Number.isNaN(quick) ? parseTime(value as string).seconds : quick, 0);
}

function writeMicroTime(writer: Writer, value: unknown): void {
  if (value === null || value === undefined) return writer.byte(0);
  const { seconds, nanos } = parseMicroTime(value as string);
  writeTimestamp(writer, seconds, nanos - (nanos % 1000));
}

function writeDuration(writer: Writer, value: unknown): void {
  const before = writer.size;
  writer.int(parseDuration((value ?? '0s') as string));
  writer.tag(0x08);
  writer.uint(writer.size - before);
}

function writeQuantity(writer: Writer, value: unknown): void {
  const before = writer.size;
  writer.text((value ?? '0') as string);
  writer.tag(0x0a);
  writer.uint(writer.size - before);
}

function writeIntOrString(writer: Writer, value: unknown): void {
  const before = writer.size;
  const isText = typeof value === 'string';
  writer.text(isText ? value : '');
  writer.tag(0x1a);
  writer.int(isText ? 0 : ((value ?? 0) as number));
  writer.tag(0x10);
  writer.byte(isText ? 1 : 0);
  writer.tag(0x08);
  writer.uint(writer.size - before);
}

function opaque(print: (value: unknown) => string): ValueWriter {
  return {
    wire: 2,
    write: (writer, value) => {
      const before = writer.size;
      if (value !== null && value !== undefined) {
        writer.text(print(value));
        writer.tag(0x0a);
      }
      writer.uint(writer.size - before);
    },
  };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** Values inside schemas pass through Go's printer on the server, which sorts keys and escapes what HTML would mind. */
function goPrinted(value: unknown): string {
  return canonicalJson(value).replace(/[<>&\u2028\u2029]/g, (char) => ESCAPES[char] ?? char);
}

const kept = opaque((value) => stringifyJson(value));

/** The types with a JSON form of their own, but for those that hold structs. */
export const LEAF_WRITERS: Readonly<Record<Exclude<SpecialName, `JSONSchema${string}`>, ValueWriter>> = {
  Time: { wire: 2, write: writeTime },
  MicroTime: { wire: 2, write: writeMicroTime },
  Duration: { wire: 2, write: writeDuration },
  Quantity: { wire: 2, write: writeQuantity },
  IntOrString: { wire: 2, write: writeIntOrString },
  RawExtension: kept,
  FieldsV1: kept,
  JSON: opaque(goPrinted),
};
