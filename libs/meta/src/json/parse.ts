/** JSON in: the native parser where it is provably exact, the exact reader everywhere else. */
import { Buffer } from 'node:buffer';
import { type DuplicateField, type JsonTextNotes, metKeyPaths, readExactly } from './exact-reader.js';
import { maxTextDepth } from './depth.js';
import type { JsonSyntaxError } from './errors.js';
import { goQuote } from './go-text.js';

/** How to read. */
export interface ParseJsonOptions {
  /** False skips the search for duplicate keys, for text from a trusted encoder. */
  readonly duplicates?: boolean;
  /** Deepest nesting accepted; `maxJsonDepth` by default. Values deeper than 500 are read by the exact reader. */
  readonly maxDepth?: number;
  /** Numbers no float64 holds are reported by `beyondFloat` instead of refused. */
  readonly keepBeyondFloat?: boolean;
}

/** What was read. */
export interface ParsedJson {
  readonly value: unknown;
  /** In the order met, without repeats, at most 100. */
  readonly duplicates: readonly DuplicateField[];
  /** True when an integer beyond 2^53 is inside, held as `bigint`. */
  readonly hasBigInt: boolean;
  /** How deep objects and arrays nest. */
  readonly depth: number;
  /** The text contains more than the value: {@link readJsonNotes} returns what. */
  readonly hasExtra: boolean;
  /** Of a text that was to be read in spite of it: what is wrong with the first number no float64 holds. */
  readonly beyondFloat?: JsonSyntaxError;
}

const noDuplicates: readonly DuplicateField[] = Object.freeze([]);
/** Deeper values are left to the iterative reader, so that the key count below may recurse. */
const recursionLimit = 500;
/** Fifteen digits always fit 2^53. */
const safeDigits = 15;

/** The strict-decoding message of a duplicate. */
export function duplicateFieldMessage(path: string): string {
  return `duplicate field ${goQuote(path)}`;
}

/** Strings are scanned as bytes too: typed arrays read several times faster than `charCodeAt`. */
const scratch = Buffer.alloc(16_384);

function toBytes(text: string): Uint8Array {
  // Three bytes per UTF-16 unit is the worst case.
  if (text.length * 3 > scratch.length) return Buffer.from(text, 'utf8');
  return scratch.subarray(0, scratch.write(text, 'utf8'));
}

/**
 * Scans bytes the native parser has accepted. Gives the number of keys, or -1 where the native result may differ from
 * the exact one: long or exponential numbers, `-0`, escaped surrogates, U+FFFD (perhaps a repair), deep nesting.
 */
function scanKeys(bytes: Uint8Array, maxDepth: number): number {
  const end = bytes.length;
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  let at = 0;
  while (at < end && at !== -1) {
    const byte = bytes[at] as number;
    if (byte === 0x22) {
      at = skipString(bytes, at + 1);
    } else if (byte <= 0x39) {
      at = byte >= 0x2d ? skipNumber(bytes, at) : at + 1;
    } else {
      if (byte === 0x3a) keys++;
      // The brackets differ from the braces in one bit.
      else if ((byte | 0x20) === 0x7d) depth--;
      else if ((byte | 0x20) === 0x7b && ++depth > deepest) {
        if (depth > maxDepth) return -1;
        deepest = depth;
      }
      at++;
    }
  }
  metDepth = deepest;
  return at === -1 ? -1 : keys;
}

/** Whether the scan met a number with a point: left here by the scan for its only caller, which runs it to the end. */
let metFraction = false;
/** How deep the text nests, likewise. */
let metDepth = 0;

/** From a sign, point or digit to behind it and the digits that follow; -1 where the number may not be exact. */
function skipNumber(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  let next = bytes[at] ?? 0;
  if (bytes[start] === 0x2d) return next === 0x30 ? -1 : at;
  if (bytes[start] === 0x2e) metFraction = true;
  while (next >= 0x30 && next <= 0x39) next = bytes[++at] ?? 0;
  return at - start > safeDigits || (next | 0x20) === 0x65 ? -1 : at;
}

