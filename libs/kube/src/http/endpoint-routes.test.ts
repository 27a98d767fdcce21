import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { EndpointServer } from './endpoint-server.js';

const logger = { debug() {}, info() {}, warn() {}, error() {}, with: () => logger } as never;

async function answerTo(request: string): Promise<string> {
  const server = new EndpointServer({ name: 'x', port: 0, logger, maxBodyBytes: 100 });
  server.route('/a', () => ({ status: 200, body: 'a' }));
  server.route('/a/b', ({ path }) => ({ status: 200, body: `b ${path}` }));
  const stop = new AbortController();
  const running = server.run(stop.signal);
  const { hostname, port } = new URL(await server.ready());
  const socket = connect(Number(port), hostname);
  socket.write(request);
  try {
    return await text(socket);
  } finally {
    stop.abort();
    await running;
  }
}

function head(path: string, more: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n\r\n`;
}

describe('a server of endpoints', () => {
  it.each([
    ['a body that is too large', head('/a', 'Content-Length: 101') + 'x'.repeat(101), /^HTTP\/1.1 413 /],
    ['a path below a route', head('/a/b/c', 'Content-Length: 0\r\nConnection: close'), /b \/a\/b\/c/],
    ['a path that extends a route', head('/a/bc', 'Content-Length: 0\r\nConnection: close'), /\r\n\r\na$|\na\r\n/],
    ['a path of none', head('/b', 'Content-Length: 0\r\nConnection: close'), /^HTTP\/1.1 404 /],
  ])('answers %s', async (_name, request, answer) => {
    expect(await answerTo(request)).toMatch(answer);
  });
});
