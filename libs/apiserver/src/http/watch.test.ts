import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpLimits, HttpServer } from './options.js';
import { serveHttp } from './serve.js';
import { testCertificates } from './testing-certificates.js';
import { FedWatch, fetchReply, handler, ok, open, until } from './testing-client.js';

const TLS = { cert: testCertificates.server.cert, key: testCertificates.server.key };
const HEADERS = { 'content-type': 'application/json' };
let running: HttpServer | undefined;

interface Served {
  readonly server: HttpServer;
  readonly errors: string[];
}

async function serveWatch(
  watch: FedWatch,
  limits: Partial<HttpLimits> = {},
  scheme: 'http' | 'https' = 'https',
): Promise<Served> {
  const errors: string[] = [];
  const server = await serveHttp(
    handler((request) => (request.target === '/plain' ? ok('plain') : { status: 200, headers: HEADERS, body: watch })),
    { port: 0, tls: scheme === 'https' ? TLS : undefined, limits, onError: (error) => void errors.push(String(error)) },
  );
  running = server;
  return { server, errors };
}

function collect(response: IncomingMessage): { text: string; ended: boolean; failed: boolean } {
  const state = { text: '', ended: false, failed: false };
  response.setEncoding('utf8').on('data', (piece: string) => (state.text += piece));
  response.on('end', () => (state.ended = true));
  response.on('error', () => (state.failed = true));
  return state;
}

afterEach(async () => {
  await running?.close();
});

describe('a watch', () => {
  it('sends its head at once and every frame as it comes', async () => {
    const watch = new FedWatch();
    const { server } = await serveWatch(watch);
    const response = await open(server, '/watch');
    expect(response.headers).toMatchObject({ 'transfer-encoding': 'chunked', 'content-type': 'application/json' });
    const got = collect(response);
    watch.say('one');
    await until('the first frame arrives', () => got.text === 'one\n');
    watch.say('two');
    watch.say('three');
    await until('the next frames arrive', () => got.text === 'one\ntwo\nthree\n');
    expect(got.ended).toBe(false);
    watch.sink?.end();
    await until('the stream ends', () => got.ended);
    expect(got.failed).toBe(false);
  });

  it('writes all frames of a turn as one chunk', async () => {
    const watch = new FedWatch('a', 'b');
    const { server } = await serveWatch(watch, {}, 'http');
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (received += piece));
    socket.write('GET /watch HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the state arrives', () => received.endsWith('\r\n\r\n4\r\na\nb\n\r\n'));
    watch.say('c');
    watch.sink?.end();
    await until('the stream ends', () => received.endsWith('0\r\n\r\n'));
    expect(received.split('\r\n\r\n').slice(1).join('\r\n\r\n')).toBe('4\r\na\nb\n\r\n2\r\nc\n\r\n0\r\n\r\n');
    socket.destroy();
  });

  it('is never compressed', async () => {
    const watch = new FedWatch('x'.repeat(200_000));
    const { server } = await serveWatch(watch);
    const response = await open(server, '/watch', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(response.headers['content-encoding']).toBeUndefined();
    const got = collect(response);
    await until('the frame arrives', () => got.text.length === 200_001);
    response.destroy();
  });

  it('stops when the client leaves', async () => {
    const watch = new FedWatch();
    const { server } = await serveWatch(watch);
    const response = await open(server, '/watch');
    expect(watch.stops).toBe(0);
    response.destroy();
    await until('the watch stops', () => watch.stops > 0);
    watch.say('to nobody');
    expect((await fetchReply(server, '/plain')).text).toBe('plain');
  });

  it('that breaks cuts the connection, so that the client knows', async () => {
    const watch = new FedWatch('one');
    const { server, errors } = await serveWatch(watch);
    const response = await open(server, '/watch');
    const got = collect(response);
    await until('the state arrives', () => got.text === 'one\n');
    watch.sink?.end(new Error('history lost'));
    await until('the stream breaks', () => got.failed);
    expect(got.ended).toBe(false);
    expect(errors).toEqual(['Error: history lost']);
  });

  it('that cannot start cuts the connection and is reported', async () => {
    const watch = new FedWatch();
    watch.start = () => {
      throw new Error('no start');
    };
    const { server, errors } = await serveWatch(watch);
    const got = collect(await open(server, '/watch'));
    await until('the stream breaks', () => got.failed);
    expect(errors).toEqual(['Error: no start']);
  });

  it('asked for with HEAD is not started', async () => {
    const watch = new FedWatch('one');
    const { server } = await serveWatch(watch);
    expect(await fetchReply(server, '/watch', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(watch.sink).toBeUndefined();
    expect(watch.stops).toBeGreaterThan(0);
  });

  it('outlives the time limits for requests', async () => {
    const watch = new FedWatch();
    const { server } = await serveWatch(watch, { headersMs: 300, requestMs: 300, keepAliveMs: 300 });
    const got = collect(await open(server, '/watch'));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    watch.say('still here');
    await until('the frame arrives', () => got.text === 'still here\n');
    watch.sink?.end();
    await until('the stream ends', () => got.ended);
    expect(got.failed).toBe(false);
  });

  it('is followed by the next request on its connection', async () => {
    const watch = new FedWatch('one');
    const { server } = await serveWatch(watch);
    const socket = tlsConnect({ port: server.port, host: '127.0.0.1', ca: testCertificates.ca });
    let received = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (received += piece));
    socket.write('GET /watch HTTP/1.1\r\nHost: x\r\n\r\nGET /plain HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the state arrives', () => received.includes('one\n'));
    expect(received).not.toContain('plain');
    watch.sink?.end();
    await until('the next answer arrives', () => received.endsWith('plain'));
    socket.destroy();
  });
});

describe('a client that does not read', () => {
  const PIECE = 'x'.repeat(256 * 1024);

  async function silentClient(server: HttpServer): Promise<ReturnType<typeof tlsConnect>> {
    const socket = tlsConnect({ port: server.port, host: '127.0.0.1', ca: testCertificates.ca });
    await once(socket, 'secureConnect');
    socket.on('error', () => {});
    socket.write('GET /watch HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  }

  it('is cut once more than the limit is pending, while others go on', async () => {
    const watch = new FedWatch();
    const { server, errors } = await serveWatch(watch, { watchPendingBytes: 1024 * 1024 });
    const socket = await silentClient(server);
    await until('the watch starts', () => watch.sink !== undefined);
    // The kernel's buffers take some first; the loop is bounded by the failure of the last expectation.
    for (let at = 0; at < 200 && watch.stops === 0; at += 1) {
      watch.say(PIECE);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(watch.stops).toBeGreaterThan(0);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^SlowWatcher: the watcher was cut: it left \d+ bytes unread$/);
    expect((await fetchReply(server, '/plain')).text).toBe('plain');
    socket.destroy();
  });

  it('may take its time over a state larger than the limit', async () => {
    const state = Array.from({ length: 100 }, () => PIECE);
    const watch = new FedWatch(...state);
    const { server, errors } = await serveWatch(watch, { watchPendingBytes: 1024 * 1024 });
    const socket = await silentClient(server);
    await until('the watch starts', () => watch.sink !== undefined);
    watch.say('live');
    await new Promise((resolve) => setTimeout(resolve, 100));
    let size = 0;
    let last = '';
    socket.on('data', (piece: Buffer) => {
      size += piece.length;
      last = piece.toString('latin1');
    });
    await until('all of it arrives', () => last.includes('live\n'));
    expect(size).toBeGreaterThan(100 * PIECE.length);
    expect(errors).toEqual([]);
    expect(watch.stops).toBe(0);
    socket.destroy();
  });
});