/** From behind an opening quote to behind the closing one; -1 at anything a Go string might hold differently. */
function skipString(bytes: Uint8Array, start: number): number {
  for (let at = start; ; at++) {
    const byte = bytes[at] as number;
    if (byte === 0x22) return at + 1;
    if (byte === 0x5c) {
      at++;
      // \uD8xx to \uDFxx
      if (bytes[at] === 0x75 && ((bytes[at + 1] ?? 0) | 0x20) === 0x64 && (bytes[at + 2] ?? 0) > 0x37) return -1;
    } else if (byte === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) {
      return -1;
    }
  }
}

function countKeys(value: object): number {
  let keys = 0;
  if (Array.isArray(value)) {
    for (let k = 0; k < value.length; k++) {
      const item: unknown = value[k];
      if (typeof item === 'object' && item !== null) keys += countKeys(item);
    }
    return keys;
  }
  const object = value as Record<string, unknown>;
  for (const key in object) {
    keys++;
    const item = object[key];
    if (typeof item === 'object' && item !== null) keys += countKeys(item);
  }
  return keys;
}

function tryNative(text: string, bytes: Uint8Array | undefined, options: ParseJsonOptions | undefined): unknown {
  let value: unknown;
  metFraction = false;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const keys = scanKeys(bytes ?? toBytes(text), Math.min(recursionLimit, options?.maxDepth ?? recursionLimit));
  if (keys === -1) return undefined;
  // Every duplicate in the text is a key the parsed value does not have, so equal counts prove there is none.
  if (options?.duplicates !== false && keys > 1 && countKeys(value as object) !== keys) return undefined;
  return value;
}

/**
 * Reads JSON as the API server does: integers up to int64 exact (beyond 2^53 as `bigint`), other numbers as float64,
 * the last of duplicate keys wins and each is reported, `__proto__` is an ordinary key, bad UTF-8 becomes U+FFFD.
 * Throws `JsonSyntaxError`.
 */
export function parseJson(input: string | Uint8Array, options?: ParseJsonOptions): ParsedJson {
  let value: unknown;
  if (typeof input === 'string') {
    value = tryNative(input, undefined, options);
  } else {
    const text = Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString('utf8');
    // U+FFFD is either written there or the platform's repair, which differs from Go's.
    if (!text.includes('\ufffd')) value = tryNative(text, input, options);
  }
  if (value !== undefined)
    return { value, duplicates: noDuplicates, hasBigInt: false, hasExtra: metFraction, depth: metDepth };
  const exact = readExactly(typeof input === 'string' ? Buffer.from(input, 'utf8') : input, options?.maxDepth);
  const { hasBigInt, notes, beyondFloat } = exact;
  if (beyondFloat !== undefined && options?.keepBeyondFloat !== true) throw beyondFloat;
  const duplicates = options?.duplicates === false ? noDuplicates : exact.duplicates;
  const hasExtra = notes.spellings.size + notes.texts.size + notes.replaced.size + notes.oddKeys.size > 0;
  const parsed = { value: exact.value, duplicates, hasBigInt, hasExtra, depth: exact.depth };
  return beyondFloat === undefined ? parsed : { ...parsed, beyondFloat };
}

/** Which of the paths a text has that {@link parseJson} has read, in the order and as often as their keys are met. */
export function readKeyPaths(bytes: Uint8Array, paths: readonly string[]): string[] {
  return metKeyPaths(bytes, paths);
}

/** Reads a text that {@link parseJson} has read once more, in full; the notes go with this very value. */
export function readJsonNotes(bytes: Uint8Array): { readonly value: unknown; readonly notes: JsonTextNotes } {
  const { value, notes } = readExactly(bytes, maxTextDepth);
  return { value, notes };
}
