import { Buffer } from 'node:buffer';
import { type KubeObject, type ObjectMeta, parseJson, stringifyJson } from '@capstan/meta';

/** The encoder writes no key twice. */
const ownText = { duplicates: false };

/** The JSON encoding of an object, in memory of its own. */
export function encodeObject(object: KubeObject): Uint8Array {
  const text = stringifyJson(object);
  const length = Buffer.byteLength(text, 'utf8');
  // Not from Buffer's pool: one long-lived object would keep the whole slab of its short-lived neighbours.
  const bytes = Buffer.allocUnsafeSlow(length);
  bytes.write(text, 0, length, length === text.length ? 'latin1' : 'utf8');
  return bytes;
}

/** The inverse of {@link encodeObject}. */
export function decodeObject(bytes: Uint8Array): KubeObject {
  return parseJson(bytes, ownText).value as KubeObject;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const METADATA_KEY = Buffer.from('metadata');

/** The metadata of an encoded object, without reading what comes after it. */
export function decodeMetadata(bytes: Uint8Array): ObjectMeta {
  // Behind the brace that opens the object: keys and values in turn, none of them spaced.
  for (let at = 1; at < bytes.length;) {
    const keyEnd = endOfString(bytes, at);
    const valueEnd = endOfValue(bytes, keyEnd + 1);
    if (isMetadataKey(bytes, at, keyEnd)) {
      return parseJson(bytes.subarray(keyEnd + 1, valueEnd), ownText).value as ObjectMeta;
    }
    at = valueEnd + 1;
  }
  return decodeObject(bytes).metadata;
}

function isMetadataKey(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== METADATA_KEY.length + 2) return false;
  for (let at = 0; at < METADATA_KEY.length; at++) if (bytes[start + 1 + at] !== METADATA_KEY[at]) return false;
  return true;
}

/** From an opening quote to behind the closing one. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at++;
  }
  return bytes.length;
}

/** From the first byte of a value to behind its last. */
function endOfValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length;) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (depth === 0) return at;
      continue;
    }
    // The brackets differ from the braces in one bit.
    const bracket = byte | 0x20;
    if (bracket === 0x7b) depth++;
    else if (bracket === 0x7d) {
      // Behind a number or a word: what closes here holds it.
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && byte === 0x2c) return at;
    at++;
  }
  return bytes.length;
}
