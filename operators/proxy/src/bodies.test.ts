import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from './testing/ask.js';
import { bodyOf, rawClient, serveTls, proxyInFrontOf } from './testing/fixture.js';
import type { Fixture } from './testing/fixture.js';

const PAGE = '/api/v1/namespaces/n/pods/p/proxy/x';
const MACHINES = '/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines';

/** What is answered before the body has come. */
const AT_ONCE = 'x-answer-at-once';

let fixture: Fixture;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
beforeAll(async () => {
  const upstream = await serveTls((request, response) => {
    const answer = (body: Buffer): void => void response.end(`${body.length} ${body.subarray(-1).toString()}`);
    if (request.headers[AT_ONCE] === undefined) void bodyOf(request).then(answer);
    else answer(Buffer.from('!'));
  });
  fixture = await proxyInFrontOf(upstream);
});
afterAll(async () => {
  agent.destroy();
  await fixture.close();
});

describe('A body that one connection carries after another', () => {
  // Around what is sent in one piece, and around what one read of a connection brings.
  const SIZES = [1, 4_000, 65_000, 65_535, 65_536, 65_537, 66_000, 100_000, 131_072, 131_073, 200_000];
  it.each([PAGE, MACHINES])('of %s arrives whole, whatever its size', async (path) => {
    for (const size of SIZES) {
      const body = `${' '.repeat(size - 1)}1`;
      const headers = { 'content-type': 'application/json', 'content-length': String(size) };
      const answer = await ask(`${fixture.proxy.url}${path}`, { method: 'POST', body, headers, agent });
      expect([answer.status, answer.text]).toEqual([200, `${size} 1`]);
    }
  });

  it('in any number of pieces is followed by the next request', async () => {
    const head = `POST ${PAGE} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\n`;
    const text = `${head}1234a${head}1234b${head}1234c`;
    for (const size of [1, 7, head.length, head.length + 2]) {
      const client = rawClient(fixture.proxy.url, '');
      for (let at = 0; at < text.length; at += size) {
        await new Promise((sent) => client.socket.write(text.slice(at, at + size), 'latin1', sent));
        await new Promise(setImmediate);
      }
      expect((await client.sees(/5 c/)).match(/5 [abc]/g)).toEqual(['5 a', '5 b', '5 c']);
      client.socket.destroy();
    }
  });

  it('and that nobody waited for is passed over, up to the next request', async () => {
    const size = 300_000;
    const first = `POST ${PAGE} HTTP/1.1\r\nhost: localhost\r\n${AT_ONCE}: yes\r\ncontent-length: ${size}\r\n\r\n`;
    const client = rawClient(fixture.proxy.url, first);
    client.socket.write('x'.repeat(100_000));
    await client.sees(/1 !/);
    client.socket.write('x'.repeat(size - 100_000));
    client.socket.write(`POST ${PAGE} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n12`);
    expect(await client.sees(/2 2/)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*1 ![^]*HTTP\/1\.1 200 OK\r\n[^]*2 2/);
    client.socket.destroy();
  });
});
