import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpServer, RequestHandler } from './options.js';
import { serveHttp } from './serve.js';
import { testCertificates } from './testing-certificates.js';
import { fetchReply, handler, ok, open, payload, until } from './testing-client.js';

const { server: serving } = testCertificates;
const SLICE = 256 * 1024;
let running: HttpServer[] = [];

async function serve(handle: RequestHandler['handle']): Promise<HttpServer> {
  const tls = { cert: serving.cert, key: serving.key };
  const server = await serveHttp(handler(handle), { port: 0, tls });
  running.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(running.map((server) => server.close()));
  running = [];
});

/** Bytes that differ enough for a slice lost, doubled or out of place to show. */
function patterned(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(at, at);
  return bytes;
}

/** Counts the slices taken of it. */
class CountedBytes extends Uint8Array {
  taken = 0;

  override subarray(begin?: number, end?: number): Uint8Array<ArrayBuffer> {
    this.taken += 1;
    return new Uint8Array(this.buffer as ArrayBuffer).subarray(begin, end);
  }
}

describe('a large body', () => {
  it.each([
    ['of one byte more than a slice', [SLICE + 1]],
    ['of exactly four slices', [4 * SLICE]],
    ['of several pieces, large and small', [3 * SLICE + 17, 5, 0, SLICE - 1]],
  ])('%s arrives whole', async (_name, lengths) => {
    const pieces = lengths.map(patterned);
    const headers = { 'content-type': 'text/plain' };
    const server = await serve(() => ({ status: 200, headers, body: payload(...pieces) }));
    const { bytes, headers: got } = await fetchReply(server, '/a');
    expect(Number(got['content-length'])).toBe(bytes.length);
    expect(bytes.equals(Buffer.concat(pieces))).toBe(true);
  });

  it('waits for a slow reader, and others are served meanwhile', async () => {
    const slices = 200;
    const body = new CountedBytes(slices * SLICE);
    const headers = { 'content-type': 'text/plain' };
    const server = await serve(({ target }) =>
      target === '/large' ? { status: 200, headers, body: payload(body) } : ok('small'),
    );
    const response = await open(server, '/large');
    await until('the body is on its way', () => body.taken > 0);
    expect((await fetchReply(server, '/small')).text).toBe('small');
    expect(body.taken).toBeLessThan(slices);
    let size = 0;
    response.on('data', (piece: Buffer) => (size += piece.length));
    await once(response, 'end');
    expect([size, body.taken]).toEqual([body.length, slices]);
  });

  it('is given up when its reader leaves', async () => {
    const body = new CountedBytes(200 * SLICE);
    const server = await serve(() => ({ status: 200, headers: {}, body: payload(body) }));
    const response = await open(server, '/large');
    await until('the body is on its way', () => body.taken > 0);
    response.destroy();
    await server.close();
    expect(body.taken).toBeLessThan(200);
  });
});
