import { Buffer } from 'node:buffer';
import { type KubeObject, parseJson, stringifyJson } from '@capstan/meta';

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
