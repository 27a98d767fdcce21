import { describe, expect, it } from 'vitest';
import { ApiError } from './api-error.js';
import { apiErrors as errors } from './catalogue.js';
import * as definitions from './request-errors.js';

const widgets = { group: 'example.com', resource: 'widgets' };
const configmaps = { group: '', resource: 'configmaps' };
const x = { name: 'x', group: 'example.com', kind: 'widgets' };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const inconsistent =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** The body of a failure as the server sends it, its fields in wire order. */
function body(code: number, reason: string, message: string, details?: object): string {
  return JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}

const requestRows: readonly (readonly [keyof typeof errors, ApiError, string])[] = [
  ['badRequest', errors.badRequest('limit'), body(400, 'BadRequest', 'limit')],
  [
    'cannotBeHandledAs',
    errors.cannotBeHandledAs('Foo', 'v1', 'ConfigMap', 'why'),
    body(400, 'BadRequest', 'Foo in version "v1" cannot be handled as a ConfigMap: why'),
  ],
  [
    'strictDecoding',
    errors.strictDecoding('Widget', 'v1', 'Widget', ['unknown field "spec.y"', 'unknown field "spec.z"']),
    body(
      400,
      'BadRequest',
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.y", unknown field "spec.z"',
    ),
  ],
  [
    'unrecognizedObject',
    errors.unrecognizedObject(
      'ConfigMap',
      "couldn't get version/kind; json parse error: unexpected end of JSON input",
      bytes('{"a":'),
    ),
    body(
      400,
      'BadRequest',
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"a":)',
    ),
  ],
  [
    'unrecognizedObject',
    errors.unrecognizedObject(
      'Widget',
      'unexpected GroupVersion string: a/b/c',
      bytes('{"apiVersion": "a/b/c", "kind": "ConfigMap"}'),
    ),
    body(
      400,
      'BadRequest',
      'the object provided is unrecognized (must be of type Widget): unexpected GroupVersion string: a/b/c ({"apiVersion": "a/b/c", "kind" ...)',
    ),
  ],
  [
    'unrecognizedObject',
    errors.unrecognizedObject('Widget', 'why', bytes('[1]')),
    body(400, 'BadRequest', 'the object provided is unrecognized (must be of type Widget): why (5b315d)'),
  ],
  [
    'unrecognizedObject',
    errors.unrecognizedObject('Widget', 'why', bytes('')),
    body(400, 'BadRequest', 'the object provided is unrecognized (must be of type Widget): why (<empty>)'),
  ],
  [
    'apiVersionMismatch',
    errors.apiVersionMismatch('example.com/v2', 'example.com/v1'),
    body(
      400,
      'BadRequest',
      'the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)',
    ),
  ],
  [
    'nameMismatch',
    errors.nameMismatch('q', 'c'),
    body(400, 'BadRequest', 'the name of the object (q) does not match the name on the URL (c)'),
  ],
  [
    'namespaceMismatch',
    errors.namespaceMismatch(),
    body(400, 'BadRequest', 'the namespace of the provided object does not match the namespace sent on the request'),
  ],
  [
    'unsupportedFieldLabel',
    errors.unsupportedFieldLabel('spec.x'),
    body(400, 'BadRequest', 'field label not supported: spec.x'),
  ],
  [
    'unknownFieldSelector',
    errors.unknownFieldSelector('spec.x'),
    body(400, 'BadRequest', '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"'),
  ],
  ['unauthorized', errors.unauthorized(), body(401, 'Unauthorized', 'Unauthorized')],
  [
    'resourceNotServed',
    errors.resourceNotServed(),
    body(404, 'NotFound', 'the server could not find the requested resource', {}),
  ],
  [
    'methodNotAllowed',
    errors.methodNotAllowed(),
    body(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),
  ],
  [
    'methodNotSupported',
    errors.methodNotSupported(widgets, 'update'),
    body(405, 'MethodNotAllowed', 'update is not supported on resources of kind "widgets.example.com"', {
      group: 'example.com',
      kind: 'widgets',
    }),
  ],
  [
    'notAcceptable',
    errors.notAcceptable(['application/json', 'application/yaml']),
    body(406, 'NotAcceptable', 'only the following media types are accepted: application/json, application/yaml'),
  ],
  [
    'notAcceptableConversion',
    errors.notAcceptableConversion('meta.k8s.io/v1, Kind=Table', ['application/json']),
    body(
      406,
      'NotAcceptable',
      'only the following media types are accepted when converting to meta.k8s.io/v1, Kind=Table: application/json',
    ),
  ],
  [
    'notAcceptableRoute',
    errors.notAcceptableRoute(['application/json', 'application/json;stream=watch']),
    body(
      406,
      'NotAcceptable',
      '406: Not Acceptable\n\nAvailable representations: application/json, application/json;stream=watch',
      {},
    ),
  ],
  [
    'unsupportedMediaType',
    errors.unsupportedMediaType(['application/json', 'application/yaml']),
    body(
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
    ),
  ],
  [
    'unsupportedMediaTypeRoute',
    errors.unsupportedMediaTypeRoute(),
    body(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {}),
  ],
  [
    'requestEntityTooLarge',
    errors.requestEntityTooLarge('why'),
    body(413, 'RequestEntityTooLarge', 'Request entity too large: why'),
  ],
  [
    'bodyTooLarge',
    errors.bodyTooLarge(3145728),
    body(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'),
  ],
  [
    'tooManyPatchOperations',
    errors.tooManyPatchOperations(10000, 10001),
    body(
      413,
      'RequestEntityTooLarge',
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ),
  ],
  [
    'patchRejected',
    errors.patchRejected(),
    body(422, 'Invalid', 'the server rejected our request due to an error in our request', {}),
  ],
  ['gone', errors.gone('why'), body(410, 'Gone', 'why')],
  ['expired', errors.expired('why'), body(410, 'Expired', 'why')],
  ['expiredList', errors.expiredList(), body(410, 'Expired', 'The resourceVersion for the provided list is too old.')],
  ['expiredWatch', errors.expiredWatch(5, 9n), body(410, 'Expired', 'too old resource version: 5 (9)')],
  [
    'expiredContinue',
    errors.expiredContinue(),
    body(
      410,
      'Expired',
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
    ),
  ],
  [
    'expiredContinue',
    errors.expiredContinue('tok'),
    body(410, 'Expired', inconsistent).replace('"metadata":{}', '"metadata":{"continue":"tok"}'),
  ],
  ['timeout', errors.timeout('why'), body(504, 'Timeout', 'Timeout: why', {})],
  [
    'requestTimeout',
    errors.requestTimeout(),
    body(504, 'Timeout', 'Timeout: request did not complete within the allotted timeout', {}),
  ],
  [
    'tooLargeResourceVersion',
    errors.tooLargeResourceVersion('99999999999', 295),
    body(504, 'Timeout', 'Timeout: Too large resource version: 99999999999, current: 295', {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    }),
  ],
  [
    'serverTimeout',
    errors.serverTimeout(widgets, 'get', 2),
    body(
      500,
      'ServerTimeout',
      'The get operation against widgets.example.com could not be completed at this time, please try again.',
      { name: 'get', group: 'example.com', kind: 'widgets', retryAfterSeconds: 2 },
    ),
  ],
  [
    'tooManyRequests',
    errors.tooManyRequests('later', 5),
    body(429, 'TooManyRequests', 'later', { retryAfterSeconds: 5 }),
  ],
  [
    'internal',
    errors.internal('boom'),
    body(500, 'InternalError', 'Internal error occurred: boom', { causes: [{ message: 'boom' }] }),
  ],
  ['serviceUnavailable', errors.serviceUnavailable('no'), body(503, 'ServiceUnavailable', 'no')],
];

