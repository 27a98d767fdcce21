import { describe, expect, it } from 'vitest';
import {
  ApiError,
  apiErrorOf,
  fromStatus,
  fromUnknown,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNamespaceTerminating,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
  reasonOf,
  retryAfterSeconds,
  statusCause,
} from './api-error.js';
import { apiErrors as errors } from './catalogue.js';
import { failure, type StatusReason } from './status.js';

const pods = { group: '', resource: 'pods' };

type Predicate = (error: unknown) => boolean;

/** By reason; the code alone decides only where true. */
const table: readonly (readonly [Predicate, StatusReason, number, boolean])[] = [
  [isNotFound, 'NotFound', 404, true],
  [isAlreadyExists, 'AlreadyExists', 409, false],
  [isConflict, 'Conflict', 409, true],
  [isInvalid, 'Invalid', 422, true],
  [isGone, 'Gone', 410, true],
  [isExpired, 'Expired', 410, false],
  [isBadRequest, 'BadRequest', 400, true],
  [isUnauthorized, 'Unauthorized', 401, true],
  [isForbidden, 'Forbidden', 403, true],
  [isMethodNotSupported, 'MethodNotAllowed', 405, true],
  [isNotAcceptable, 'NotAcceptable', 406, true],
  [isUnsupportedMediaType, 'UnsupportedMediaType', 415, true],
  [isRequestEntityTooLarge, 'RequestEntityTooLarge', 413, true],
  [isTooManyRequests, 'TooManyRequests', 429, true],
  [isTimeout, 'Timeout', 504, true],
  [isServerTimeout, 'ServerTimeout', 500, false],
  [isInternalError, 'InternalError', 500, true],
  [isServiceUnavailable, 'ServiceUnavailable', 503, true],
];

describe('predicates', () => {
  it.each(table)('%o goes by the reason %s, wrapped or not', (is, reason, code, byCode) => {
    const error = new ApiError(failure(code, reason, 'm'));
    expect(is(error)).toBe(true);
    expect(is(new Error('outer', { cause: new Error('middle', { cause: error }) }))).toBe(true);
    expect(is(new ApiError(failure(code, '', 'm')))).toBe(byCode);
    expect(is(new ApiError(failure(code, 'Made-up', 'm')))).toBe(byCode);
    expect(is(new ApiError(failure(200, 'Teapot', 'm')))).toBe(false);
    expect(is(new Error('m'))).toBe(false);
    expect(is(undefined)).toBe(false);
    for (const [other, otherReason, otherCode] of table) {
      if (other !== is) expect([other, is(new ApiError(failure(otherCode, otherReason, 'm')))]).toEqual([other, false]);
    }
  });

  it('know a future resourceVersion and a terminating namespace by their causes', () => {
    expect(isTooLargeResourceVersion(errors.tooLargeResourceVersion(9, 1))).toBe(true);
    expect(isTooLargeResourceVersion(errors.timeout('x'))).toBe(false);
    expect(isNamespaceTerminating(errors.namespaceTerminating(pods, 'x', 'n'))).toBe(true);
    expect(isNamespaceTerminating(errors.forbidden(pods, 'x', 'no'))).toBe(false);
  });

  it('do not loop on a cycle of causes', () => {
    const error = new Error('a');
    error.cause = error;
    expect(apiErrorOf(error)).toBeUndefined();
  });
});

describe('the single door', () => {
  it('lets an API error through as it is', () => {
    const error = errors.notFound(pods, 'x');
    expect(fromUnknown(error)).toBe(error);
  });

  it('answers for a wrapped API error and keeps the wrapper', () => {
    const outer = new Error('outer', { cause: errors.notFound(pods, 'x') });
    const error = fromUnknown(outer);
    expect(error.status).toEqual(errors.notFound(pods, 'x').status);
    expect(error.cause).toBe(outer);
  });

  it.each([
    [new TypeError('boom'), 'boom'],
    ['thrown text', 'thrown text'],
    [undefined, 'unknown error'],
    [{ secret: 1 }, 'unknown error'],
  ])('makes %o a 500 and keeps it as the cause', (thrown, message) => {
    const error = fromUnknown(thrown);
    expect(JSON.stringify(error.status)).toBe(
      `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Internal error occurred: ${message}","reason":"InternalError","details":{"causes":[{"message":"${message}"}]},"code":500}`,
    );
    expect(error.cause).toBe(thrown);
  });
});

describe('a received Status', () => {
  it('becomes an error with its code and reason', () => {
    const error = fromStatus(JSON.parse(JSON.stringify(errors.expiredList().status)));
    expect([error?.code, error?.reason, error?.message]).toEqual([
      410,
      'Expired',
      'The resourceVersion for the provided list is too old.',
    ]);
  });

  it.each([
    [{ kind: 'Pod', apiVersion: 'v1' }],
    [{ kind: 'Status', apiVersion: 'v2', status: 'Failure' }],
    [{ kind: 'Status', apiVersion: 'v1', status: 'Success' }],
    [null],
    [[]],
  ])('is distinguished from %j', (value) => {
    expect(fromStatus(value)).toBeUndefined();
  });

  it('returns how long to wait', () => {
    expect(retryAfterSeconds(errors.tooManyRequests('m', 5))).toBe(5);
    expect(retryAfterSeconds(errors.serverTimeout(pods, 'get', 0))).toBe(0);
    expect(retryAfterSeconds(errors.notFound(pods, 'x'))).toBeUndefined();
    expect(retryAfterSeconds(new Error('x'))).toBeUndefined();
  });

  it('gives its reason and causes', () => {
    expect(reasonOf(errors.notFound(pods, 'x'))).toBe('NotFound');
    expect(reasonOf(new Error('x'))).toBe('');
    expect(statusCause(errors.tooLargeResourceVersion(9, 1), 'ResourceVersionTooLarge')?.message).toBe(
      'Too large resource version',
    );
    expect(new ApiError({ ...errors.expiredList().status, code: undefined } as never).code).toBe(500);
  });
});
