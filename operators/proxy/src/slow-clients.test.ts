import { ManualClock } from '@capstan/kube/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from './testing/ask.js';
import { rawClient, sendJson, serveTls, proxyInFrontOf } from './testing/fixture.js';
import type { RawClient, Fixture } from './testing/fixture.js';

const MACHINES = '/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines';
const head = (target: string, more: string): string =>
  `POST ${target} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${more}\r\n\r\n`;

let clock: ManualClock;
let fixture: Fixture;
/** Bytes of bodies that the server got, and requests that were whole. */
let received: number;
let served: number;
beforeEach(async () => {
  clock = new ManualClock();
  received = 0;
  served = 0;
  const upstream = await serveTls((request, response) => {
    request.on('data', (chunk: Buffer) => (received += chunk.length));
    request.on('end', () => {
      served += 1;
      sendJson(response, { kind: 'Done' });
    });
  });
  fixture = await proxyInFrontOf(upstream, { clock });
});
afterEach(() => fixture.close());

/** A client whose head, and the beginning of whose body, have come. */
async function client(target: string, more: string, beginning: string): Promise<RawClient> {
  const one = rawClient(fixture.proxy.url, head(target, more) + beginning);
  await turn();
  return one;
}

/** Time for what was written to be read. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe('A body that drips', () => {
  it.each([
    ['read by ourselves', 'content-length: 100000'],
    ['read by Node', 'transfer-encoding: chunked'],
  ])('is given up after half a minute, and nothing of it done: %s', async (_, more) => {
    const one = await client(MACHINES, more, more.startsWith('content') ? '{' : '1\r\n{\r\n');
    for (let second = 0; second < 29; second += 1) {
      one.socket.write(more.startsWith('content') ? ' ' : '1\r\n \r\n');
      await clock.advance(1000);
    }
    await turn();
    expect(one.text()).toBe('');
    await clock.advance(2000);
    const answer = await one.sees(/"code":408\}\n/);
    expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(answer).toContain('the request did not come in time: its body must bring 64 KiB within 30 s, or its end');
    await one.over;
    expect([received, served]).toEqual([0, 0]);
  });

  it('is given up too once it is streamed', async () => {
    const one = await client(MACHINES, 'content-length: 400000', `{"a":"${'x'.repeat(200_000)}`);
    await until(() => received > 100_000);
    await clock.advance(31_000);
    one.socket.write('x');
    await turn();
    await clock.advance(31_000);
    expect(await one.sees(/"code":408\}\n/)).toMatch(/^HTTP\/1.1 408 /);
    expect(served).toBe(0);
  });

  it('may take as long as it needs if it comes on', async () => {
    const one = await client(MACHINES, 'content-length: 500007', '{"a":"x');
    for (let window = 0; window < 5; window += 1) {
      one.socket.write('x'.repeat(100_000));
      await turn();
      await clock.advance(30_000);
    }
    expect(await one.sees(/"kind":"Done"/)).toMatch(/^HTTP\/1.1 200 /);
    one.socket.destroy();
  });

  it('is nobody\u2019s business on its way to a pod', async () => {
    const one = await client('/api/v1/namespaces/n/services/s/proxy/x', 'content-length: 2', '1');
    await clock.advance(3_600_000);
    one.socket.write('2');
    expect(await one.sees(/"kind":"Done"/)).toMatch(/^HTTP\/1.1 200 /);
    one.socket.destroy();
  });
});

describe('Two Host headers', () => {
  it.each(['localhost', 'example.com'])('are refused: localhost and %s', async (second) => {
    const one = rawClient(fixture.proxy.url, `GET /version HTTP/1.1\r\nhost: localhost\r\nhost: ${second}\r\n\r\n`);
    const answer = await one.sees(/"code":400\}\n/);
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(answer).toContain('the request must have one Host header');
    one.socket.destroy();
  });
});
