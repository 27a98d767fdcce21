import { deepFreeze, parseJson, stringifyJson } from '@capstan/meta';

/** A JSON value from bytes, deeply frozen. Servers encode without duplicate keys, so none are looked for. */
export function decodeJson(bytes: Uint8Array): unknown {
  return deepFreeze(parseJson(bytes, { duplicates: false }).value);
}

/** The bytes of a JSON value. */
export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(stringifyJson(value));
}
