import { beforeEach, describe, expect, it } from 'vitest';
import { HeadReader } from './head-reader.js';
import type { KnownHead } from './head-reader.js';

const HOST = 'Host: localhost';

let reader: HeadReader;
beforeEach(() => {
  reader = new HeadReader();
});

function read(lines: readonly string[], rest = ''): KnownHead | undefined {
  return reader.read(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${rest}`, 'latin1'));
}

describe('A head that is beyond doubt', () => {
  it('is read up to the body', () => {
    const lines = ['PUT /api/v1/x?a=b%20c HTTP/1.1', HOST, 'Content-Length: 12', 'X-Empty:', 'x-spaced:  a  b  '];
    const head = read(lines, 'hello');
    expect(head).toEqual({
      method: 'PUT',
      target: '/api/v1/x?a=b%20c',
      fields: {
        headers: { host: 'localhost', 'content-length': '12', 'x-empty': '', 'x-spaced': 'a  b' },
        length: 12,
        isLast: false,
      },
      end: lines.join('\r\n').length + 4,
      text: lines.join('\r\n'),
      findings: undefined,
    });
  });

  it.each([
    ['keep-alive', false],
    ['Keep-Alive', false],
    ['close', true],
    ['Close', true],
  ])('may say that the connection is %s', (connection, isLast) => {
    expect(read(['GET / HTTP/1.1', HOST, `connection: ${connection}`])?.fields.isLast).toBe(isLast);
  });

  it('is the same as the one before where its lines are, and no longer than those', () => {
    const [one, other] = [read(['GET /a HTTP/1.1', HOST, 'x: y']), read(['GET /b HTTP/1.1', HOST, 'x: y'])];
    expect(other?.fields).toBe(one?.fields);
    expect(read(['GET /b HTTP/1.1', HOST, 'x: z'])?.fields.headers).toEqual({ host: 'localhost', x: 'z' });
  });
});

describe('The length of a body', () => {
  it('is read for each request, however alike their other lines are', () => {
    const lengths = [3, 0, 12].map(
      (length) => read(['PUT / HTTP/1.1', HOST, `Content-Length: ${length}`, 'x: y'])?.fields,
    );
    expect(lengths).toEqual(
      [3, 0, 12].map((length) => ({
        headers: { host: 'localhost', 'content-length': String(length), x: 'y' },
        length,
        isLast: false,
      })),
    );
    expect(read(['PUT / HTTP/1.1', HOST, 'x: y'])?.fields).toEqual({
      headers: { host: 'localhost', x: 'y' },
      length: 0,
      isLast: false,
    });
  });
});

describe('A head that came before', () => {
  const asking = (at: number): KnownHead | undefined => read([`GET /${at} HTTP/1.1`, HOST]);

  it('twice is known again, with what was found out about it, whatever follows it', () => {
    const lines = ['PUT /a HTTP/1.1', HOST, 'content-length: 3'];
    const [first, second] = [read(lines, 'abc'), read(lines, 'abc')];
    expect(second).toEqual({ ...first, findings: {} });
    expect(read(lines, 'x')).toBe(second);
    const others = [read(['PUT /a HTTP/1.1', HOST]), read(['PUT /A HTTP/1.1', HOST, 'content-length: 3'])];
    for (const other of others) expect(other?.findings).not.toBe(second?.findings);
  });

  it('is never taken for another, however many come again', () => {
    const places = Array.from({ length: 5_000 }, (_, at) => at);
    const twice = places.map((at) => [asking(at), asking(at)]);
    expect(twice.map(([, head]) => head?.target)).toEqual(places.map((at) => `/${at}`));
    const kept = places.filter((at) => asking(at) === twice[at]?.[1]).length;
    expect([kept > 100, kept <= 1024]).toEqual([true, true]);
  });

  it('once is not kept, lest those that never come again take the place of others', () => {
    const [known] = [asking(0), asking(0)].slice(1);
    for (let at = 1; at < 50_000; at += 1) asking(at);
    expect(asking(0)).toBe(known);
  });

  it('is read again where it is long', () => {
    const lines = ['GET / HTTP/1.1', HOST, `x: ${'y'.repeat(2048)}`];
    const heads = [read(lines), read(lines), read(lines)];
    expect(heads[1]).toEqual(heads[0]);
    expect(new Set(heads).size).toBe(3);
  });
});

describe('A head is left to Node', () => {
  const LINE = 'GET / HTTP/1.1';
  it.each<[name: string, text: string]>([
    ['that is not all there', `${LINE}\r\n${HOST}\r\n`],
    ['after an empty line', `\r\n${LINE}\r\n${HOST}\r\n\r\n`],
    ['without a field', `${LINE}\r\n\r\n`],
    ['without a Host', `${LINE}\r\nx: y\r\n\r\n`],
    ...['GET  / HTTP/1.1', 'GET / HTTP/1.1 ', ' GET / HTTP/1.1', 'GET\t/ HTTP/1.1', 'GET /'].map(lineCase),
    ...['GET / HTTP/1.0', 'GET / HTTP/2.0', 'GET / http/1.1', 'get / HTTP/1.1', 'TRACE / HTTP/1.1'].map(lineCase),
    ...['GET * HTTP/1.1', 'GET http://localhost/ HTTP/1.1', 'CONNECT localhost:80 HTTP/1.1'].map(lineCase),
    ...['GET /a#b HTTP/1.1', 'GET /\0 HTTP/1.1', 'GET /\u00e9 HTTP/1.1', 'GET /a\\b HTTP/1.1'].map(lineCase),
    ...['GET /\nx HTTP/1.1', 'GET / HTTP/1.1\nx: y', 'GET / HTTP/1.1\rx: y'].map(lineCase),
    ...['x : y', ' x: y', 'x', ': y', 'x y: z', 'x_y: z', '__proto__: x', '\u00e9: x', 'x\0: y'].map(fieldCase),
    ...['x: a\tb', 'x:\ta', 'x: \0', 'x: \u00e9', 'x: a\nb: c', 'x: a\rb: c', 'x: a\r\n b'].map(fieldCase),
    ...['x: a\r\nx: a', 'x: a\r\nX: b', 'host: localhost', 'HOST: other'].map(fieldCase),
    ...['content-length: 1\r\ncontent-length: 1', 'content-length: 01', 'content-length: +1'].map(fieldCase),
    ...['content-length: 1, 1', 'content-length: 0x1', 'content-length: -1', 'content-length:'].map(fieldCase),
    ...['content-length: 1 1', 'content-length: 1234567890123456', 'content-length: 1e3'].map(fieldCase),
    ...['Content-Length: 1\r\nContent-Length: 1\r\nx: y', 'Content-Length: 01\r\nx: y'].map(fieldCase),
    ...['Content-Length: 1\r\nx: y\r\ncontent-length: 1', 'Content-Length: 1, 1\r\nx: y'].map(fieldCase),
    ...['Content-Length: 1\r\n x: y', 'Content-Length: \r\nx: y', 'Content-Length: 1\nx: y\r\nz: y'].map(fieldCase),
    ...['transfer-encoding: chunked', 'Transfer-Encoding: identity', 'te: trailers', 'trailer: x'].map(fieldCase),
    ...['upgrade: h2c', 'http2-settings: x', 'expect: 100-continue', 'keep-alive: timeout=1'].map(fieldCase),
    ...['connection: upgrade', 'connection: close, x', 'connection: x-token', 'connection:'].map(fieldCase),
    ...['proxy-connection: close', 'set-cookie: a=b', 'cookie: a=b'].map(fieldCase),
    [
      'with many fields',
      `${LINE}\r\n${HOST}${Array.from({ length: 64 }, (_, at) => `\r\nx-${at}: y`).join('')}\r\n\r\n`,
    ],
    ['that is long', `${LINE}\r\n${HOST}\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`],
  ])('%s', (_name, text) => {
    const bytes = Buffer.from(text, 'latin1');
    expect([reader.read(bytes), reader.read(bytes)]).toEqual([undefined, undefined]);
  });

  function lineCase(line: string): [string, string] {
    return [`that begins with ${JSON.stringify(line)}`, `${line}\r\n${HOST}\r\n\r\n`];
  }

  function fieldCase(field: string): [string, string] {
    return [`with ${JSON.stringify(field)}`, `${LINE}\r\n${HOST}\r\n${field}\r\n\r\n`];
  }
});
