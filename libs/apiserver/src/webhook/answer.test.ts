import { describe, expect, it } from 'vitest';
import { readAnswer } from './answer.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const answer = (status: number, contentType: string, body: string) =>
  ({ status, contentType, body: bytes(body), durationMs: 1 }) as const;

const parseError = "couldn't get version/kind; json parse error: ";
const struct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

describe('reading the answer of a webhook', () => {
  it.each([
    [500, 'text/plain', 'oh no\n', 'an error on the server ("oh no") has prevented the request from succeeding', 500],
    [
      500,
      'application/json',
      '{"a":1}',
      'an error on the server ("unknown") has prevented the request from succeeding',
      500,
    ],
    [503, 'text/plain', 'busy', 'the server is currently unable to handle the request', 503],
    [404, 'text/plain', 'x', 'the server could not find the requested resource', 404],
    [403, 'text/plain', 'no no', 'no no', 403],
    [400, 'text/plain', 'bad', 'the server rejected our request for an unknown reason', 400],
    [
      418,
      'text/plain',
      'bad',
      'the server responded with the status code 418 but did not return more information',
      418,
    ],
    [
      500,
      'application/json',
      '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"mine","code":501}',
      'mine',
      501,
    ],
    [200, 'text/html', '<html>', `${parseError}json: cannot unmarshal string into Go value of type ${struct}`, 503],
    [200, '', '[]', `${parseError}json: cannot unmarshal array into Go value of type ${struct}`, 503],
    [200, '', '{"a":', `${parseError}unexpected end of JSON input`, 503],
    [200, '', '', '0-length response with status code: 200 and content type: application/json', 503],
  ])('%i %s %s', (...[status, contentType, body, fault, code]) => {
    expect(readAnswer(answer(status, contentType, body))).toEqual({ fault, code });
  });

  it('takes any object', () => {
    expect(readAnswer(answer(200, 'text/plain', '{"a":1}'))).toEqual({ value: { a: 1 } });
  });
});
