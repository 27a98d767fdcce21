import { createHash } from 'node:crypto';
import { deepFreeze } from '@capstan/meta';

/** A document with its encoding and its tag, each made once. */
export interface CachedDocument {
  readonly value: object;
  readonly bytes: () => Uint8Array;
  readonly etag: () => string;
}

/** Freezes the document; it is encoded when it is first sent. */
export function cachedDocument(value: object): CachedDocument {
  deepFreeze(value);
  let bytes: Uint8Array | undefined;
  let etag: string | undefined;
  const encode = () => (bytes ??= new TextEncoder().encode(`${JSON.stringify(value)}\n`));
  return {
    value,
    bytes: encode,
    etag: () => (etag ??= `"${createHash('sha512').update(encode()).digest('hex').toUpperCase()}"`),
  };
}

/** A Status that is always the same. */
export function statusDocument(code: number, reason: string, message: string, details?: object): CachedDocument {
  return cachedDocument({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  });
}
