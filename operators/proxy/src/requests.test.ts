import { Agent } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, open, until } from './testing/ask.js';
import { bodyOf, rawClient, sendJson, serveRaw, serveTls, proxyInFrontOf } from './testing/fixture.js';
import type { Fixture } from './testing/fixture.js';

const PRIVATE = 'cluster.hypershift.openshift.io';
const MACHINES = '/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines';
const machine = (group: string): object => ({
  apiVersion: `${group}/v1beta2`,
  kind: 'Machine',
  metadata: { name: 'm' },
});

let fixture: Fixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

async function before(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  fixture = await proxyInFrontOf(await serveTls(answer));
  return fixture.proxy.url;
}

/** What the server was asked. */
interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly trailers: NodeJS.Dict<string>;
  readonly body: string;
}

async function noting(seen: Seen[]): Promise<string> {
  return before((request, response) => {
    void bodyOf(request).then((body) => {
      const { method, url, headers, trailers } = request;
      seen.push({ method, url, headers, trailers, body: body.toString() });
      sendJson(response, machine(PRIVATE));
    });
  });
}

describe('A request', () => {
  it('is sent under the private name, and its answer comes under the standard one with the right length', async () => {
    const seen: Seen[] = [];
    const url = await noting(seen);
    const answer = await ask(`${url}${MACHINES}/m?pretty=false`);
    expect(seen[0]?.url).toBe(`/apis/${PRIVATE}/v1beta2/namespaces/n/machines/m?pretty=false`);
    expect(JSON.parse(answer.text)).toEqual(machine('cluster.x-k8s.io'));
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
  });

  it('keeps headers of the request and loses those of the connection and of who sent it', async () => {
    const seen: Seen[] = [];
    const url = await noting(seen);
    const headers = {
      'user-agent': 'tests',
      'x-own': 'kept',
      'x-gone': 'dropped',
      connection: 'keep-alive, X-Gone',
      'keep-alive': 'timeout=1',
      te: 'trailers',
      'proxy-authorization': 'Basic x',
      authorization: 'Bearer of-the-client',
    };
    await ask(`${url}/api/v1/namespaces`, { headers });
    const got = seen[0]?.headers ?? {};
    expect(got).toMatchObject({ 'user-agent': 'tests', 'x-own': 'kept', authorization: 'Bearer of-the-proxy' });
    expect(Object.keys(got).filter((name) => /gone|alive|^te$|proxy|connection/.test(name))).toEqual([]);
    expect(got.host).toBe(new URL(fixture?.upstream.url ?? '').host);
  });

  it.each([
    ['with a length', (body: string) => ({ 'content-length': String(body.length) })],
    ['in chunks', () => ({ 'transfer-encoding': 'chunked' })],
  ])('carries a body %s, translated, with its new length', async (_name, headers) => {
    const seen: Seen[] = [];
    const url = await noting(seen);
    const body = JSON.stringify(machine('cluster.x-k8s.io'));
    await ask(`${url}${MACHINES}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers(body) },
    });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(machine(PRIVATE));
    expect(seen[0]?.headers['content-length']).toBe(String(seen[0]?.body.length));
  });

  it('streams a large body without waiting for its end', async () => {
    const seen: Seen[] = [];
    const url = await noting(seen);
    const object = { ...machine('cluster.x-k8s.io'), spec: { data: 'x'.repeat(2_000_000) } };
    await ask(`${url}${MACHINES}`, {
      method: 'POST',
      body: JSON.stringify(object),
      headers: { 'content-type': 'application/json' },
    });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ ...object, ...machine(PRIVATE) });
    expect(seen[0]?.headers['transfer-encoding']).toBe('chunked');
  });

  it('whose bytes pass keeps its length and its trailers', async () => {
    const seen: Seen[] = [];
    const url = await noting(seen);
    const body = 'y'.repeat(300_000);
    await ask(`${url}/api/v1/namespaces/n/pods/p/proxy/x`, {
      method: 'POST',
      body,
      headers: { 'content-length': '300000' },
    });
    expect([seen[0]?.headers['content-length'], seen[0]?.body.length]).toEqual(['300000', 300_000]);
    const chunk = 'z'.repeat(0x20000);
    const client = rawClient(
      url,
      `POST /api/v1/namespaces/n/pods/p/proxy/x HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ntransfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n20000\r\n${chunk}\r\n0\r\nx-sum: 7\r\n\r\n`,
    );
    await client.over;
    expect([seen[1]?.body.length, seen[1]?.trailers]).toEqual([0x20000, { 'x-sum': '7' }]);
    const short = rawClient(
      url,
      'POST /api/v1/namespaces/n/pods/p/proxy/x HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ntransfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n2\r\nab\r\n0\r\nx-sum: 8\r\n\r\n',
    );
    await short.over;
    expect([seen[2]?.body, seen[2]?.trailers]).toEqual(['ab', { 'x-sum': '8' }]);
  });

  it('that expects 100-continue gets it', async () => {
    const seen: Seen[] = [];
    const url = await noting(seen);
    const body = JSON.stringify(machine('cluster.x-k8s.io'));
    const head = `POST ${MACHINES} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    const client = rawClient(url, `${head}expect: 100-continue\r\nconnection: close\r\n\r\n`);
    await client.sees(/^HTTP\/1.1 100 Continue\r\n\r\n$/);
    client.socket.write(body);
    await client.sees(/HTTP\/1.1 200 OK/);
    expect(seen[0]?.headers.expect).toBeUndefined();
  });

  it('that expects 100-continue is refused before it has sent anything', async () => {
    const url = await noting([]);
    const head = `POST ${MACHINES} HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 5\r\nexpect: 100-continue\r\n\r\n`;
    const text = await rawClient(url, head).sees(/"code":403/);
    expect(text).toMatch(/^HTTP\/1.1 403 Forbidden\r\n/);
  });

  it.each([
    '/apis/cluster.x-k8s.io/v1/namespaces/a%0d%0aX:%20y/machines',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldSelector=metadata.name%3Da.cluster.x-k8s.io%0D%0AX:%20y',
    '/api/v1/..%2f..%2f%0d%0aGET%20/api/v1/secrets%20HTTP/1.1%0d%0a',
  ])('for %s is one request, whatever is hidden in it', async (target) => {
    const seen: Seen[] = [];
    const url = await noting(seen);
    expect((await ask(`${url}${target}`)).status).toBe(200);
    expect([seen.length, seen[0]?.headers['x'], seen[0]?.url]).toEqual([
      1,
      undefined,
      expect.stringMatching(/%0d%0a/i),
    ]);
  });

  it('is sent on a connection that was used before', async () => {
    const seen: Seen[] = [];
    const url = await noting(seen);
    for (let count = 0; count < 5; count += 1) await ask(`${url}/version`);
    expect([seen.length, fixture?.upstream.sockets.size]).toEqual([5, 1]);
  });

  it('with an offer of HTTP/2 on a route whose bytes pass is served as well', async () => {
    const seen: Seen[] = [];
    const url = await noting(seen);
    const client = rawClient(
      url,
      'POST /version HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\nab',
    );
    await client.sees(/HTTP\/1.1 200 OK/);
    client.socket.destroy();
    expect(seen).toMatchObject([{ url: '/version', body: 'ab' }]);
  });

  it('with an offer of HTTP/2 is served as if it had not been made', async () => {
    const seen: Seen[] = [];
    const url = await noting(seen);
    const body = JSON.stringify(machine('cluster.x-k8s.io'));
    const client = rawClient(
      url,
      `POST ${MACHINES} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAA\r\ncontent-type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await client.sees(/HTTP\/1.1 200 OK[^]*"kind":"Machine"/);
    client.socket.destroy();
    expect([JSON.parse(seen[0]?.body ?? ''), seen[0]?.headers['http2-settings']]).toEqual([
      machine(PRIVATE),
      undefined,
    ]);
  });
});

describe('An answer', () => {
  it('to HEAD and one that nothing has changed carry no length of what was not translated', async () => {
    const url = await before((request, response) => {
      response
        .writeHead(request.method === 'HEAD' ? 200 : 304, {
          'content-type': 'application/json',
          'content-length': '500',
        })
        .end();
    });
    const [head, unchanged] = [await ask(`${url}/apis`, { method: 'HEAD' }), await ask(`${url}/apis`)];
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, undefined, '']);
    expect([unchanged.status, unchanged.headers['content-length'], unchanged.text]).toEqual([304, undefined, '']);
  });

  it('whose bytes pass keeps its length, also to HEAD', async () => {
    const url = await before((_request, response) => response.writeHead(200, { 'content-length': '5' }).end('hello'));
    expect((await ask(`${url}/version`, { method: 'HEAD' })).headers['content-length']).toBe('5');
    expect((await ask(`${url}/version`)).headers['content-length']).toBe('5');
  });

  it('keeps its trailers', async () => {
    const url = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', trailer: 'x-sum' });
      response.write('a');
      response.addTrailers({ 'x-sum': '7' });
      response.end('b');
    });
    const answer = await ask(`${url}/logs/x`);
    expect([answer.text, answer.trailers]).toEqual(['ab', { 'x-sum': '7' }]);
  });

  it('keeps warnings apart and translates the one about a version', async () => {
    const warnings = [
      `299 - "${PRIVATE}/v1beta1 Machine is deprecated; use ${PRIVATE}/v1beta2 Machine"`,
      '299 - "metadata.finalizers: \\"machine.cluster.x-k8s.io\\": prefer a domain-qualified finalizer name"',
    ];
    const url = await before((_request, response) => {
      response.setHeader('warning', warnings);
      sendJson(response, machine(PRIVATE));
    });
    const { rawHeaders } = await ask(`${url}${MACHINES}/m`);
    const got = rawHeaders.filter((_text, at) => at % 2 === 1 && rawHeaders[at - 1] === 'warning');
    expect(got).toEqual([
      '299 - "cluster.x-k8s.io/v1beta1 Machine is deprecated; use cluster.x-k8s.io/v1beta2 Machine"',
      warnings[1],
    ]);
  });

  it('without a length that one read brings gets one', async () => {
    const url = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
      response.end(JSON.stringify(machine(PRIVATE)));
    });
    const { headers, bytes } = await ask(`${url}${MACHINES}/m`);
    expect(headers['content-length'] ?? String(bytes.length)).toBe(String(bytes.length));
    expect(JSON.parse(bytes.toString())).toEqual(machine('cluster.x-k8s.io'));
  });

  it('to a client of HTTP/1.0 ends with the connection', async () => {
    const url = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"kind":"A",');
      setImmediate(() => response.end('"x":1}'));
    });
    const client = rawClient(url, 'GET /api/v1/x HTTP/1.0\r\nhost: localhost\r\n\r\n');
    expect(await client.over).toBe('ended');
    expect(client.text()).toMatch(/\r\n\r\n\{"kind":"A","x":1\}$/);
    expect(client.text()).not.toMatch(/chunked/i);
  });

  it.each([1, 3])(
    'that is compressed although nobody asked, in %i members, is opened and translated',
    async (members) => {
      const list = JSON.stringify({
        apiVersion: `${PRIVATE}/v1beta2`,
        items: Array.from({ length: 30 }, () => machine(PRIVATE)),
      });
      const size = Math.ceil(list.length / members);
      const url = await before((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        for (let at = 0; at < list.length; at += size) response.write(gzipSync(list.slice(at, at + size)));
        response.end();
      });
      const answer = await ask(`${url}${MACHINES}`, { headers: { 'accept-encoding': 'gzip' } });
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.text).toBe(list.replaceAll(PRIVATE, 'cluster.x-k8s.io'));
    },
  );

  it('that is compressed and broken off never looks whole', async () => {
    const packed = gzipSync(
      JSON.stringify({ items: Array.from({ length: 5000 }, (_, at) => ({ at, text: String(at * 7919) })) }),
    );
    const url = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(packed.subarray(0, packed.length - 200));
    });
    await expect(ask(`${url}${MACHINES}`)).rejects.toThrow('aborted');
  });

  it('in an unknown encoding is answered with an error and logged', async () => {
    const url = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br' }).end('...');
    });
    const answer = await ask(`${url}${MACHINES}`);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([502, { kind: 'Status', reason: 'InternalError' }]);
    expect(fixture?.lines).toMatchObject([
      { level: 'error', message: 'Translation error', fields: { direction: 'response' } },
    ]);
  });

  it('of a tunnel route passes as it is, compressed or not', async () => {
    const packed = gzipSync(`log of ${PRIVATE}`);
    const url = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(packed);
    });
    const answer = await ask(`${url}/api/v1/namespaces/n/pods/p/log`, { headers: { 'accept-encoding': 'gzip' } });
    expect([answer.headers['content-encoding'], answer.bytes]).toEqual(['gzip', packed]);
  });
});

describe('A list', () => {
  it.each([
    ['application/vnd.kubernetes.protobuf, */*', 'application/json'],
    ['application/vnd.kubernetes.protobuf,application/json', 'application/json'],
    ['application/vnd.kubernetes.protobuf', 'application/vnd.kubernetes.protobuf'],
  ])('asked for as %s is asked for as %s', async (accept, expected) => {
    const seen: Seen[] = [];
    const url = await noting(seen);
    await ask(`${url}/api/v1/namespaces/n/secrets`, { headers: { accept } });
    expect(seen[0]?.headers.accept).toBe(expected);
  });

  it('of a single object may be requested in protobuf', async () => {
    const seen: Seen[] = [];
    const url = await noting(seen);
    await ask(`${url}/api/v1/namespaces/n/secrets/s`, { headers: { accept: 'application/vnd.kubernetes.protobuf' } });
    expect(seen[0]?.headers.accept).toBe('application/vnd.kubernetes.protobuf');
  });
});

describe('A watch', () => {
  it.each(['?watch=1', '?watch=true', '?watch'])('by %s gets its headers before there is any event', async (query) => {
    const url = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
    });
    const { request, response } = await open(`${url}${MACHINES}${query}`);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json']);
    request.destroy();
  });

  it('by its path is one as well', async () => {
    const url = await before((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
    );
    const { request, response } = await open(`${url}/apis/cluster.x-k8s.io/v1beta1/watch/namespaces/n/machines`);
    expect(response.statusCode).toBe(200);
    request.destroy();
  });

  it('gets each event when it comes, in one piece and with its line end', async () => {
    const held: ServerResponse[] = [];
    const url = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      held.push(response);
    });
    const { request, response } = await open(`${url}${MACHINES}?watch=1`);
    const lines: string[] = [];
    response.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
    for (let at = 1; at <= 3; at += 1) {
      held[0]?.write(`${JSON.stringify({ type: 'ADDED', object: machine(PRIVATE) })}\n`);
      await until(() => lines.length === at);
      expect(lines.at(-1)).toBe(`${JSON.stringify({ type: 'ADDED', object: machine('cluster.x-k8s.io') })}\n`);
    }
    request.destroy();
  });

  it('that is compressed, a member for each event, is opened event by event', async () => {
    const held: ServerResponse[] = [];
    const url = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.flushHeaders();
      held.push(response);
    });
    const { request, response } = await open(`${url}${MACHINES}?watch=1&sendInitialEvents=true`);
    expect(response.headers['content-encoding']).toBeUndefined();
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const event = (group: string): string => `${JSON.stringify({ type: 'ADDED', object: machine(group) })}\n`;
    for (let at = 1; at <= 3; at += 1) {
      held[0]?.write(gzipSync(event(PRIVATE)));
      await until(() => text.length >= event('cluster.x-k8s.io').length * at);
      expect(text).toBe(event('cluster.x-k8s.io').repeat(at));
    }
    request.destroy();
  });

  it('waits for no other, nor does a request for watches', async () => {
    const url = await before((request, response) => {
      if (request.url?.includes('watch=1') === true)
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      else sendJson(response, machine(PRIVATE));
    });
    const watches = await Promise.all(Array.from({ length: 300 }, () => open(`${url}${MACHINES}?watch=1`)));
    expect((await ask(`${url}${MACHINES}/m`)).status).toBe(200);
    for (const { request } of watches) request.destroy();
    await until(() => (fixture?.upstream.sockets.size ?? 0) <= 1);
  });
});

describe('An early answer', () => {
  it('comes through although the body is still under way, and the connection is not used again', async () => {
    fixture = await proxyInFrontOf(
      await serveRaw((socket) => {
        socket.once('data', () => {
          const body = JSON.stringify({ kind: 'Status', reason: 'RequestEntityTooLarge', code: 413 });
          socket.write(
            `HTTP/1.1 413 Too Large\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
          );
        });
      }),
    );
    const client = rawClient(
      fixture.proxy.url,
      `POST /api/v1/namespaces/n/pods/p/proxy/ HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9000000\r\n\r\n${'x'.repeat(100_000)}`,
    );
    const text = await client.sees(/"code":413/);
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    client.socket.destroy();
    await until(() => fixture?.upstream.sockets.size === 0);
  });
});

describe('A connection of a client', () => {
  it('is kept for longer than clients keep theirs', async () => {
    const url = await before((_request, response) => sendJson(response, {}));
    const agent = new Agent({ keepAlive: true });
    const { headers } = await ask(`${url}/version`, { agent });
    expect(headers['keep-alive']).toBe('timeout=130');
    agent.destroy();
  });
});
