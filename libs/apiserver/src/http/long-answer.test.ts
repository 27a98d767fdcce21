import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { ApiResponse, PayloadBody } from '@capstan/meta';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpLimits, HttpServer } from './options.js';
import { serveHttp } from './serve.js';
import { FedWatch, fetchReply, handler, ok, open, rawExchange, until } from './testing-client.js';
import { ANSWER_WINDOW_BYTES } from './traffic.js';

const PIECE = 128 * 1024;
const HEADERS = { 'content-type': 'application/json' };
let running: HttpServer | undefined;

afterEach(async () => {
  await running?.close();
});

/** A body that is made while it is sent, and knows how much of it was. */
class Made implements PayloadBody {
  readonly type = 'payload';
  readonly #count: number;
  readonly #failsAt: number;
  made = 0;
  isLeft = false;

  constructor(count: number, failsAt = Infinity) {
    this.#count = count;
    this.#failsAt = failsAt;
  }

  *pieces(): Generator<Uint8Array, void> {
    try {
      for (let at = 0; at < this.#count; at += 1) {
        // Work that has given no bytes yet.
        yield new Uint8Array(0);
        if (at === this.#failsAt) throw new Error('cannot be shown');
        this.made += 1;
        yield Buffer.alloc(PIECE, 97 + (at % 26));
      }
    } finally {
      this.isLeft = this.made < this.#count;
    }
  }

  chunks(): readonly Uint8Array[] {
    return [...this.pieces()];
  }

  value(): unknown {
    return undefined;
  }
}

type Answer = (target: string) => ApiResponse;

async function serve(
  answer: Answer,
  limits: Partial<HttpLimits> = {},
): Promise<{ server: HttpServer; errors: string[] }> {
  const errors: string[] = [];
  const server = await serveHttp(
    handler(({ target }) => answer(target)),
    { port: 0, limits: { closeMs: 50, ...limits }, onError: (error) => void errors.push(String(error)) },
  );
  running = server;
  return { server, errors };
}

const listing = (body: PayloadBody): ApiResponse => ({ status: 200, headers: HEADERS, body });

/** Asks and reads nothing. */
async function stalled(server: HttpServer, target: string, method = 'GET'): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

function shown(server: HttpServer, name: string): number {
  const lines: string[] = [];
  for (const family of server.metrics) family.render(lines);
  return Number(lines.find((line) => line.startsWith(`capstan_apiserver_${name} `))?.split(' ')[1] ?? 0);
}

describe('a body that is made while it is sent', () => {
  it('arrives whole, in chunks where it is long and with its length where it is not', async () => {
    const { server } = await serve((target) => listing(new Made(Number(target.slice(1)))));
    const long = await fetchReply(server, '/40');
    expect(long.headers['transfer-encoding']).toBe('chunked');
    expect(long.bytes.equals(Buffer.concat(new Made(40).chunks()))).toBe(true);
    const short = await fetchReply(server, '/1');
    expect([short.headers['content-length'], short.bytes.length]).toEqual([String(PIECE), PIECE]);
    const none = await fetchReply(server, '/0');
    expect([none.status, none.headers['content-length']]).toEqual([200, '0']);
  });

  it('is compressed on its way', async () => {
    const { server } = await serve(() => listing(new Made(40)));
    const reply = await fetchReply(server, '/', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(reply.bytes).equals(Buffer.concat(new Made(40).chunks()))).toBe(true);
  });

  it('is not made when only its head is asked for', async () => {
    const body = new Made(40);
    const { server } = await serve(() => listing(body));
    expect(await fetchReply(server, '/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(body.made).toBeLessThan(3);
  });

  it.each([
    ['as a whole before it began', 0, 500],
    ['by a cut when it has begun', 30, 'cut'],
  ] as const)('fails %s', async (_name, failsAt, outcome) => {
    const { server, errors } = await serve(() => listing(new Made(40, failsAt)));
    const result = await fetchReply(server, '/').then(
      ({ status }) => status,
      () => 'cut',
    );
    expect(result).toBe(outcome);
    expect(errors).toEqual(['Error: cannot be shown']);
  });
});

describe('readers that take nothing', () => {
  it('hold a piece each, and nothing once they are gone', async () => {
    const bodies: Made[] = [];
    const { server } = await serve(() => {
      const body = new Made(800);
      bodies.push(body);
      return listing(body);
    });
    const sockets = await Promise.all(Array.from({ length: 5 }, () => stalled(server, '/')));
    await until('all have begun', () => bodies.length === 5 && bodies.every(({ made }) => made > 2));
    await until('no more is made', () => shown(server, 'response_bytes_in_flight') === 5 * ANSWER_WINDOW_BYTES);
    for (const { made } of bodies) expect(made).toBeLessThan(400);
    for (const socket of sockets) socket.destroy();
    await until('nothing is held', () => shown(server, 'response_bytes_in_flight') === 0);
  });

  it.each([
    ['when the time of their request is over', '/', 400],
    ['when the time is over that they gave themselves', '/?timeout=400ms', 60_000],
  ])('are cut %s', async (_name, target, requestMs) => {
    const body = new Made(800);
    const { server, errors } = await serve(() => listing(body), { requestMs, watchStallMs: 400 });
    await stalled(server, target);
    await until('the reader is cut', () => errors.length > 0);
    expect(errors[0]).toMatch(/^StalledReader: the connection was cut: the request was not over after \d+ ms$/);
    await until('nothing is held', () => shown(server, 'response_bytes_in_flight') === 0);
    expect(body.made).toBeLessThan(800);
  });

  it('of short answers are cut as well', async () => {
    const { server, errors } = await serve(() => ok('x'.repeat(200_000)), { requestMs: 400 });
    const socket = await stalled(server, '/');
    // As many as the sockets of both sides do not hold.
    for (let at = 0; at < 200; at += 1) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the reader is cut', () => errors.length > 0);
  });

  it('make others wait for room, and one that gets none in time is answered with 429', async () => {
    const limits = { responseBytesInFlight: 3 * ANSWER_WINDOW_BYTES, responseWaitMs: 200 };
    const { server } = await serve((target) => (target === '/short' ? ok('short') : listing(new Made(800))), limits);
    const sockets = await Promise.all(Array.from({ length: 3 }, () => stalled(server, '/')));
    await until('there is no more room', () => shown(server, 'response_bytes_in_flight') === 3 * ANSWER_WINDOW_BYTES);
    const refused = await fetchReply(server, '/');
    expect(refused).toMatchObject({ status: 429, text: 'Too many requests, please try again later.\n' });
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'content-type': 'text/plain; charset=utf-8' });
    expect(shown(server, 'responses_refused_total')).toBe(1);
    expect((await fetchReply(server, '/short')).text).toBe('short');
    const waiting = fetchReply(server, '/');
    sockets[0]?.destroy();
    expect((await waiting).bytes.length).toBe(800 * PIECE);
  });

  it('do not keep the answer to a write from its client', async () => {
    const limits = { responseBytesInFlight: ANSWER_WINDOW_BYTES, responseWaitMs: 50 };
    const { server } = await serve(() => listing(new Made(800)), limits);
    await stalled(server, '/');
    await until('there is no more room', () => shown(server, 'response_bytes_in_flight') === ANSWER_WINDOW_BYTES);
    expect(await fetchReply(server, '/', { method: 'DELETE' })).toMatchObject({ status: 200 });
  });
});

describe('a watcher that takes nothing', () => {
  it('holds what was there before unencoded, and is cut in the end', async () => {
    let encoded = 0;
    const frame = {
      type: 'ADDED',
      object: () => undefined,
      bytes: () => {
        encoded += 1;
        return Buffer.alloc(PIECE);
      },
    } as const;
    const watch = new FedWatch();
    watch.start = (sink) => {
      for (let at = 0; at < 800; at += 1) sink.frame(frame, true);
    };
    const { server, errors } = await serve(() => ({ status: 200, headers: HEADERS, body: watch }), {
      watchStallMs: 300,
    });
    await stalled(server, '/');
    await until('the watcher is cut', () => errors.length > 0);
    expect(errors[0]).toMatch(/^StalledWatcher: the watcher was cut: it took nothing for \d+ ms$/);
    expect(encoded).toBeLessThan(400);
    expect(watch.stops).toBeGreaterThan(0);
  });

  it('is left alone while there is nothing for it', async () => {
    const watch = new FedWatch('one');
    const { server, errors } = await serve(() => ({ status: 200, headers: HEADERS, body: watch }), {
      watchStallMs: 100,
    });
    const response = await open(server, '/');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect([errors, watch.stops]).toEqual([[], 0]);
    response.destroy();
  });
});

describe('a request that drips', () => {
  const LATE =
    '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout",' +
    '"reason":"Timeout","details":{},"code":504}\n';

  it.each([
    ['', ''],
    ['that asks for another protocol ', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'],
  ])('%sis answered when its time is over', async (_name, more) => {
    const { server } = await serve(() => ok('never'), { requestMs: 300 });
    const head = `POST / HTTP/1.1\r\nHost: x\r\n${more}Content-Length: 100\r\n\r\n`;
    const received = await rawExchange(server, `${head}begun`);
    expect(received).toMatch(/^HTTP\/1\.1 504 Gateway Timeout\r\n/);
    expect(received.endsWith(LATE)).toBe(true);
  });

  it('in its head is answered when the time for that is over', async () => {
    const { server } = await serve(() => ok('never'), { headersMs: 200 });
    expect(await rawExchange(server, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: a')).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('Host headers', () => {
  it.each([
    ['two', 'Host: a\r\nHost: b\r\n', '400 Bad Request'],
    ['two alike', 'Host: a\r\nhOST: a\r\n', '400 Bad Request'],
    ['none', '', '400 Bad Request: missing required Host header'],
    ['one that is none', 'Host: a/b\r\n', '400 Bad Request: malformed Host header'],
    ['one with a space', 'Host: a b\r\n', '400 Bad Request: malformed Host header'],
  ])('%s: refused in the words of the real server', async (_name, headers, text) => {
    const { server } = await serve(() => ok('never'));
    const received = await rawExchange(server, `GET / HTTP/1.1\r\n${headers}\r\n`);
    expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(received.endsWith(`\r\n\r\n${text}`)).toBe(true);
  });

  it.each(['[::1]:6443', 'a.b_c~d', '', "%21!$&'()*+,;="])('%s is taken', async (host) => {
    const { server } = await serve(() => ok('taken'));
    expect(await rawExchange(server, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toContain(
      'taken',
    );
  });
});

/** A list that was converted for one reader. */
class Converted extends Made {
  readonly ownBytes = 10 * PIECE;
}

describe('answers that were made for one reader alone', () => {
  it('count as long as they wait, and are refused at once where there is no room next to others', async () => {
    const limits = { responseBytesInFlight: 25 * PIECE, responseWaitMs: 60_000 };
    const { server } = await serve(() => listing(new Converted(100)), limits);
    const readers = [await stalled(server, '/a'), await stalled(server, '/b')];
    const inFlight = (): number => {
      const lines: string[] = [];
      for (const family of server.metrics) family.render(lines);
      const line = lines.find((each) => each.startsWith('capstan_apiserver_response_bytes_in_flight'));
      return Number(line?.split(' ').at(-1));
    };
    await until('both are counted', () => inFlight() >= 20 * PIECE);
    expect(await fetchReply(server, '/c')).toMatchObject({ status: 429 });
    for (const reader of readers) reader.destroy();
    await until('nothing is counted', () => inFlight() === 0);
    expect(await fetchReply(server, '/d')).toMatchObject({ status: 200 });
  });

  it('are let through alone, however large', async () => {
    const { server } = await serve(() => listing(new Converted(20)), { responseBytesInFlight: 5 * PIECE });
    expect((await fetchReply(server, '/')).bytes).toHaveLength(20 * PIECE);
  });
});
