import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect, createServer as createNetServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { PassThrough, type Duplex } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { apiErrors } from '@capstan/meta';
import type { ApiResponse, StreamBody } from '@capstan/meta';
import type { HttpServer, RequestHandler } from './options.js';
import { serveHttp } from './serve.js';
import { fetchReply, handler, ok, open, rawExchange, steady, until } from './testing-client.js';

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(handle: RequestHandler['handle'], more: Partial<RequestHandler> = {}): Promise<HttpServer> {
  const server = await serveHttp({ ...handler(handle), ...more }, { port: 0, limits: { closeMs: 2_000 } });
  closers.push(() => server.close());
  return server;
}

/** A body the test feeds. */
class FedStream implements StreamBody {
  readonly type = 'stream';
  readonly pipe = new PassThrough({ highWaterMark: 64 * 1024 });
  cancelled = 0;

  read(): AsyncIterable<Uint8Array> {
    return this.pipe;
  }

  cancel(): void {
    this.cancelled += 1;
    this.pipe.destroy();
  }
}

function streamed(body: StreamBody): ApiResponse {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body };
}

describe('a body that streams', () => {
  it('sends its head at once, its pieces as they come, and its end', async () => {
    const body = new FedStream();
    const server = await serve(() => streamed(body));
    const response = await open(server, '/log');
    expect(response.headers['content-type']).toBe('text/plain');
    body.pipe.write('one\n');
    expect(String(await once(response, 'data'))).toBe('one\n');
    const [ended, more] = [once(response, 'end'), once(response, 'data')];
    body.pipe.end('two\n');
    expect(String(await more)).toBe('two\n');
    await ended;
  });

  it('waits for a client that does not read, and loses nothing', async () => {
    const body = new FedStream();
    const server = await serve(() => streamed(body));
    const response = await open(server, '/log');
    const piece = Buffer.alloc(1_000_000);
    let written = 0;
    const all = (async () => {
      for (let count = 0; count < 50; count += 1) {
        written += piece.length;
        if (!body.pipe.write(piece)) await once(body.pipe, 'drain');
      }
      body.pipe.end();
    })();
    expect(await steady('bytes written', () => written)).toBeLessThan(20_000_000);
    let size = 0;
    response.on('data', (each: Buffer) => (size += each.length));
    await Promise.all([all, once(response, 'end')]);
    expect(size).toBe(50_000_000);
  });

  it('is given up when the client leaves, when it is not wanted, and when the server closes', async () => {
    const left = new FedStream();
    const server = await serve((request) => streamed(request.target === '/left' ? left : new FedStream()));
    (await open(server, '/left')).destroy();
    await until('the body is given up', () => left.cancelled > 0);
    const head = new FedStream();
    const second = await serve(() => streamed(head));
    expect((await fetchReply(second, '/', { method: 'HEAD' })).status).toBe(200);
    expect(head.cancelled).toBe(1);
    const last = new FedStream();
    const third = await serve(() => streamed(last));
    const response = await open(third, '/');
    response.on('error', () => {});
    await third.close();
    expect(last.cancelled).toBeGreaterThan(0);
  });

  it('that breaks cuts the connection, so that the client knows', async () => {
    const body = new FedStream();
    const server = await serve(() => streamed(body));
    const response = await open(server, '/');
    body.pipe.write('half of');
    await once(response, 'data');
    const broken = new Promise<Error>((resolve) => response.on('error', resolve));
    body.pipe.destroy(new Error('lost'));
    expect((await broken).message).toBe('aborted');
  });
});

/** A far end that echoes what it receives, in capitals. */
async function shouting(): Promise<{ dial: () => Promise<Duplex>; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createNetServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (piece: Buffer) => socket.write(piece.toString().toUpperCase()));
    socket.on('end', () => socket.end('BYE'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  const dial = async (): Promise<Duplex> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    return socket;
  };
  return { dial, sockets };
}

function upgrade(
  server: HttpServer,
  path: string,
): Promise<{ response: IncomingMessage; socket?: Socket; head?: Buffer }> {
  const headers = { connection: 'Upgrade', upgrade: 'SHOUT/1' };
  const request = httpRequest({ host: '127.0.0.1', port: server.port, path, headers, method: 'POST' });
  request.end();
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => resolve({ response }));
    request.on('upgrade', (response, socket, head) => resolve({ response, socket, head }));
  });
}

