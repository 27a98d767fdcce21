import type { EndpointReply } from '@capstan/kube';

const JSON_TYPE = 'application/json';

/** A review with its answer, as bytes that are ready. */
export function answered(body: string | Uint8Array): EndpointReply {
  return { status: 200, contentType: JSON_TYPE, body };
}

/** What servers show to their clients. */
export function failure(review: { readonly apiVersion: string; readonly uid: string }, message: string): EndpointReply {
  const { apiVersion, uid } = review;
  const response = { uid, convertedObjects: [], result: { metadata: {}, status: 'Failure', message } };
  return answered(JSON.stringify({ kind: 'ConversionReview', apiVersion, response }));
}

/** Nothing to convert. */
export function nothing({ apiVersion, uid }: { readonly apiVersion: string; readonly uid: string }): EndpointReply {
  const response = { uid, convertedObjects: [], result: { metadata: {}, status: 'Success' } };
  return answered(JSON.stringify({ kind: 'ConversionReview', apiVersion, response }));
}

const REASONS: Readonly<Record<number, string>> = { 400: 'BadRequest', 503: 'ServiceUnavailable' };

/** A Status: the server passes its message on to the client. */
export function refused(code: 400 | 503, message: string, retryAfterSeconds?: number): EndpointReply {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: REASONS[code],
    ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
    code,
  };
  return {
    status: code,
    contentType: JSON_TYPE,
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
    body: `${JSON.stringify(status)}\n`,
  };
}
