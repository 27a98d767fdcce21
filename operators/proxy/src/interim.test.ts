import { afterEach, describe, expect, it } from 'vitest';
import { rawClient, serveRaw, proxyInFrontOf } from './testing/fixture.js';
import type { Fixture } from './testing/fixture.js';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\nconnection: x-hop\r\nx-hop: 1\r\n\r\n';

let fixture: Fixture | undefined;
afterEach(() => fixture?.close());

/** What a client receives of a server that answers this. */
async function received(answer: string, fields = '', readsPlainRequests = true): Promise<string> {
  const upstream = await serveRaw((socket) => socket.once('data', () => socket.write(answer)));
  fixture = await proxyInFrontOf(upstream, { readsPlainRequests });
  const client = rawClient(fixture.proxy.url, `GET /version HTTP/1.1\r\nhost: localhost\r\n${fields}\r\n`);
  const text = await client.sees(/\{\}$/);
  client.socket.destroy();
  return text;
}

describe('An interim response', () => {
  it.each([true, false])(
    'of hints is passed on before the answer, without what is of the connection (%s)',
    async (isOurs) => {
      const text = await received(HINTS + ANSWER, '', isOurs);
      expect(text.toLowerCase()).toMatch(
        /^http\/1\.1 103 early hints\r\nlink: <\/a>; rel=preload\r\n\r\nhttp\/1\.1 200 ok\r\n/,
      );
    },
  );

  it('that comes more than once is passed on each time', async () => {
    const text = await received(`HTTP/1.1 102 Processing\r\n\r\n${HINTS}${HINTS}${ANSWER}`);
    expect(text.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 102', 'HTTP/1.1 103', 'HTTP/1.1 103', 'HTTP/1.1 200']);
  });

  it('of status 100 is not passed on to a client that does not wait for it', async () => {
    expect(await received(`HTTP/1.1 100 Continue\r\n\r\n${ANSWER}`)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('is not taken for the answer when nothing follows', async () => {
    const upstream = await serveRaw((socket) => socket.once('data', () => socket.end(HINTS)));
    fixture = await proxyInFrontOf(upstream);
    const client = rawClient(fixture.proxy.url, 'GET /version HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(await client.sees(/"code":502/)).toMatch(/\r\n\r\nHTTP\/1\.1 502 Bad Gateway\r\n/);
    client.socket.destroy();
  });
});