const generic: readonly (readonly [keyof typeof errors, ApiError, string])[] = [
  [
    'genericServerResponse',
    errors.genericServerResponse(500, {
      verb: 'GET',
      resource: widgets,
      name: 'x',
      serverMessage: 'oh',
      unexpected: true,
    }),
    body(
      500,
      'InternalError',
      'an error on the server ("oh") has prevented the request from succeeding (get widgets.example.com x)',
      {
        ...x,
        causes: [{ reason: 'UnexpectedServerResponse', message: 'oh' }],
      },
    ),
  ],
  [
    'genericServerResponse',
    errors.genericServerResponse(409, { verb: 'POST', resource: configmaps }),
    body(409, 'AlreadyExists', 'the server reported a conflict (post configmaps)', { kind: 'configmaps' }),
  ],
  [
    'genericServerResponse',
    errors.genericServerResponse(409, { verb: 'PUT' }),
    body(409, 'Conflict', 'the server reported a conflict', {}),
  ],
  [
    'genericServerResponse',
    errors.genericServerResponse(403, { serverMessage: 'no' }),
    body(403, 'Forbidden', 'no', {}),
  ],
  [
    'genericServerResponse',
    errors.genericServerResponse(406, { serverMessage: 'unknown' }),
    body(406, 'NotAcceptable', 'the server was unable to respond with a content type that the client supports', {}),
  ],
  [
    'genericServerResponse',
    errors.genericServerResponse(418),
    body(418, '', 'the server responded with the status code 418 but did not return more information', {}),
  ],
  [
    'genericServerResponse',
    errors.genericServerResponse(429, { retryAfterSeconds: 3 }),
    body(429, 'TooManyRequests', 'the server has received too many requests and has asked us to try again later', {
      retryAfterSeconds: 3,
    }),
  ],
];

const rows = [...requestRows, ...generic];

describe('the catalogue of answers about requests', () => {
  it.each(rows)('%s is sent byte for byte as the server sends it', (_row, error, expected) => {
    expect(JSON.stringify(error.status)).toBe(expected);
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toBe(error.status.message);
  });

  it('has a whole body asserted for every row', () => {
    const defined = Object.keys(definitions).filter((name) => Object.hasOwn(errors, name));
    expect([...new Set(rows.map(([row]) => row))].sort()).toEqual(defined.sort());
  });
});
