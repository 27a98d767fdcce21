import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect as connectSocket } from 'node:net';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiRequest, WatchBody, WatchFrame } from '@capstan/meta';
import { createCa } from '../certs/certificates.js';
import { anonymous, fixedCredentials } from '../config/credentials.js';
import type { CredentialSource } from '../config/credentials.js';
import { TransportError } from './errors.js';
import { HttpTransport } from './http.js';
import type { HttpTransportOptions } from './http.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function connect(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: HttpTransportOptions & { credentials?: CredentialSource } = {},
): Promise<HttpTransport> {
  const port = await listen(createServer(answer));
  const { credentials = anonymous(), ...rest } = options;
  const transport = new HttpTransport(
    { server: `http://127.0.0.1:${port}/prefix`, trust: {}, credentials, namespace: 'default' },
    rest,
  );
  closers.push(() => transport.close());
  return transport;
}

function get(target: string, more: Partial<ApiRequest> = {}): ApiRequest {
  return { method: 'GET', target, headers: {}, ...more };
}

function collect(body: WatchBody): { frames: WatchFrame[]; ended: Promise<Error | undefined> } {
  const frames: WatchFrame[] = [];
  const ended = new Promise<Error | undefined>((resolve) => {
    body.start({ frame: (frame) => frames.push(frame), end: resolve });
  });
  return { frames, ended };
}

async function watch(
  transport: HttpTransport,
  target = '/api/v1/pods?watch=true',
  more: Partial<ApiRequest> = {},
): Promise<WatchBody> {
  const { body } = await transport.send(get(target, more));
  if (body.type !== 'watch') throw new Error(`expected a watch, found ${body.type}`);
  return body;
}

