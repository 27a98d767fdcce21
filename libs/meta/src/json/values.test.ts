import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBytes } from './compare-bytes.js';
import { goFormat, goFormatString, goTypeName } from './go-format.js';
import { canonicalHash, canonicalJson, stringifyJson } from './stringify.js';
import { adoptJson, cloneJson, deepEqual, deepFreeze } from './values.js';

const withProto: unknown = JSON.parse('{"a":{"__proto__":{"x":[1]},"b":2}}');

describe('deepEqual', () => {
  it.each([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: undefined }, { b: undefined }, true],
    [{ a: null }, {}, false],
    [{ a: undefined }, { a: null }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [[1, 2], [2, 1], false],
    [[1], [1, undefined], false],
    [[], {}, false],
    [{}, [], false],
    [null, {}, false],
    [{}, null, false],
    [1, 1n, false],
    [2n, 2n, true],
    ['1', 1, false],
    [0, false, false],
    [JSON.parse('{"__proto__":{}}'), { x: 1 }, false],
    [{ x: 1 }, JSON.parse('{"__proto__":{}}'), false],
    [JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}'), true],
    [{ constructor: 1 }, {}, false],
    [{ toString: {} }, { valueOf: {} }, false],
  ])('of %o and %o is %s', (a, b, equal) => {
    expect(deepEqual(a, b)).toBe(equal);
    expect(deepEqual(b, a)).toBe(equal);
  });

  it('holds exactly when the canonical texts are equal', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(deepEqual(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
      }),
    );
  });
});

describe('adoptJson', () => {
  it('shares what is equal, and only that', () => {
    const before = deepFreeze({ a: { b: [1, { c: 2 }] }, d: [{ e: 3 }, { f: 4 }], g: { h: 5 } });
    const value = { a: { b: [1, { c: 2 }] }, d: [{ e: 3 }, { f: 0 }], g: { h: 5, i: 6 } };
    const adopted = adoptJson(value, before);
    expect(adopted).toEqual(value);
    expect([adopted.a === before.a, adopted.d[0] === before.d[0]]).toEqual([true, true]);
    expect([adopted.d, adopted.d[1], adopted.g].some((part) => Object.isFrozen(part))).toBe(false);
    expect([adopted.d === value.d, adopted.d[1] === value.d[1], adopted.g === value.g]).toEqual([false, false, false]);
  });

  it('returns the value written, whatever other members there are', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(canonicalJson(adoptJson(a, deepFreeze(b)))).toBe(canonicalJson(a));
        expect(canonicalJson(adoptJson({ a, b }, deepFreeze({ a: cloneJson(a), b: a })))).toBe(canonicalJson({ a, b }));
      }),
    );
    expect(canonicalJson(adoptJson(withProto, { a: { b: 2 } }))).toBe(canonicalJson(withProto));
    expect(canonicalJson(adoptJson({ a: { b: 2 } }, withProto))).toBe('{"a":{"b":2}}');
    expect(Object.is((adoptJson({ x: -0 }, { x: 0 }) as { x: number }).x, -0)).toBe(true);
  });
});

describe('cloneJson', () => {
  it('copies deeply and keeps __proto__ an own key', () => {
    const copy = cloneJson(withProto) as { a: object };
    expect(canonicalJson(copy)).toBe('{"a":{"__proto__":{"x":[1]},"b":2}}');
    expect(Object.getPrototypeOf(copy.a)).toBe(Object.prototype);
    expect((copy.a as { __proto__: { x: unknown } }).__proto__.x).not.toBe(
      (withProto as { a: { __proto__: { x: unknown } } }).a.__proto__.x,
    );
  });

  it('thaws', () => {
    const copy = cloneJson(deepFreeze({ a: [{ b: 1 }], c: 3n }));
    copy.a.push({ b: 2 });
    expect(copy).toEqual({ a: [{ b: 1 }, { b: 2 }], c: 3n });
  });

  it('gives an equal value that shares no node', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = cloneJson(value);
        expect(deepEqual(copy, value)).toBe(true);
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
      }),
    );
  });
});

describe('deepFreeze', () => {
  it('freezes every node, __proto__ members included', () => {
    const value = deepFreeze(cloneJson(withProto)) as { a: { __proto__: { x: unknown[] } } };
    expect(Object.isFrozen(value.a.__proto__.x)).toBe(true);
    expect(Object.isFrozen(value.a)).toBe(true);
    expect(Object.isFrozen(value)).toBe(true);
    expect(Object.isFrozen(Object.prototype)).toBe(false);
  });
});

describe('stringifyJson', () => {
  it.each([
    [{ a: 1, b: [true, null, 'x'] }, '{"a":1,"b":[true,null,"x"]}'],
    [
      { b: 9007199254740993n, a: { c: [-9223372036854775808n] } },
      '{"b":9007199254740993,"a":{"c":[-9223372036854775808]}}',
    ],
    [{ a: undefined, b: [undefined], c: 1n }, '{"b":[null],"c":1}'],
    [{ '\u2028"\n': 1n, d: '\ud800' }, '{"\u2028\\"\\n":1,"d":"\\ud800"}'],
    [JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    [5n, '5'],
    [{ a: -0, b: 1e21, c: 1n }, '{"a":0,"b":1e+21,"c":1}'],
    [undefined, 'null'],
  ])('writes %o', (value, text) => {
    expect(stringifyJson(value)).toBe(text);
    expect(stringifyJson(value, { hasBigInt: true })).toBe(text);
  });
});

describe('canonicalJson', () => {
  it('sorts keys by their UTF-8 bytes at every level', () => {
    const value = { '\u{10000}': 1, '\uffff': 2, b: { 10: 1, 9: 2, a: [{ z: 1, y: 2n }] }, B: 3 };
    expect(canonicalJson(value)).toBe('{"B":3,"b":{"10":1,"9":2,"a":[{"y":2,"z":1}]},"\uffff":2,"\u{10000}":1}');
  });

  it('hashes equal values equally and others not', () => {
    expect(canonicalHash({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
    expect(canonicalHash({ a: 1, b: 2 })).toBe(canonicalHash({ b: 2, a: 1 }));
    expect(canonicalHash({ a: 1 })).not.toBe(canonicalHash({ a: '1' }));
  });
});

describe('compareBytes', () => {
  it('orders as the UTF-8 encodings do', () => {
    const unit = fc.constantFrom(
      'a',
      'b',
      '\u007f',
      '\u0080',
      '\u07ff',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '\u{10000}',
      '\u{10ffff}',
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(unit).map((units) => units.join('')),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});

describe('Go formatting', () => {
  it.each([
    [{ b: 1, a: [1, 'x', null, true, {}] }, 'map[a:[1 x <nil> true map[]] b:1]'],
    [1.5, '1.5'],
    [123456789.25, '1.2345678925e+08'],
    [123456.75, '123456.75'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1e20, '1e+20'],
    [100000000, '100000000'],
    [9007199254740993n, '9007199254740993'],
  ])('of %o', (value, text) => {
    expect(goFormat(value)).toBe(text);
  });

  it.each([
    ['x', 'x', 'string'],
    [5, '%!s(int64=5)', 'int64'],
    [1.5, '%!s(float64=1.5)', 'float64'],
    [true, '%!s(bool=true)', 'bool'],
    [null, '%!s(<nil>)', '%!s(<nil>)'],
    [{}, 'map[]', 'map[string]interface {}'],
    [[], '[]', '[]interface {}'],
  ])('of %o as a string', (value, text, type) => {
    expect(goFormatString(value)).toBe(text);
    expect(goTypeName(value)).toBe(type);
  });
});