describe('a request that goes on in another protocol', () => {
  async function tunnelled(): Promise<{ server: HttpServer; sockets: Set<Socket> }> {
    const { dial, sockets } = await shouting();
    const server = await serve(async ({ target }) => {
      if (target === '/refused') throw apiErrors.badRequest('no');
      const headers = { connection: 'Upgrade', upgrade: 'SHOUT/1', 'x-sender': 'the far end' };
      return { status: 101, headers, body: { type: 'upgrade', connection: await dial() } };
    });
    return { server, sockets };
  }

  it('is joined to the far end, each direction ending by itself', async () => {
    const { server, sockets } = await tunnelled();
    const { response, socket } = await upgrade(server, '/');
    expect([response.statusCode, response.headers['upgrade'], response.headers['x-sender']]).toEqual([
      101,
      'SHOUT/1',
      'the far end',
    ]);
    let received = '';
    socket?.on('data', (piece: Buffer) => (received += piece.toString()));
    socket?.write('hello ');
    await until('the far end answers', () => received === 'HELLO ');
    socket?.end('again');
    await once(socket as Socket, 'close');
    expect(received).toBe('HELLO AGAINBYE');
    await until('the far end is let go', () => sockets.size === 0);
  });

  it('takes the far end with it when the client is gone, and the client when the far end is', async () => {
    const { server, sockets } = await tunnelled();
    const first = await upgrade(server, '/');
    await until('the far end is there', () => sockets.size === 1);
    first.socket?.destroy();
    await until('the far end is let go', () => sockets.size === 0);
    const second = await upgrade(server, '/');
    await until('the far end is there', () => sockets.size === 1);
    const gone = new Promise((resolve) => second.socket?.on('close', resolve));
    second.socket?.on('error', () => {});
    for (const socket of sockets) socket.destroy();
    await gone;
  });

  it('is answered like any other when it is refused, and the connection is over', async () => {
    const { server } = await tunnelled();
    const { response } = await upgrade(server, '/refused');
    expect(response.statusCode).toBe(400);
    expect(response.headers.connection).toBe('close');
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece as Buffer);
    expect(JSON.parse(Buffer.concat(pieces).toString())).toMatchObject({ kind: 'Status', message: 'no' });
  });

  it('is cut when the server closes', async () => {
    const { server, sockets } = await tunnelled();
    const { socket } = await upgrade(server, '/');
    socket?.on('error', () => {});
    const begin = Date.now();
    await server.close();
    expect(Date.now() - begin).toBeLessThan(1_500);
    await until('the far end is let go', () => sockets.size === 0);
  });

  it('cannot be had by a request that did not ask for it', async () => {
    const { server, sockets } = await tunnelled();
    expect((await fetchReply(server, '/')).status).toBe(400);
    await until('the far end is let go', () => sockets.size === 0);
  });
});

describe('an ordinary request that would also speak another protocol', () => {
  const post = (headers: string, body: string): string =>
    `POST /x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n${headers}\r\n\r\n${body}`;

  it('is answered as what it is, with its body', async () => {
    const server = await serve(({ body }) => {
      const text = body?.type === 'bytes' ? Buffer.from(body.bytes).toString() : '';
      return ok(`${text.length} ${text.slice(-3)}`);
    });
    const long = `${'x'.repeat(200_000)}end`;
    expect(await rawExchange(server, post(`Content-Length: ${long.length}`, long))).toMatch(
      /^HTTP\/1.1 200 OK[^]*200003 end$/,
    );
    expect(await rawExchange(server, post('Content-Length: 0', ''))).toMatch(/\r\n\r\n0 $/);
    expect(await rawExchange(server, post('Content-Length: 9999999', ''))).toMatch(/^HTTP\/1.1 413 /);
    expect(await rawExchange(server, post('Transfer-Encoding: chunked', ''))).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('a request that is passed on', () => {
  it('is handed over before its body is there, however long', async () => {
    let size = 0;
    const server = await serve(
      async ({ body }) => {
        if (body?.type !== 'stream') throw new Error('no stream');
        for await (const piece of body.read()) size += piece.length;
        return { status: 200, headers: {}, body: { type: 'empty' } };
      },
      { streamsBody: (target) => target.startsWith('/pass') },
    );
    const request = httpRequest({ host: '127.0.0.1', port: server.port, path: '/pass', method: 'POST' });
    const answered = once(request, 'response');
    request.write('x');
    await until('the first byte is there', () => size === 1);
    for (let count = 0; count < 10; count += 1) request.write(Buffer.alloc(1_000_000));
    request.end();
    const [response] = (await answered) as [IncomingMessage];
    response.resume();
    expect([response.statusCode, size]).toEqual([200, 10_000_001]);
    expect((await fetchReply(server, '/other', { method: 'POST', body: Buffer.alloc(4_000_000) })).status).toBe(413);
  });
});
