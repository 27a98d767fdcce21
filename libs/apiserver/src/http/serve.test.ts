import { gunzipSync } from 'node:zlib';
import { Agent } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import { apiErrors } from '@capstan/meta';
import type { ApiRequest, UserInfo } from '@capstan/meta';
import { ConnectionLost } from '../faults/faults.js';
import type { HttpOptions, HttpServer, RequestHandler } from './options.js';
import { serveHttp } from './serve.js';
import { testCertificates } from './testing-certificates.js';
import { fetchReply, handler, ok, payload, rawExchange, until } from './testing-client.js';

const { ca, server: serving, alice, stranger } = testCertificates;
const TLS = { cert: serving.cert, key: serving.key };
let running: HttpServer[] = [];

async function serve(handle: RequestHandler['handle'], options: Partial<HttpOptions> = {}): Promise<HttpServer> {
  const server = await serveHttp(handler(handle), { port: 0, ...options });
  running.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(running.map((server) => server.close()));
  running = [];
});

describe('requests', () => {
  it('reach the handler as they were sent, over TLS', async () => {
    let seen: ApiRequest | undefined;
    const server = await serve((request) => ((seen = request), ok('fine')), { tls: TLS });
    const reply = await fetchReply(server, '/api/v1/pods?limit=5&labelSelector=a%3Db', {
      method: 'POST',
      headers: { Accept: 'application/json', 'X-Two': ['a', 'b'] },
      body: '{"kind":"Pod"}',
    });
    expect(reply.text).toBe('fine');
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    expect(seen).toMatchObject({ method: 'POST', target: '/api/v1/pods?limit=5&labelSelector=a%3Db', user: undefined });
    expect(seen?.headers).toMatchObject({ accept: 'application/json', 'x-two': 'a, b' });
    expect(seen?.body?.type === 'bytes' && Buffer.from(seen.body.bytes).toString()).toBe('{"kind":"Pod"}');
  });

  it('without a body have none, also when they say its length is 0', async () => {
    const bodies: unknown[] = [];
    const server = await serve((request) => (bodies.push(request.body), ok('')));
    await fetchReply(server, '/a');
    await fetchReply(server, '/a', { method: 'DELETE', headers: { 'Content-Length': '0' } });
    expect(bodies).toEqual([undefined, undefined]);
  });

  it('with a chunked body of many pieces are put together', async () => {
    const server = await serve((request) =>
      ok(String(request.body?.type === 'bytes' ? request.body.bytes.length : -1)),
    );
    const body = Buffer.alloc(400_000, 'x');
    expect(
      (await fetchReply(server, '/a', { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' }, body })).text,
    ).toBe('400000');
  });

  it.each([
    ['an absolute target loses its authority', 'GET https://host:1/version?x=%zz HTTP/1.1', '/version?x=%zz'],
    ['an absolute target without a path is the root', 'GET http://host?x=1 HTTP/1.1', '/?x=1'],
    ['a bad escape in the query is the API’s affair', 'GET /a?x=%zz HTTP/1.1', '/a?x=%zz'],
  ])('%s', async (_name, line, target) => {
    const server = await serve((request) => ok(request.target));
    const received = await rawExchange(server, `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(received.split('\r\n\r\n')[1]).toBe(target);
  });

  it.each([
    ['a malformed escape in the path', 'GET /api/%zz HTTP/1.1\r\nHost: x\r\n\r\n', '400 Bad Request'],
    ['a target that is no path', 'GET pods HTTP/1.1\r\nHost: x\r\n\r\n', '400 Bad Request'],
    ['no request at all', 'HELLO\r\n\r\n', '400 Bad Request'],
    ['a bad header name', 'GET / HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n', '400 Bad Request'],
    ['bytes that should have been escaped', 'GET /a?x=\xc3\xbc HTTP/1.1\r\nHost: x\r\n\r\n', '400 Bad Request'],
    ['no Host header', 'GET / HTTP/1.1\r\n\r\n', '400 Bad Request: missing required Host header'],
    [
      'a head over the limit',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(40_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
    ],
  ])('%s is refused in plain text', async (_name, text, answer) => {
    const server = await serve(() => ok('unexpected'), { limits: { headerBytes: 32 * 1024 } });
    const received = await rawExchange(server, Buffer.from(text, 'latin1'));
    const [head = '', body] = received.split('\r\n\r\n');
    expect(head.slice(0, 12)).toBe(`HTTP/1.1 ${answer.slice(0, 3)}`);
    expect(head).toContain('Content-Type: text/plain; charset=utf-8');
    expect(head.toLowerCase()).toContain('connection: close');
    expect(body).toBe(answer);
  });

  it('OPTIONS * is answered without the handler', async () => {
    const server = await serve(() => ok('unexpected'));
    const received = await rawExchange(server, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).toContain('Content-Length: 0');
  });

  it('heads over 64 KiB are read by default', async () => {
    const server = await serve((request) => ok(String(request.headers['x-long']?.length)));
    expect((await fetchReply(server, '/', { headers: { 'X-Long': 'a'.repeat(500_000) } })).text).toBe('500000');
  });
});

describe('a body over the limit', () => {
  const STATUS =
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Request entity too large: limit is 3145728","reason":"RequestEntityTooLarge","code":413}';

  it.each([
    ['declared', { 'Content-Length': '3145729' }],
    ['found out while reading', { 'Transfer-Encoding': 'chunked' }],
    ['announced with Expect', { 'Content-Length': '3145729', Expect: '100-continue' }],
  ])('%s is answered 413, and the connection closed', async (_name, headers) => {
    let calls = 0;
    const server = await serve(() => ((calls += 1), ok('')), { tls: TLS });
    const reply = await fetchReply(server, '/a', { method: 'POST', headers, body: Buffer.alloc(3_145_729, 'x') });
    expect({ status: reply.status, phrase: reply.phrase, text: reply.text }).toEqual({
      status: 413,
      phrase: 'Request Entity Too Large',
      text: STATUS,
    });
    expect(reply.headers).toMatchObject({
      connection: 'close',
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
    });
    expect(reply.headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(calls).toBe(0);
  });

  it('does not keep a client that never stops sending', async () => {
    const server = await serve(() => ok(''), { limits: { bodyBytes: 10, lingerMs: 50 } });
    const received = await rawExchange(
      server,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nxxxxxxxxxxxxxx',
    );
    expect(received).toMatch(/^HTTP\/1\.1 413 Request Entity Too Large\r\n/);
    expect(received).toContain('Request entity too large: limit is 10');
  });

  it('of exactly the limit is served', async () => {
    const server = await serve(() => ok('fits'));
    expect((await fetchReply(server, '/a', { method: 'POST', body: Buffer.alloc(3_145_728) })).text).toBe('fits');
  });

  it('that fits is asked for when announced with Expect', async () => {
    const server = await serve((request) => ok(request.body === undefined ? 'none' : 'some'));
    const received = await rawExchange(
      server,
      'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\nx',
    );
    expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(received.endsWith('some')).toBe(true);
  });
});

describe('responses', () => {
  it('carry the handler’s headers in their usual spelling, repeated ones repeated', async () => {
    const headers = { 'audit-id': 'abc', 'content-type': 'application/json', warning: ['299 - "a"', '299 - "ü\nb"'] };
    const server = await serve(() => ({ status: 201, headers, body: payload('{"a":', '1}') }));
    const reply = await fetchReply(server, '/');
    expect(reply).toMatchObject({ status: 201, text: '{"a":1}' });
    const { rawHeaders } = reply;
    const named = (name: string): string[] =>
      rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1] === name);
    expect(named('Audit-Id')).toEqual(['abc']);
    expect(named('Content-Length')).toEqual(['7']);
    expect(named('Warning')).toEqual(['299 - "a"', Buffer.from('299 - "ü b"').toString('latin1')]);
    expect(named('Keep-Alive')).toEqual([]);
  });

  it('to HEAD have the length of the body and no body', async () => {
    const server = await serve(() => ok('12345'));
    const received = await rawExchange(server, 'HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(received).toContain('Content-Length: 5\r\n');
    expect(received.endsWith('\r\n\r\n')).toBe(true);
  });

  it.each([
    [200, '0'],
    [204, undefined],
    [304, undefined],
  ])('of %i without a body have the length %s', async (status, length) => {
    const server = await serve(() => ({ status, headers: {}, body: { type: 'empty' } }));
    expect((await fetchReply(server, '/')).headers['content-length']).toBe(length);
  });

  it('follow each other on one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number>();
    const server = await serve(() => ok('x'), { tls: TLS });
    for (let at = 0; at < 3; at += 1) {
      const reply = await fetchReply(server, '/', { agent });
      expect(reply.headers.connection).toBeUndefined();
      for (const sockets of Object.values(agent.freeSockets))
        for (const socket of sockets ?? []) ports.add(socket.localPort ?? 0);
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });

  it('are had on a connection that was idle for longer than a request may take', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const server = await serve(() => ok('x'), { tls: TLS, limits: { headersMs: 200, requestMs: 200 } });
    await fetchReply(server, '/', { agent });
    const [before] = Object.values(agent.freeSockets).flat();
    await new Promise((resolve) => setTimeout(resolve, 700));
    await fetchReply(server, '/', { agent });
    const [after] = Object.values(agent.freeSockets).flat();
    agent.destroy();
    expect(before).toBeDefined();
    expect(after).toBe(before);
  });

  it.each([
    ['large and accepted', 131_073, 'deflate, gzip', true],
    ['large, not accepted', 131_073, 'deflate', false],
    ['large, accepted only with a quality, which the API does not read', 131_073, 'gzip;q=1', false],
    ['of the limit', 131_072, 'gzip', false],
  ])('are compressed or not: %s', async (_name, size, accepted, compressed) => {
    const text = 'kubernetes '.repeat(20_000).slice(0, size);
    const server = await serve(() => ok(text, { 'content-type': 'application/json', vary: 'Accept' }), { tls: TLS });
    const { bytes, headers } = await fetchReply(server, '/', { headers: { 'Accept-Encoding': accepted } });
    expect(headers['content-encoding']).toBe(compressed ? 'gzip' : undefined);
    expect(Number(headers['content-length'])).toBe(bytes.length);
    expect((compressed ? gunzipSync(bytes) : bytes).toString()).toBe(text);
    expect(headers.vary).toBe(size > 131_072 ? 'Accept, Accept-Encoding' : 'Accept');
  });

  it('that are encoded already are left alone', async () => {
    const text = 'a'.repeat(200_000);
    const server = await serve(() => ok(text, { 'content-encoding': 'br' }));
    expect((await fetchReply(server, '/', { headers: { 'Accept-Encoding': 'gzip' } })).text).toBe(text);
  });
});

describe('failures', () => {
  const INTERNAL =
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Internal error occurred: boom","reason":"InternalError","details":{"causes":[{"message":"boom"}]},"code":500}';

  it.each<[string, RequestHandler['handle']]>([
    [
      'thrown',
      () => {
        throw new Error('boom');
      },
    ],
    ['rejected', () => Promise.reject(new Error('boom'))],
    [
      'in a body',
      () => ({
        status: 200,
        headers: {},
        body: {
          type: 'payload',
          chunks: () => {
            throw new Error('boom');
          },
          value: () => 0,
        },
      }),
    ],
  ])('%s are answered 500 and reported, and the server lives', async (_name, handle) => {
    const errors: unknown[] = [];
    const server = await serve(handle, {
      onError: (error, request) => (errors.push([String(error), request]), undefined),
    });
    for (const path of ['/a', '/b']) {
      const reply = await fetchReply(server, path, { headers: { 'Audit-ID': 'mine' } });
      expect({ status: reply.status, text: reply.text }).toEqual({ status: 500, text: INTERNAL });
      expect(reply.headers['audit-id']).toBe('mine');
    }
    expect(errors).toEqual(['/a', '/b'].map((target) => ['Error: boom', { method: 'GET', target }]));
  });

  it('that have a Status are answered with it and not reported', async () => {
    let reports = 0;
    const server = await serve(() => Promise.reject(apiErrors.tooManyRequests('slow down', 7)), {
      onError: () => (reports += 1),
    });
    const reply = await fetchReply(server, '/');
    expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
    expect(JSON.parse(reply.text)).toMatchObject({ kind: 'Status', message: 'slow down', reason: 'TooManyRequests' });
    expect(reports).toBe(0);
  });

  it.each(['before', 'after'] as const)('of the connection %s the effect cut it without an answer', async (when) => {
    const server = await serve(() => Promise.reject(new ConnectionLost(when)), { tls: TLS });
    await expect(fetchReply(server, '/')).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(new ConnectionLost(when).message).toBe(`the connection was lost ${when} the request took effect`);
  });

  it('of the client abort the signal of a request under way', async () => {
    let signal: AbortSignal | undefined;
    const server = await serve((request) => {
      signal = request.signal;
      return new Promise(() => {});
    });
    const abort = new AbortController();
    const gone = fetch(`${server.url}/`, { signal: abort.signal }).catch(() => 'gone');
    await until('the request arrives', () => signal !== undefined);
    expect(signal?.aborted).toBe(false);
    abort.abort();
    await gone;
    await until('the signal aborts', () => signal?.aborted === true);
  });

  it('a signal asked for after the client left is aborted already', async () => {
    let request: ApiRequest | undefined;
    let release = (): void => {};
    const server = await serve((each) => {
      request = each;
      return new Promise((resolve) => (release = () => resolve(ok('late'))));
    });
    const abort = new AbortController();
    const gone = fetch(`${server.url}/`, { signal: abort.signal }).catch(() => 'gone');
    await until('the request arrives', () => request !== undefined);
    abort.abort();
    await gone;
    await until('the signal aborts', () => request?.signal?.aborted === true);
    release();
    expect((await fetchReply(server, '/%zz')).status).toBe(400);
  });

  it('a finished request aborts nothing', async () => {
    let signal: AbortSignal | undefined;
    const server = await serve((request) => ((signal = request.signal), ok('x')));
    await fetchReply(server, '/');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(signal?.aborted).toBe(false);
  });

  it('a taken port is a rejection', async () => {
    const server = await serve(() => ok('x'));
    await expect(
      serveHttp(
        handler(() => ok('y')),
        { port: server.port },
      ),
    ).rejects.toThrow('EADDRINUSE');
  });
});

describe('client certificates', () => {
  const named: UserInfo[] = [];
  const options: Partial<HttpOptions> = {
    tls: { ...TLS, clientCa: ca },
    userFromCertificate: ({ commonName, organizations }) => {
      const user = { username: commonName, groups: organizations };
      named.push(user);
      return user;
    },
  };

  it('that are verified name the user, once per connection', async () => {
    const users: unknown[] = [];
    const server = await serve((request) => (users.push(request.user), ok('x')), options);
    const agent = new Agent({ keepAlive: true, ca, cert: alice.cert, key: alice.key });
    named.length = 0;
    await fetchReply(server, '/', { agent });
    await fetchReply(server, '/', { agent });
    agent.destroy();
    expect(users).toEqual([named[0], named[0]]);
    expect(named).toEqual([{ username: 'alice', groups: ['devs', 'ops, night'] }]);
  });

  it('are not needed', async () => {
    const server = await serve((request) => ok(request.user === undefined ? 'anonymous' : 'named'), options);
    expect((await fetchReply(server, '/')).text).toBe('anonymous');
  });

  it('that nobody vouches for are answered 401', async () => {
    let calls = 0;
    const server = await serve(() => ((calls += 1), ok('x')), options);
    const reply = await fetchReply(server, '/', { client: stranger });
    expect({ status: reply.status, text: reply.text }).toEqual({
      status: 401,
      text: '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}',
    });
    expect(calls).toBe(0);
  });
});
