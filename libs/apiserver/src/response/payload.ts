import { deepFreeze, stringifyJson } from '@capstan/meta';
import type { ApiResponse, EmptyBody, PayloadBody } from '@capstan/meta';

const encoder = new TextEncoder();

/** A value as the wire sees it. */
export type EncodeBody = (value: unknown) => Uint8Array;

/** A value as JSON. */
export function encodeJson(value: unknown): Uint8Array {
  return encoder.encode(stringifyJson(value));
}

/** A body that is a JSON value; encoded when the wire wants it, and only once. */
export class ValuePayload implements PayloadBody {
  readonly type = 'payload';
  readonly #value: unknown;
  readonly #encode: EncodeBody;
  #bytes: Uint8Array | undefined;

  constructor(value: unknown, encode: EncodeBody = encodeJson) {
    this.#value = value;
    this.#encode = encode;
  }

  chunks(): readonly Uint8Array[] {
    this.#bytes ??= this.#encode(this.#value);
    return [this.#bytes];
  }

  value(): unknown {
    return deepFreeze(this.#value);
  }
}

/** A body that is a Status, whose encoding is settled by the Accept header whatever was asked for. */
export class StatusPayload extends ValuePayload {}

/** A body that exists as bytes and, for callers in process, as a value. */
export class EncodedPayload implements PayloadBody {
  readonly type = 'payload';
  readonly #bytes: () => Uint8Array;
  readonly #value: () => unknown;

  constructor(bytes: () => Uint8Array, value: () => unknown) {
    this.#bytes = bytes;
    this.#value = value;
  }

  chunks(): readonly Uint8Array[] {
    return [this.#bytes()];
  }

  value(): unknown {
    return this.#value();
  }
}

/** A plain text body. */
export function textPayload(text: string): PayloadBody {
  return new EncodedPayload(
    () => encoder.encode(text),
    () => text,
  );
}

export const EMPTY: EmptyBody = { type: 'empty' };

/** An answer in plain text from in front of the handlers. */
export function plainResponse(status: number, text: string): ApiResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: textPayload(text) };
}

/** A plain text answer, as the parts of the server outside the API give it. */
export function textResponse(status: number, text: string): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: textPayload(text),
  };
}
