/** The catalogue, part two: answers about the request. Each row: code, reason, message. */
import { formatGroupResource, type GroupResource } from '../gvk/gvk.js';
import { decodeGoUtf8, goQuote } from '../json/go-text.js';
import { ApiError } from './api-error.js';
import { failure, type StatusReason } from './status.js';

/** 400 BadRequest, any message. */
export function badRequest(message: string, options?: { readonly cause?: unknown }): ApiError {
  return new ApiError(failure(400, 'BadRequest', message), options);
}

/** 400 BadRequest: `Widget in version "v1" cannot be handled as a Widget: <reason>`. */
export function cannotBeHandledAs(kind: string, version: string, expectedKind: string, reason: string): ApiError {
  return badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${expectedKind}: ${reason}`);
}

/** 400 BadRequest: as {@link cannotBeHandledAs}, `strict decoding error: unknown field "spec.z"`. */
export function strictDecoding(
  kind: string,
  version: string,
  expectedKind: string,
  problems: readonly string[],
): ApiError {
  return cannotBeHandledAs(kind, version, expectedKind, `strict decoding error: ${problems.join(', ')}`);
}

const summaryBytes = 30;

/** The start of a body as messages quote it: text if it looks like JSON, else hexadecimal. */
export function summarizeBody(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const head = body.length > summaryBytes ? body.subarray(0, summaryBytes) : body;
  const text =
    head[0] === 0x7b
      ? decodeGoUtf8(head, 0, head.length)
      : Array.from(head, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return body.length > summaryBytes ? `${text} ...` : text;
}

/** 400 BadRequest: the body has no kind: `the object provided is unrecognized (must be of type Widget): <reason> (<body>)`. */
export function unrecognizedObject(expectedKind: string, reason: string, body: Uint8Array): ApiError {
  const summary = summarizeBody(body);
  return badRequest(`the object provided is unrecognized (must be of type ${expectedKind}): ${reason} (${summary})`);
}

/** 400 BadRequest: the body is of another apiVersion than the URL. */
export function apiVersionMismatch(actual: string, expected: string): ApiError {
  return badRequest(`the API version in the data (${actual}) does not match the expected API version (${expected})`);
}

/** 400 BadRequest: the body names another object than the URL. */
export function nameMismatch(inBody: string, inUrl: string): ApiError {
  return badRequest(`the name of the object (${inBody}) does not match the name on the URL (${inUrl})`);
}

/** 400 BadRequest: the body names another namespace than the URL. */
export function namespaceMismatch(): ApiError {
  return badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** 400 BadRequest: a field selector on a field the kind does not offer (custom resources and most built-ins). */
export function unsupportedFieldLabel(label: string): ApiError {
  return badRequest(`field label not supported: ${label}`);
}

/** 400 BadRequest: as {@link unsupportedFieldLabel}, of built-ins that have no selectable fields of their own. */
export function unknownFieldSelector(label: string): ApiError {
  return badRequest(`${goQuote(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

/** 401 Unauthorized. */
export function unauthorized(message = 'Unauthorized'): ApiError {
  return new ApiError(failure(401, 'Unauthorized', message));
}

const generic: Readonly<Record<number, { readonly reason: StatusReason; readonly message: string }>> = {
  400: { reason: 'BadRequest', message: 'the server rejected our request for an unknown reason' },
  401: { reason: 'Unauthorized', message: 'the server has asked for the client to provide credentials' },
  404: { reason: 'NotFound', message: 'the server could not find the requested resource' },
  405: { reason: 'MethodNotAllowed', message: 'the server does not allow this method on the requested resource' },
  409: { reason: 'Conflict', message: 'the server reported a conflict' },
  422: { reason: 'Invalid', message: 'the server rejected our request due to an error in our request' },
  429: {
    reason: 'TooManyRequests',
    message: 'the server has received too many requests and has asked us to try again later',
  },
  503: { reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' },
  504: {
    reason: 'Timeout',
    message: 'the server was unable to return a response in the time allotted, but may still be processing the request',
  },
};

function genericText(code: number, verb: string, body: string): { reason: StatusReason | ''; message: string } {
  if (code === 403) return { reason: 'Forbidden', message: body };
  if (code === 415) return { reason: 'UnsupportedMediaType', message: body };
  if (code === 406) {
    const isEmpty = body === '' || body === 'unknown';
    const message = 'the server was unable to respond with a content type that the client supports';
    return { reason: 'NotAcceptable', message: isEmpty ? message : body };
  }
  const known = generic[code];
  if (code === 409 && verb === 'POST' && known !== undefined) return { ...known, reason: 'AlreadyExists' };
  if (known !== undefined) return known;
  if (code >= 500) {
    const message = `an error on the server (${goQuote(body)}) has prevented the request from succeeding`;
    return { reason: 'InternalError', message };
  }
  const message = `the server responded with the status code ${code} but did not return more information`;
  return { reason: '', message };
}

export interface GenericResponse {
  /** Upper-case HTTP method; empty on the server's side. */
  readonly verb?: string;
  readonly resource?: GroupResource;
  readonly name?: string;
  /** The body, when it was no Status. */
  readonly serverMessage?: string;
  readonly retryAfterSeconds?: number;
  /** The answer came from something that is no API server. */
  readonly unexpected?: boolean;
}

/** What was asked, in parentheses behind the message; nothing when it is not known. */
function genericSubject({ verb = '', resource, name = '' }: GenericResponse): string {
  if (resource === undefined) return '';
  const what = `${verb.toLowerCase()} ${formatGroupResource(resource)}`;
  return ` (${name === '' ? what : `${what} ${name}`})`;
}

/** Any code with the text the API has for it: what the router answers, and what clients make of a bare code. */
export function genericServerResponse(code: number, response: GenericResponse = {}): ApiError {
  const { verb = '', resource, name = '', serverMessage = '', retryAfterSeconds = 0 } = response;
  const { reason, message } = genericText(code, verb, serverMessage);
  const cause = serverMessage === '' ? {} : { message: serverMessage };
  const details = {
    name,
    ...(resource === undefined ? undefined : { group: resource.group, kind: resource.resource }),
    causes: response.unexpected === true ? [{ reason: 'UnexpectedServerResponse', ...cause }] : [],
    retryAfterSeconds,
  };
  return new ApiError(failure(code, reason, message + genericSubject(response), details));
}

/** 404 NotFound with empty details: no such resource or subresource in a served group-version. */
export function resourceNotServed(): ApiError {
  return genericServerResponse(404);
}

/** 405 MethodNotAllowed with empty details: the route exists for other methods. */
export function methodNotAllowed(): ApiError {
  return genericServerResponse(405);
}

/** 405 MethodNotAllowed: `update is not supported on resources of kind "widgets.example.com"`. */
export function methodNotSupported(resource: GroupResource, action: string): ApiError {
  const message = `${action} is not supported on resources of kind ${goQuote(formatGroupResource(resource))}`;
  const details = { group: resource.group, kind: resource.resource };
  return new ApiError(failure(405, 'MethodNotAllowed', message, details));
}

/** 406 NotAcceptable: a known route and media type, but not in the form asked for. */
export function notAcceptable(accepted: readonly string[]): ApiError {
  const message = `only the following media types are accepted: ${accepted.join(', ')}`;
  return new ApiError(failure(406, 'NotAcceptable', message));
}

/** 406 NotAcceptable: as {@link notAcceptable}, for a Table or partial metadata in another encoding. */
export function notAcceptableConversion(target: string, accepted: readonly string[]): ApiError {
  const message = `only the following media types are accepted when converting to ${target}: ${accepted.join(', ')}`;
  return new ApiError(failure(406, 'NotAcceptable', message));
}

/** 406 NotAcceptable from the router of the built-ins: no Accept entry fits the route. */
export function notAcceptableRoute(available: readonly string[]): ApiError {
  const serverMessage = `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`;
  return genericServerResponse(406, { serverMessage });
}

/** 415 UnsupportedMediaType: the body's media type is unknown. */
export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new ApiError(failure(415, 'UnsupportedMediaType', message));
}

/** 415 UnsupportedMediaType from the router of the built-ins: an unknown patch type. */
export function unsupportedMediaTypeRoute(): ApiError {
  return genericServerResponse(415, { serverMessage: '415: Unsupported Media Type' });
}

/** 413 RequestEntityTooLarge: `Request entity too large: <message>`. */
export function requestEntityTooLarge(message: string): ApiError {
  return new ApiError(failure(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`));
}

/** 413: the body exceeds the limit. */
export function bodyTooLarge(limit: number): ApiError {
  return requestEntityTooLarge(`limit is ${limit}`);
}

/** 413: the JSON patch has too many operations. */
export function tooManyPatchOperations(limit: number, actual: number): ApiError {
  return requestEntityTooLarge(`The allowed maximum operations in a JSON patch is ${limit}, got ${actual}`);
}

/** 422 Invalid with empty details: a well-formed patch that does not apply (also a failed `test`). */
export function patchRejected(): ApiError {
  return genericServerResponse(422);
}

/** 410 Gone. */
export function gone(message: string): ApiError {
  return new ApiError(failure(410, 'Gone', message));
}

/** 410 Expired, any message. */
export function expired(message: string): ApiError {
  return new ApiError(failure(410, 'Expired', message));
}

/** 410 Expired: a list at a compacted resourceVersion. */
export function expiredList(): ApiError {
  return expired('The resourceVersion for the provided list is too old.');
}

/** 410 Expired as a watch sends it in an ERROR event; `oldest` is the last resourceVersion no longer held. */
export function expiredWatch(resourceVersion: string | number | bigint, oldest: string | number | bigint): ApiError {
  return expired(`too old resource version: ${resourceVersion} (${oldest})`);
}

/** 410 Expired: a compacted continue token; a token given here lets the client go on at the latest state. */
export function expiredContinue(continueToken?: string): ApiError {
  const start =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter';
  if (continueToken === undefined) return expired(`${start}.`);
  const status = failure(
    410,
    'Expired',
    `${start}, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.`,
  );
  return new ApiError({ ...status, metadata: { continue: continueToken } });
}

/** 504 Timeout: `Timeout: <message>`. */
export function timeout(message: string, retryAfterSeconds = 0): ApiError {
  return new ApiError(failure(504, 'Timeout', `Timeout: ${message}`, { retryAfterSeconds }));
}

/** 504 Timeout: the request took longer than the server grants. */
export function requestTimeout(): ApiError {
  return timeout('request did not complete within the allotted timeout');
}

/** 504 Timeout with cause ResourceVersionTooLarge: a resourceVersion in the future. */
export function tooLargeResourceVersion(
  wanted: string | number | bigint,
  current: string | number | bigint,
  retryAfterSeconds = 1,
): ApiError {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const message = `Timeout: Too large resource version: ${wanted}, current: ${current}`;
  return new ApiError(failure(504, 'Timeout', message, { causes, retryAfterSeconds }));
}

/** 500 ServerTimeout: a transient failure of the storage. */
export function serverTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): ApiError {
  const message = `The ${operation} operation against ${formatGroupResource(resource)} could not be completed at this time, please try again.`;
  const details = { name: operation, group: resource.group, kind: resource.resource, retryAfterSeconds };
  return new ApiError(failure(500, 'ServerTimeout', message, details));
}

/** 429 TooManyRequests. */
export function tooManyRequests(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError(failure(429, 'TooManyRequests', message, { retryAfterSeconds }));
}

/** 500 InternalError: `Internal error occurred: <message>`, the message also a cause. */
export function internal(message: string, options?: { readonly cause?: unknown }): ApiError {
  const causes = message === '' ? [{}] : [{ message }];
  return new ApiError(failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes }), options);
}

/** 503 ServiceUnavailable. */
export function serviceUnavailable(message: string): ApiError {
  return new ApiError(failure(503, 'ServiceUnavailable', message));
}
