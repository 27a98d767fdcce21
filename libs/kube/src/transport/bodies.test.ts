import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesPayload, LineSplitter, wireFrame } from './bodies.js';

describe('LineSplitter', () => {
  it('gives the same lines however the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => `x${text.replaceAll('\n', '')}`)),
        fc.array(fc.nat(40)),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const got: string[] = [];
          const splitter = new LineSplitter((line) => got.push(Buffer.from(line).toString('utf8')));
          let at = 0;
          for (const cut of cuts) {
            splitter.push(bytes.subarray(at, at + cut));
            at += cut;
          }
          splitter.push(bytes.subarray(at));
          expect(got).toEqual(lines.map((line) => `${line}\n`));
          expect(splitter.torn).toBe(false);
        },
      ),
    );
  });

  it('knows when it stopped inside a line', () => {
    const splitter = new LineSplitter(() => {});
    splitter.push(Buffer.from('{"a":1}\n{"b"'));
    expect(splitter.torn).toBe(true);
  });
});

describe('wireFrame', () => {
  it('reads the type without parsing the object', () => {
    const line = Buffer.from('{"type":"MODIFIED","object":this is not JSON}\n');
    const frame = wireFrame(line);
    expect(frame.type).toBe('MODIFIED');
    expect(frame.bytes()).toBe(line);
    expect(() => frame.object()).toThrow('invalid character');
  });

  it('parses once, exactly and frozen, also when the keys come in another order', () => {
    const frame = wireFrame(Buffer.from('{ "object": {"a": 9007199254740993, "b": [{}]}, "type": "DELETED" }\n'));
    expect(frame.type).toBe('DELETED');
    const object = frame.object() as { a: bigint; b: object[] };
    expect(object.a).toBe(9007199254740993n);
    expect(frame.object()).toBe(object);
    expect(Object.isFrozen(object.b[0])).toBe(true);
  });

  it.each(['{"type":"WRONG","object":{}}', '[]', '{"type":"ADDED"}'])('refuses %s', (line) => {
    expect(() => wireFrame(Buffer.from(`${line}\n`)).object()).toThrow('the watch sent a line that is not an event');
  });
});

describe('bytesPayload', () => {
  it('decodes JSON of several chunks once, and anything else as text', () => {
    const body = bytesPayload([Buffer.from('{"a":'), Buffer.from('[1]}')], 'application/json; charset=utf-8');
    expect(body.value()).toEqual({ a: [1] });
    expect(body.value()).toBe(body.value());
    expect(bytesPayload([Buffer.from('404 page not found\n')], 'text/plain').value()).toBe('404 page not found\n');
  });
});
