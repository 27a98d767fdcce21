import { ManualClock } from '@capstan/kube/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../testing/ask.js';
import { rawClient, serveTls, proxyInFrontOf } from '../testing/fixture.js';
import type { RawClient, Fixture } from '../testing/fixture.js';

const GET = 'GET /version HTTP/1.1\r\nhost: localhost\r\n\r\n';
const ANSWERED = /\r\n\r\n\{\}$/;

let clock: ManualClock;
let fixture: Fixture;
let asked: number;
let answer: () => void;
beforeEach(async () => {
  clock = new ManualClock();
  asked = 0;
  const upstream = await serveTls((_request, response) => {
    asked += 1;
    answer = () => void response.end('{}');
    if (asked === 1) answer();
  });
  fixture = await proxyInFrontOf(upstream, { clock, responseTimeoutMs: 1_000_000 });
});
afterEach(() => fixture.close());

/** A client whose first request was answered. */
async function client(): Promise<RawClient> {
  const one = rawClient(fixture.proxy.url, GET);
  await one.sees(ANSWERED);
  return one;
}

describe('A connection', () => {
  it('on which nothing is asked in time is answered with 408, and closed', async () => {
    const silent = rawClient(fixture.proxy.url, '');
    await new Promise((resolve) => silent.socket.once('connect', resolve));
    // The proxy has taken the connection once it answers on another.
    await client();
    await clock.advance(66_000);
    expect(await silent.sees(/"code":408/)).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(await silent.over).toBe('ended');
  });

  it('that rests is kept for longer than clients keep theirs, then ended without a word', async () => {
    const one = await client();
    await clock.advance(125_000);
    one.socket.write(GET);
    await until(() => asked === 2);
    answer();
    await one.sees(/\{\}[^]*\r\n\r\n\{\}$/);
    await clock.advance(136_000);
    await one.over;
    expect(one.text().match(/HTTP\/1\.1 200 OK\r\n/g)).toHaveLength(2);
  });

  it('whose request is under way is not ended, however long that takes', async () => {
    const one = await client();
    one.socket.write(GET);
    await until(() => asked === 2);
    await clock.advance(500_000);
    answer();
    expect(await one.sees(/\{\}[^]*\r\n\r\n\{\}$/)).toMatch(/^HTTP/);
    one.socket.destroy();
  });
});
