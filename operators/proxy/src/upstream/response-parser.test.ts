import { describe, expect, it } from 'vitest';
import { ProxyError } from '../errors.js';
import type { ResponseHeaders } from './response-head.js';
import { ResponseParser } from './response-parser.js';
import type { ResponseExpectation, ResponseListener } from './response-parser.js';

class Notes implements ResponseListener {
  heads: [number, ResponseHeaders][] = [];
  body = '';
  ended = 0;
  trailers: ResponseHeaders | undefined;
  rest: string | undefined;

  onHead(status: number, headers: ResponseHeaders): void {
    this.heads.push([status, headers]);
  }

  onData(chunk: Buffer): void {
    this.body += chunk.toString('latin1');
  }

  onEnd(trailers: ResponseHeaders | undefined): void {
    this.ended += 1;
    this.trailers = trailers && { ...trailers };
  }

  onUpgrade(_headers: ResponseHeaders, rest: Buffer): void {
    this.rest = rest.toString('latin1');
  }
}

const PLAIN: ResponseExpectation = { isHead: false, isUpgrade: false };

function read(pieces: readonly string[], expectation = PLAIN): { notes: Notes; parser: ResponseParser } {
  const notes = new Notes();
  const parser = new ResponseParser();
  parser.expect(notes, expectation);
  for (const piece of pieces) parser.push(Buffer.from(piece, 'latin1'));
  return { notes, parser };
}

const WHOLE: readonly (readonly [name: string, text: string, status: number, body: string])[] = [
  ['with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 200, 'hello'],
  ['of no length', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 200, ''],
  [
    'in chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n7;x=y\r\n second\r\n0\r\n\r\n',
    200,
    'first second',
  ],
  [
    'in chunks with trailers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 7\r\nX-Sum: 8\r\n\r\n',
    200,
    'a',
  ],
  [
    'after others that say nothing',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx',
    201,
    'x',
  ],
  ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', 204, ''],
  ['of status 304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n', 304, ''],
];

describe('A response', () => {
  it.each(WHOLE)('%s is read whole however it is cut in two', (_name, text, status, body) => {
    for (let cut = 0; cut <= text.length; cut += 1) {
      const { notes, parser } = read([text.slice(0, cut), text.slice(cut)].filter((piece) => piece !== ''));
      expect([notes.heads.map(([code]) => code), notes.body, notes.ended, parser.isBusy]).toEqual([
        [status],
        body,
        1,
        false,
      ]);
    }
  });

  it.each(WHOLE)('%s is read byte by byte', (_name, text, status, body) => {
    const { notes } = read([...text]);
    expect([notes.heads[0]?.[0], notes.body, notes.ended]).toEqual([status, body, 1]);
  });

  it('keeps headers that come more than once apart', () => {
    const { notes } = read(['HTTP/1.1 200 OK\r\nWarning: a\r\nWARNING: b\r\nContent-Length: 0\r\n\r\n']);
    expect(notes.heads[0]?.[1]).toEqual({ warning: ['a', 'b'], 'content-length': '0' });
  });

  it('has its headers without the blanks around them, whatever they are called', () => {
    const lines = [
      '__proto__: p',
      'constructor:c',
      'toString:  t',
      'A:',
      'B: \t ',
      'C: c \t',
      'D: \u00c3\u00a0',
      'E: :e: ',
    ];
    const { notes } = read([`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`]);
    expect(Object.entries(notes.heads[0]?.[1] ?? {})).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['tostring', 't'],
      ['a', ''],
      ['b', ''],
      ['c', 'c'],
      ['d', '\u00c3\u00a0'],
      ['e', ':e:'],
      ['content-length', '0'],
    ]);
  });

  it('gives trailers at its end', () => {
    const { notes } = read([WHOLE[3]?.[1] ?? '']);
    expect(notes.trailers).toEqual({ 'x-sum': ['7', '8'] });
  });

  it('to HEAD has no body whatever its Content-Length is', () => {
    const { notes } = read(['HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n'], { isHead: true, isUpgrade: false });
    expect([notes.body, notes.ended]).toEqual(['', 1]);
  });

  it('without a length ends with the connection, which is not used again', () => {
    const { notes, parser } = read(['HTTP/1.1 200 OK\r\n\r\nab', 'cd']);
    expect([notes.body, notes.ended, parser.close(), notes.ended, parser.canReuse]).toEqual([
      'abcd',
      0,
      true,
      1,
      false,
    ]);
  });

  it.each([
    ['in the middle of its head', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['before its length is reached', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell'],
    ['before its last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'],
    ['within its last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n'],
  ])('that breaks off %s is not whole', (_name, text) => {
    const { notes, parser } = read([text]);
    expect([parser.close(), notes.ended]).toEqual([false, 0]);
  });

  it.each([
    ['of HTTP/1.0 is not', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', false],
    ['of HTTP/1.0 with keep-alive is', 'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n', true],
    ['with close is not', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', false],
    ['of HTTP/1.1 is', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', true],
  ])('%s followed by another on its connection', (_name, text, canReuse) => {
    expect(read([text]).parser.canReuse).toBe(canReuse);
  });

  it('hands over what follows a change of protocol', () => {
    const { notes } = read(['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nearly'], {
      isHead: false,
      isUpgrade: true,
    });
    expect(notes.rest).toBe('early');
  });

  it.each([
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: 0x10\r\n\r\n'],
    ['another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
    ['a chunk longer than its declared size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc'],
    ['a line without CR', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n'],
    ['a header without a colon', 'HTTP/1.1 200 OK\r\nA\r\nB: c\r\n\r\n'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: c\r\n\r\n'],
    ['half a line end', 'HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n'],
    ['the other half of one', 'HTTP/1.1 200 OK\r\nA: b\rC: d\r\n\r\n'],
    ['a header with a space in its name', 'HTTP/1.1 200 OK\r\nA b: c\r\n\r\n'],
    ['a header that nobody may send on', 'HTTP/1.1 200 OK\r\nA: b\u0007c\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['a second response', 'HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
    ['a change of protocol that nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a line without an end', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1'.repeat(20_000)}`],
  ])('with %s is refused', (_name, text) => {
    expect(() => read([text])).toThrow(ProxyError);
  });

  it('is refused when nobody asked for it', () => {
    expect(() => new ResponseParser().push(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow('bytes without a request');
  });

  it('of a head without end is refused before memory is', () => {
    const parser = new ResponseParser();
    parser.expect(new Notes(), PLAIN);
    const piece = Buffer.alloc(256 * 1024, 'a');
    expect(() => {
      for (let count = 0; count < 8; count += 1) parser.push(piece);
    }).toThrow('more than 1048576 bytes');
  });
});

describe('Within a chunk', () => {
  it.each<[sent: string, isWithin: boolean]>([
    ['', false],
    ['5', false],
    ['5\r\n', true],
    ['5\r\nhell', true],
    ['5\r\nhello', false],
    ['5\r\nhello\r\n', false],
    ['5\r\nhello\r\n1\r\n', true],
    ['0\r\n', false],
    ['0\r\n\r\n', false],
  ])('%j is %s', (sent, isWithin) => {
    const { parser } = read([`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${sent}`]);
    expect(parser.isWithinChunk).toBe(isWithin);
  });

  it('of a known length is nothing', () => {
    expect(read(['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell']).parser.isWithinChunk).toBe(false);
  });
});
