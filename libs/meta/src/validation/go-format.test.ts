import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBytes } from '../json/compare-bytes.js';
import { goQuote } from '../json/go-text.js';
import { goJson, goStringSlice, isPrintable, utf8Length } from './go-format.js';

const encoder = new TextEncoder();

describe('Go formatting', () => {
  it('orders strings by their UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const expected = Buffer.compare(Buffer.from(a), Buffer.from(b));
        expect(Math.sign(compareBytes(a, b))).toBe(expected);
      }),
    );
    expect(compareBytes('\uffff', '😀')).toBeLessThan(0);
  });

  it('counts UTF-8 bytes, lone surrogates as the replacement character', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff)), (units) => {
        const text = String.fromCharCode(...units);
        expect(utf8Length(text)).toBe(encoder.encode(text).length);
      }),
    );
  });

  it('writes JSON that parses back to the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(goJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('quotes so that nothing unprintable is left', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const character of goQuote(text)) expect(isPrintable(character)).toBe(true);
      }),
    );
  });

  it('prints a list of strings as a Go literal', () => {
    expect(goStringSlice(['a', 'b"'])).toBe('[]string{"a", "b\\""}');
    expect(goStringSlice([])).toBe('[]string{}');
  });
});
