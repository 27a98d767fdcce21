import { TranslationError } from '../errors.js';
import type { TranslationErrorCode } from '../errors.js';

/** An answer that is given without asking the server: a Status. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The content of a Status. */
export interface RefusalReason {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, string>> | undefined;
}

/** A Status as a response. */
export function refusal({ status, reason, message, details }: RefusalReason): Refusal {
  const object = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    details,
    code: status,
  };
  const body = Buffer.from(`${JSON.stringify(object)}\n`);
  return { status, headers: { 'content-type': 'application/json', 'content-length': String(body.length) }, body };
}

/** What cannot be understood. */
export const badRequest = (message: string): Refusal => refusal({ status: 400, reason: 'BadRequest', message });

/** What servers answer about paths that lead nowhere. */
export const notFound = (): Refusal =>
  refusal({
    status: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });

/** What servers answer about an object that is not there. */
export function objectNotFound(group: string, resource: string, name: string): Refusal {
  const message = `${resource}.${group} ${JSON.stringify(name)} not found`;
  return refusal({ status: 404, reason: 'NotFound', message, details: { name, group, kind: resource } });
}

const BY_CODE: Readonly<Record<TranslationErrorCode, readonly [status: number, reason: string, words: string]>> = {
  BAD_RULES: [500, 'InternalError', 'Internal error occurred'],
  HIDDEN: [403, 'Forbidden', 'forbidden'],
  MALFORMED: [400, 'BadRequest', 'the body cannot be translated'],
  TOO_LARGE: [413, 'RequestEntityTooLarge', 'Request entity too large'],
  UNSUPPORTED: [415, 'UnsupportedMediaType', 'the body of the request was in an unknown format'],
};

/** What to answer when a body could not be translated; undefined for errors that are not of translation. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof TranslationError)) return undefined;
  const [status, reason, words] = BY_CODE[error.code];
  return refusal({ status, reason, message: `${words}: ${error.message}` });
}
