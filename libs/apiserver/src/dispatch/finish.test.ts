import { describe, expect, it } from 'vitest';
import { parseTarget } from '../request/request-info.js';
import { finishResponse } from './finish.js';
import { ValuePayload } from '../response/payload.js';

function finish(
  status: number,
  headers: Record<string, string>,
  warnings: string[] = [],
): ReturnType<typeof finishResponse> {
  const request = { method: 'GET', target: '/apis', headers: { 'user-agent': 'curl/8' } };
  const context = { request, info: parseTarget('GET', '/apis'), warnings, auditId: 'a', yaml: undefined };
  return finishResponse({ status, headers, body: new ValuePayload({ kind: 'X' }) }, context, () => () => undefined);
}

describe('finishing a response', () => {
  it('adds what every answer has', () => {
    expect(finish(200, { vary: 'Accept' }).headers).toEqual({
      'audit-id': 'a',
      'cache-control': 'no-cache, private',
      'content-type': 'application/json',
      vary: 'Accept',
    });
  });

  it('sends every warning once, and cuts them when they are too much together', () => {
    const shown = (...warnings: string[]): unknown => finish(200, {}, warnings).headers['warning'];
    expect(shown('a', 'b', 'a')).toEqual(['299 - "a"', '299 - "b"']);
    const whole = 'é'.repeat(4096);
    expect(shown(whole)).toEqual([`299 - "${whole}"`]);
    expect(shown(`${whole}é`, 'b')).toEqual([`299 - "${'é'.repeat(256)}"`, '299 - "b"']);
  });

  it('leaves a 304 without a body and without a content type, which would replace the one in the cache', () => {
    expect(finish(304, { etag: '"x"', 'cache-control': 'public' })).toEqual({
      status: 304,
      headers: { 'audit-id': 'a', etag: '"x"', 'cache-control': 'public' },
      body: { type: 'empty' },
    });
  });
});