describe('HttpTransport', () => {
  it('sends method, prefixed path, headers and JSON bodies, and reads the answer', async () => {
    const transport = await connect(
      (request, response) => {
        let text = '';
        request.on('data', (chunk: Buffer) => (text += chunk.toString()));
        request.on('end', () => {
          response.setHeader('content-type', 'application/json');
          response.setHeader('warning', ['299 - "a"', '299 - "b"']);
          response.statusCode = 201;
          const { authorization, accept } = request.headers;
          const groups = request.headersDistinct['impersonate-group'];
          response.end(
            JSON.stringify({ method: request.method, url: request.url, authorization, accept, groups, body: text }),
          );
        });
      },
      { credentials: fixedCredentials({ headers: { authorization: 'Bearer t', 'impersonate-group': ['x', 'y'] } }) },
    );
    const response = await transport.send({
      method: 'POST',
      target: '/api/v1/namespaces?a=b',
      headers: { accept: 'application/json', 'content-type': 'application/json', nothing: undefined },
      body: { type: 'value', value: { big: 9007199254740993n } },
    });
    expect(response.status).toBe(201);
    expect(response.headers['warning']).toEqual(['299 - "a"', '299 - "b"']);
    expect(response.body.type === 'payload' && response.body.value()).toEqual({
      method: 'POST',
      url: '/prefix/api/v1/namespaces?a=b',
      authorization: 'Bearer t',
      accept: 'application/json',
      groups: ['x', 'y'],
      body: '{"big":9007199254740993}',
    });
  });

  it('accepts gzip for finite answers only', async () => {
    const asked: (string | undefined)[] = [];
    const transport = await connect((request, response) => {
      asked.push(request.headers['accept-encoding'] as string | undefined);
      response.setHeader('content-type', 'application/json');
      if (request.url?.includes('watch') === true) {
        response.end();
        return;
      }
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync('{"items":[1,2]}'));
    });
    const { body } = await transport.send(get('/a'));
    expect(body.type === 'payload' && body.value()).toEqual({ items: [1, 2] });
    await collect(await watch(transport)).ended;
    expect(asked).toEqual(['gzip', undefined]);
  });

  it('refuses an answer that becomes far longer than it came', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024), { level: 9 });
    expect(bomb.length).toBeLessThan(100_000);
    const transport = await connect((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
    });
    await expect(transport.send(get('/a'))).rejects.toMatchObject({ code: 'EBADGZIP' });
  });

  it('gives an empty body as empty', async () => {
    const transport = await connect((_request, response) => response.writeHead(304).end());
    expect(await transport.send(get('/a'))).toMatchObject({ status: 304, body: { type: 'empty' } });
  });

  it('delivers watch events over any chunk border, not before the start', async () => {
    const lines = ['{"type":"ADDED","object":{"n":"ä"}}\n', '{"type":"BOOKMARK","object":{"n":2}}\n'];
    let sent: Promise<unknown> | undefined;
    const transport = await connect((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      sent = once(response, 'finish');
      void (async () => {
        for (const byte of Buffer.from(lines.join(''))) {
          response.write(Buffer.of(byte));
          await new Promise((resolve) => setImmediate(resolve));
        }
        response.end();
      })();
    });
    const body = await watch(transport);
    await sent;
    const { frames, ended } = collect(body);
    expect(await ended).toBeUndefined();
    expect(frames.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK']);
    expect(frames.map((frame) => Buffer.from(frame.bytes()).toString())).toEqual(lines);
    expect(frames[0]?.object()).toEqual({ n: 'ä' });
  });

  it('keeps what came and went before the watch was started', async () => {
    let closed: Promise<unknown> | undefined;
    const transport = await connect((_request, response) => {
      closed = once(response, 'close');
      response.end('{"type":"ADDED","object":1}\n');
    });
    const body = await watch(transport);
    await closed;
    const { frames, ended } = collect(body);
    expect(await ended).toBeUndefined();
    expect(frames).toHaveLength(1);
  });

  it('calls a watch that stops inside an event broken', async () => {
    const transport = await connect((_request, response) => response.end('{"type":"ADDED","object":1}\n{"type":"ADD'));
    const { frames, ended } = collect(await watch(transport));
    expect(await ended).toMatchObject({ name: 'TransportError', code: 'EWATCHTORN' });
    expect(frames).toHaveLength(1);
  });

  it('ends a watch with an error on nonsense and on a lost connection', async () => {
    const transport = await connect((request, response) => {
      if (request.url?.includes('nonsense') === true) {
        response.write('nonsense\n');
        return;
      }
      response.write('{"type":"ADDED","object":1}\n', () => response.destroy());
    });
    expect(await collect(await watch(transport, '/x?watch=1&a=nonsense')).ended).toMatchObject({ code: 'EWATCHDATA' });
    expect(await collect(await watch(transport)).ended).toMatchObject({
      name: 'TransportError',
      mayHaveReachedServer: true,
    });
  });

  it('cuts a watch with bookmarks that falls silent', async () => {
    const transport = await connect((_request, response) => void response.write('{"type":"ADDED","object":1}\n'), {
      watchIdleMs: 50,
    });
    const { frames, ended } = collect(await watch(transport, '/x?watch=true&allowWatchBookmarks=true'));
    expect(await ended).toMatchObject({ code: 'EWATCHIDLE', message: 'the watch was silent for 0 s' });
    expect(frames).toHaveLength(1);
  });

  it('stops a watch by signal or by stop, and closes the connection', async () => {
    let closed = 0;
    const transport = await connect((_request, response) => {
      response.on('close', () => (closed += 1));
      response.write('{"type":"ADDED","object":1}\n');
    });
    const abort = new AbortController();
    const first = await watch(transport, undefined, { signal: abort.signal });
    const second = await watch(transport);
    const [a, b] = [collect(first), collect(second)];
    abort.abort();
    second.stop();
    second.stop();
    expect(await Promise.all([a.ended, b.ended])).toEqual([undefined, undefined]);
    await expect.poll(() => closed).toBe(2);
  });

  it('gives a refused watch as a finite answer', async () => {
    const transport = await connect((_request, response) =>
      response.writeHead(403, { 'content-type': 'application/json' }).end('{"kind":"Status"}'),
    );
    const { status, body } = await transport.send(get('/x?watch=true'));
    expect([status, body.type === 'payload' && body.value()]).toEqual([403, { kind: 'Status' }]);
  });

  it('distinguishes a request that never left from one whose response was lost', async () => {
    const transport = await connect((request) => request.socket.destroy());
    const lost = await transport.send(get('/a')).catch((error: unknown) => error);
    expect(lost).toMatchObject({ name: 'TransportError', code: 'UND_ERR_SOCKET', mayHaveReachedServer: true });
    const port = await listen(createServer());
    await closers.pop()?.();
    const nowhere = new HttpTransport({
      server: `http://127.0.0.1:${port}`,
      trust: {},
      credentials: anonymous(),
      namespace: '',
    });
    const refused = await nowhere.send(get('/a')).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'TransportError', code: 'ECONNREFUSED', mayHaveReachedServer: false });
    await nowhere.close();
  });

  it('gives up a request by its signal, before and after it was sent', async () => {
    const transport = await connect(() => {});
    const early = AbortSignal.abort(new Error('why'));
    await expect(transport.send(get('/a', { signal: early }))).rejects.toMatchObject({
      code: 'ABORTED',
      mayHaveReachedServer: false,
      cause: { message: 'why' },
    });
    const abort = new AbortController();
    const aborting = await connect(() => abort.abort());
    const waiting = aborting.send(get('/a', { signal: abort.signal }));
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED', mayHaveReachedServer: true });
  });

  it('fails a request without answer after the time allowed', async () => {
    const transport = await connect(() => {}, { requestTimeoutMs: 50 });
    await expect(transport.send(get('/a'))).rejects.toBeInstanceOf(TransportError);
  });

  it('asks for fresh credentials once when the server refuses them', async () => {
    const tokens = ['old', 'new', 'newer'];
    const seen: (string | undefined)[] = [];
    const transport = await connect(
      (request, response) => {
        seen.push(request.headers.authorization);
        response.statusCode = request.headers.authorization === 'Bearer new' ? 200 : 401;
        response.end();
      },
      {
        credentials: {
          get: () => ({ headers: { authorization: `Bearer ${tokens[0]}` } }),
          refresh: () => tokens.shift() !== undefined,
        },
      },
    );
    expect((await transport.send(get('/a'))).status).toBe(200);
    tokens.shift();
    expect((await transport.send(get('/a'))).status).toBe(401);
    expect(seen).toEqual(['Bearer old', 'Bearer new', 'Bearer newer', 'Bearer undefined']);
  });

  it('trusts the given CA, checks the given name and proves itself by certificate, also a changed one', async () => {
    const ca = createCa({ commonName: 'ca' });
    const serving = ca.issueServing({ commonName: 's', dnsNames: ['kube.internal'] });
    const server = createTlsServer(
      { key: serving.keyPem, cert: serving.certPem, ca: ca.certPem, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        const peer =
          'getPeerCertificate' in request.socket
            ? (request.socket as { getPeerCertificate(): { subject?: { CN?: string } } }).getPeerCertificate()
            : {};
        response.end(peer.subject?.CN ?? 'nobody');
      },
    );
    const port = await listen(server);
    let user = 'alice';
    const pairs = { alice: ca.issueClient({ user: 'alice' }), bob: ca.issueClient({ user: 'bob' }) };
    const credentials = {
      get: () => ({ headers: {}, certificate: pairs[user as 'alice' | 'bob'] }),
      refresh: () => false,
    };
    const make = (trust: { caPem?: string; serverName?: string; insecureSkipVerify?: boolean }): HttpTransport => {
      const transport = new HttpTransport({ server: `https://127.0.0.1:${port}`, trust, credentials, namespace: '' });
      closers.push(() => transport.close());
      return transport;
    };
    const who = async (transport: HttpTransport): Promise<unknown> => {
      const { body } = await transport.send(get('/'));
      return body.type === 'payload' && body.value();
    };
    const trusted = make({ caPem: ca.certPem, serverName: 'kube.internal' });
    expect(await who(trusted)).toBe('alice');
    user = 'bob';
    expect(await who(trusted)).toBe('bob');
    expect(await who(make({ insecureSkipVerify: true }))).toBe('bob');
    await expect(make({ caPem: ca.certPem }).send(get('/'))).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      mayHaveReachedServer: false,
    });
    await expect(make({ serverName: 'kube.internal' }).send(get('/'))).rejects.toMatchObject({
      code: 'SELF_SIGNED_CERT_IN_CHAIN',
      mayHaveReachedServer: false,
    });
  });

  it('goes through a proxy, which sees where to and no more', async () => {
    const ca = createCa({ commonName: 'ca' });
    const pair = ca.issueServing({ commonName: 'server', ipAddresses: ['127.0.0.1'] });
    const port = await listen(
      createTlsServer({ cert: pair.certPem, key: pair.keyPem }, (request, response) => {
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ url: request.url }));
      }) as unknown as Server,
    );
    const asked: unknown[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, client: Socket) => {
      asked.push([request.url, request.headers['proxy-authorization']]);
      const [host = '', to = ''] = (request.url ?? '').split(':');
      const upstream = connectSocket(Number(to), host, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      for (const each of [client, upstream]) each.on('error', () => {});
    });
    const proxyPort = await listen(proxy);
    const transport = new HttpTransport({
      server: `https://127.0.0.1:${port}`,
      trust: { caPem: ca.certPem },
      proxyUrl: `http://me:secret@127.0.0.1:${proxyPort}`,
      credentials: anonymous(),
      namespace: 'default',
    });
    closers.push(() => transport.close());
    const { body } = await transport.send(get('/api/v1/pods'));
    expect(body.type === 'payload' && body.value()).toEqual({ url: '/api/v1/pods' });
    expect(asked).toEqual([[`127.0.0.1:${port}`, `Basic ${Buffer.from('me:secret').toString('base64')}`]]);
  });

  it('reports the size and duration of each request and response', async () => {
    const transfers: unknown[] = [];
    const transport = await connect(
      (request, response) => {
        request.resume();
        response.setHeader('content-type', 'application/json').end('{"a":1}');
      },
      { onTransfer: (transfer) => transfers.push(transfer) },
    );
    await transport.send(get('/x', { method: 'POST', body: { type: 'value', value: { b: 22 } } }));
    await transport.send(get('/x'));
    expect(transfers).toEqual([
      { method: 'POST', requestBytes: 8, responseBytes: 7 },
      { method: 'GET', requestBytes: 0, responseBytes: 7 },
    ]);
  });
});
