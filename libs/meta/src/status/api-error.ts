/** The one error type of the API, and how any other error becomes it. */
import { failure, isKnownReason, type Status, type StatusCause, type StatusReason } from './status.js';

/** An error with the Status that is, or was, its answer on the wire. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: Status;

  constructor(status: Status, options?: { readonly cause?: unknown }) {
    super(status.message ?? '', options);
    this.status = status;
  }

  /** The HTTP code of the answer. */
  get code(): number {
    return this.status.code ?? 500;
  }

  /** The machine-readable reason; empty when the server gave none. */
  get reason(): string {
    return this.status.reason ?? '';
  }
}

/** Errors are wrapped a few levels at most; a longer chain is a cycle. */
const maxCauses = 32;

/** The ApiError an error is or wraps (by `cause`). */
export function apiErrorOf(error: unknown): ApiError | undefined {
  let current = error;
  for (let depth = 0; depth < maxCauses; depth++) {
    if (current instanceof ApiError) return current;
    if (!(current instanceof Error)) return undefined;
    current = current.cause;
  }
  return undefined;
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : 'unknown error';
}

/** The single door: whatever was thrown, as an answer. What is not an API error becomes a 500 and stays the `cause`. */
export function fromUnknown(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const wrapped = apiErrorOf(error);
  if (wrapped !== undefined) return new ApiError(wrapped.status, { cause: error });
  const message = messageOf(error);
  const status = failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
  return new ApiError(status, { cause: error });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a Status object as received from a server. */
export function isStatus(value: unknown): value is Status {
  return (
    isRecord(value) &&
    value['kind'] === 'Status' &&
    (value['apiVersion'] === 'v1' || value['apiVersion'] === 'meta.k8s.io/v1')
  );
}

/** The error of a failure received from a server; undefined when the value is no failure Status. */
export function fromStatus(value: unknown): ApiError | undefined {
  return isStatus(value) && value.status !== 'Success' ? new ApiError(value) : undefined;
}

/** The reason of the API error this is or wraps; empty when it is none. */
export function reasonOf(error: unknown): string {
  return apiErrorOf(error)?.reason ?? '';
}

/** The cause of the given type in the API error's details. */
export function statusCause(error: unknown, reason: string): StatusCause | undefined {
  return apiErrorOf(error)?.status.details?.causes?.find((cause) => cause.reason === reason);
}

/** A code decides only where the reason is absent or unknown: proxies and old servers send bare codes. */
function hasReasonOrCode(error: unknown, reason: StatusReason, code: number): boolean {
  const found = apiErrorOf(error);
  if (found === undefined) return false;
  return found.reason === reason || (!isKnownReason(found.reason) && found.status.code === code);
}

/** 404: the object or resource does not exist. */
export function isNotFound(error: unknown): boolean {
  return hasReasonOrCode(error, 'NotFound', 404);
}

/** For `catch`: an object that is not there is undefined, every other error is thrown on. */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** 409: an object of this name exists. */
export function isAlreadyExists(error: unknown): boolean {
  return reasonOf(error) === 'AlreadyExists';
}

/** 409: the object has changed, or a precondition failed. */
export function isConflict(error: unknown): boolean {
  return hasReasonOrCode(error, 'Conflict', 409);
}

/** 422: the object is not valid. */
export function isInvalid(error: unknown): boolean {
  return hasReasonOrCode(error, 'Invalid', 422);
}

/** 410 with reason Gone or without one the API knows. */
export function isGone(error: unknown): boolean {
  return hasReasonOrCode(error, 'Gone', 410);
}

/** 410: the resourceVersion or continue token is too old. */
export function isExpired(error: unknown): boolean {
  return reasonOf(error) === 'Expired';
}

/** 400: the request itself is wrong. */
export function isBadRequest(error: unknown): boolean {
  return hasReasonOrCode(error, 'BadRequest', 400);
}

/** 401: no or bad credentials. */
export function isUnauthorized(error: unknown): boolean {
  return hasReasonOrCode(error, 'Unauthorized', 401);
}

/** 403: not allowed. */
export function isForbidden(error: unknown): boolean {
  return hasReasonOrCode(error, 'Forbidden', 403);
}

/** 405: the verb is not offered here. */
export function isMethodNotSupported(error: unknown): boolean {
  return hasReasonOrCode(error, 'MethodNotAllowed', 405);
}

/** 406: nothing the client accepts. */
export function isNotAcceptable(error: unknown): boolean {
  return hasReasonOrCode(error, 'NotAcceptable', 406);
}

/** 415: the body's media type is not understood. */
export function isUnsupportedMediaType(error: unknown): boolean {
  return hasReasonOrCode(error, 'UnsupportedMediaType', 415);
}

/** 413: the body is too large. */
export function isRequestEntityTooLarge(error: unknown): boolean {
  const found = apiErrorOf(error);
  return found !== undefined && (found.reason === 'RequestEntityTooLarge' || found.status.code === 413);
}

/** 429: try again later. */
export function isTooManyRequests(error: unknown): boolean {
  const found = apiErrorOf(error);
  return found !== undefined && (found.reason === 'TooManyRequests' || found.status.code === 429);
}

/** 504: the request may still be completing. */
export function isTimeout(error: unknown): boolean {
  return hasReasonOrCode(error, 'Timeout', 504);
}

/** 500 ServerTimeout: a transient failure, to be tried again. */
export function isServerTimeout(error: unknown): boolean {
  return reasonOf(error) === 'ServerTimeout';
}

/** 500: the server failed. */
export function isInternalError(error: unknown): boolean {
  return hasReasonOrCode(error, 'InternalError', 500);
}

/** 503: the server is not ready. */
export function isServiceUnavailable(error: unknown): boolean {
  return hasReasonOrCode(error, 'ServiceUnavailable', 503);
}

/** 504 because the resourceVersion asked for lies in the future. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  return isTimeout(error) && statusCause(error, 'ResourceVersionTooLarge') !== undefined;
}

/** 403 because the namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  return isForbidden(error) && statusCause(error, 'NamespaceTerminating') !== undefined;
}

/** The seconds the server asks the client to wait; undefined when it asks for none. */
export function retryAfterSeconds(error: unknown): number | undefined {
  const found = apiErrorOf(error);
  const seconds = found?.status.details?.retryAfterSeconds ?? 0;
  if (found?.reason === 'ServerTimeout' && found.status.details !== undefined) return seconds;
  return seconds > 0 ? seconds : undefined;
}
