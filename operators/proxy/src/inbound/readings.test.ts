import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReaders } from '../testing/readings.js';
import type { Reading, Readers } from '../testing/readings.js';

let readers: Readers;
beforeAll(async () => {
  readers = await startReaders();
});
afterAll(() => readers.close());

const PATHS = [
  '/api/v1/namespaces/n/configmaps/a',
  '/api/v1/namespaces/n/configmaps/chunky?x=1&y=%20',
  '/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines',
  '/apis/cluster.hypershift.openshift.io/v1beta2/machines',
  '/api/v1/../v1/./namespaces//n/pods/p/log',
  '/api/v1/namespaces/n/configmaps/%zz',
  '/healthz',
];

const token = fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');
const plainField = fc.constantFrom(
  'accept: application/json',
  'Accept: */*',
  'User-Agent: test/1 (x; y) z',
  'X-Empty:',
  'x-spaced:    two  words   ',
  'authorization: Bearer of-the-client',
  'content-type: application/json',
  'impersonate-user: alice',
  'Connection: keep-alive',
  'X-Remote-User: me',
  'constructor: c',
  '7: seven',
);
/** Fields that Node must read, and still well formed. */
const rareField = fc.constantFrom(
  'accept: text/plain',
  'cookie: a=b',
  'x_under: score',
  'te: trailers',
  'x-tab: a\tb',
  'x-high: \u00e9',
  '__proto__: p',
  'origin: http://evil.example',
  'keep-alive: timeout=5',
  'Connection: x-remote-user',
  'expect: 100-continue',
);
/** Fields that are wrong, or that are meant to be read in two ways. */
const oddField = fc.constantFrom(
  'host: evil.example',
  'content-length: 5',
  'content-length: +5',
  'Content-Length : 5',
  'content-length: 5, 5',
  'content-length: 05',
  'content-length: 0x5',
  'content-length:\t5',
  'content-length: 18446744073709551621',
  'content-length: -1',
  'transfer-encoding: chunked',
  'Transfer-Encoding: identity, chunked',
  'transfer-encoding : chunked',
  'transfer-encoding:\x0bchunked',
  'transfer-encoding: chunked\r\n chunked',
  'x: y\r\n folded',
  'x: y\nsmuggled: yes',
  'x: y\rsmuggled: yes',
  'x: \0',
  ': nameless',
  'no colon',
  ' leading: space',
  'sp ace: x',
  'connection: close, x',
  'connection: upgrade',
  'upgrade: websocket',
  'upgrade: h2c',
  'trailer: x',
  'proxy-connection: close',
  'x\x7f: y',
  '\u00e9: y',
);

const body = fc.constantFrom(
  '',
  '{}',
  '{"a":1}',
  'hello',
  '0\r\n\r\n',
  '5\r\nhello\r\n0\r\n\r\n',
  'GET /smuggled HTTP/1.1\r\nhost: localhost\r\n\r\n',
);

const cuts = fc.array(fc.nat(400), { maxLength: 4 });

function cut(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...sorted].map((from, at) => text.slice(from, sorted[at] ?? text.length)).filter((piece) => piece !== '');
}

/** A request whose length is right. */
const wellFormed = fc
  .record({
    method: token,
    path: fc.constantFrom(...PATHS),
    fields: fc.uniqueArray(fc.oneof({ weight: 6, arbitrary: plainField }, { weight: 1, arbitrary: rareField }), {
      maxLength: 5,
      selector: (field) => field.split(':')[0]?.toLowerCase(),
    }),
    content: fc.option(fc.constantFrom('{}', '{"kind":"ConfigMap"}', 'x'.repeat(300)), { nil: undefined }),
  })
  .map(({ method, path, fields, content }) => {
    const length = content === undefined ? [] : [`content-length: ${content.length}`];
    const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost', ...fields, ...length];
    return `${lines.join('\r\n')}\r\n\r\n${content ?? ''}`;
  });

/** Mostly right: of two oddities the reader sees the first alone. */
const mostly = <T>(right: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 15, arbitrary: right }, { weight: 1, arbitrary: odd });

const anyRequest = fc
  .record({
    method: mostly(token, fc.constantFrom('TRACE', 'get', 'G\0T', 'CONNECT', 'PRI', '')),
    gap: mostly(fc.constant(' '), fc.constantFrom('  ', '\t')),
    path: mostly(
      fc.constantFrom(...PATHS),
      fc.constantFrom('*', 'http://localhost/api', '/a b', '/a\0', '/\u00e9', '/a#b', '/a|b', 'localhost:80', ''),
    ),
    version: mostly(
      fc.constant('HTTP/1.1'),
      fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/1.2', 'http/1.1', 'HTTP/1.1 ', ''),
    ),
    host: mostly(fc.constant('Host: localhost'), fc.constantFrom('host: evil.example', 'x: y')),
    fields: fc.array(plainField, { maxLength: 2 }),
    odd: fc.array(mostly(oddField, rareField), { maxLength: 2 }),
    end: mostly(fc.constant('\r\n'), fc.constantFrom('\n', '\r', '\r\r\n')),
    content: body,
  })
  .map(({ method, gap, path, version, host, fields, odd, end, content }) => {
    const lines = [`${method}${gap}${path}${gap}${version}`, host, ...fields, ...odd];
    return `${lines.join(end)}${end}${end}${content}`;
  });

async function both(text: string, places: readonly number[]): Promise<{ ours: Reading; nodes: Reading }> {
  const pieces = cut(text, places);
  const [ours, nodes] = await Promise.all([readers.ours(pieces), readers.nodes(pieces)]);
  return { ours, nodes };
}

describe('What a client sends means the same, whether we read it or Node does', () => {
  it('when it is right, however many requests come at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(wellFormed, { minLength: 1, maxLength: 4 }), cuts, async (requests, places) => {
        const { ours, nodes } = await both(requests.join(''), places);
        expect(ours.received).toBe(nodes.received);
        // After `connection: close` a client is not answered any more; Node still sends on what came after.
        if (ours.received.includes('\r\nconnection: close\r\n'))
          expect(nodes.asked).toEqual(expect.arrayContaining([...ours.asked]));
        else expect(ours.asked).toEqual(nodes.asked);
      }),
      { numRuns: 100 },
    );
  });

  it('also when we remember it', async () => {
    await fc.assert(
      fc.asyncProperty(wellFormed, cuts, async (request, places) => {
        const { ours, nodes } = await both(request + request, places);
        expect(ours.received).toBe(nodes.received);
        expect(await readers.ours(cut(request + request, places))).toEqual(ours);
      }),
      { numRuns: 50 },
    );
  });

  it('when it is anything at all', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, cuts, async (request, places) => {
        const { ours, nodes } = await both(request, places);
        expect(ours.asked).toEqual(nodes.asked);
        // Node reads on while a request is answered, and breaks the connection when what follows cannot be read.
        if (nodes.received !== ours.received)
          expect(ours.received.startsWith(nodes.received) && !nodes.received.includes('/last')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
