import type { ScalarName, SpecialName } from '@capstan/api/kubernetes';

import { canonicalBase64, encode } from './base64.js';
import { numberText } from './errors.js';
import type { LeafTexts } from './leaf-texts.js';

/** Thrown when a value does not fit; what and where is for the slow walk to say. */
export const MISMATCH: unique symbol = Symbol('mismatch');

/** What one walk carries along. */
export interface DecodeRun {
  readonly texts: LeafTexts;
  /** A struct met a key it does not know. */
  unknown: boolean;
  /** A list or a map without elements was met, which cannot be distinguished from an absent one afterwards. */
  hasEmpties: boolean;
}

/** A value that is neither null nor undefined, to its JSON form. */
export type Decode = (value: unknown, run: DecodeRun) => unknown;

/** The closures of one Go type. */
export interface CompiledType {
  readonly decode: Decode;
  /** What null, or nothing at all, becomes; null stands for Go's nil. A new value each time, since it may be changed. */
  readonly zero: () => unknown;
}

/** Go's nil. */
export const nil = (): null => null;

/** The one every map of strings is recognised by. */
export function decodeString(value: unknown): unknown {
  if (typeof value !== 'string') throw MISMATCH;
  return value;
}

function decodeBool(value: unknown): unknown {
  if (typeof value !== 'boolean') throw MISMATCH;
  return value;
}

/** Whether Go's int32 holds the value. */
export function isInt32(value: unknown): value is number {
  // -0 is the integer 0.
  return typeof value === 'number' && (value | 0) === value;
}

/** Whether Go's int64 holds the value: exact numbers as they are, beyond them as bigint. */
export function isInt64(value: unknown): value is number | bigint {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
}

function decodeInt32(value: unknown): unknown {
  if (!isInt32(value)) throw MISMATCH;
  return value;
}

function decodeInt64(value: unknown): unknown {
  if (!isInt64(value)) throw MISMATCH;
  return value;
}

function decodeFloat(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'number') throw MISMATCH;
  return value;
}

function decodeBytes(value: unknown, run: DecodeRun): unknown {
  if (typeof value === 'string') {
    const text = canonicalBase64(value);
    if (typeof text !== 'string') throw MISMATCH;
    return text;
  }
  // Go reads a list of small numbers into []byte as well.
  if (!Array.isArray(value)) throw MISMATCH;
  if (value.length === 0) run.hasEmpties = true;
  return encode(value.map((byte: unknown) => (isByte(byte) ? (byte ?? 0) : mismatch())));
}

/** Whether Go's uint8 holds the value; null leaves it zero. */
export function isByte(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && (value & 255) === value);
}

function mismatch(): never {
  throw MISMATCH;
}

/** What is kept as it came. */
function decodeAny(value: unknown, run: DecodeRun): unknown {
  if (typeof value === 'object' && value !== null && isEmpty(value)) run.hasEmpties = true;
  return value;
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

/** The scalars. */
export const SCALARS: Readonly<Record<ScalarName, CompiledType>> = {
  string: { decode: decodeString, zero: () => '' },
  bool: { decode: decodeBool, zero: () => false },
  int32: { decode: decodeInt32, zero: () => 0 },
  int64: { decode: decodeInt64, zero: () => 0 },
  float64: { decode: decodeFloat, zero: () => 0 },
  // A nil []byte comes back from protobuf as an empty one.
  bytes: { decode: decodeBytes, zero: () => '' },
  any: { decode: decodeAny, zero: nil },
};

function decodeTime(value: unknown, run: DecodeRun): unknown {
  if (typeof value !== 'string') throw MISMATCH;
  return run.texts.time(value);
}

function decodeMicroTime(value: unknown, run: DecodeRun): unknown {
  if (typeof value !== 'string') throw MISMATCH;
  return run.texts.microTime(value);
}

function decodeDuration(value: unknown, run: DecodeRun): unknown {
  if (typeof value !== 'string') throw MISMATCH;
  return run.texts.duration(value);
}

function decodeQuantity(value: unknown, run: DecodeRun): unknown {
  return run.texts.quantity(quantityText(value));
}

/** A quantity is read from the JSON text itself; anything that is no string or number cannot be one. */
export function quantityText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'bigint' ? numberText(value) : '?';
}

function decodeIntOrString(value: unknown): unknown {
  return typeof value === 'string' ? value : decodeInt32(value);
}

const opaque: CompiledType = { decode: decodeAny, zero: nil };

/** The types that decode themselves, but for those that hold structs. */
export const LEAF_SPECIALS: Readonly<Record<Exclude<SpecialName, `JSONSchema${string}`>, CompiledType>> = {
  Time: { decode: decodeTime, zero: nil },
  MicroTime: { decode: decodeMicroTime, zero: nil },
  Duration: { decode: decodeDuration, zero: () => '0s' },
  Quantity: { decode: decodeQuantity, zero: () => '0' },
  IntOrString: { decode: decodeIntOrString, zero: () => 0 },
  RawExtension: opaque,
  FieldsV1: opaque,
  JSON: opaque,
};
