import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonSyntaxError } from './errors.js';
import { readExactly } from './exact-reader.js';
import { duplicateFieldMessage, parseJson, readJsonNotes } from './parse.js';
import { deepEqual } from './values.js';

function errorOf(input: string | Uint8Array): JsonSyntaxError {
  try {
    parseJson(input);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error('no error');
}

function bytes(...parts: (string | number)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));
}

describe('parseJson numbers', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['-0.0', 0],
    ['-0.5', -0.5],
    ['1.0', 1],
    ['1e3', 1000],
    ['1E-2', 0.01],
    ['1e-400', 0],
    ['123456789012345', 123456789012345],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', 9223372036854775808],
    ['-9223372036854775809', -9223372036854775808],
    ['9007199254740993.0', 9007199254740992],
    ['0.12345678901234567890', 0.12345678901234568],
    ['123456789012345678901234567890', 1.2345678901234568e29],
  ])('reads %s', (text, value) => {
    for (const input of [text, `{"a":[${text}]}`]) {
      const result = parseJson(input);
      const found = input === text ? result.value : (result.value as { a: unknown[] }).a[0];
      expect(Object.is(found, value)).toBe(true);
      expect(result.hasBigInt).toBe(typeof value === 'bigint');
    }
  });

  it('refuses a number beyond float64, but only in valid text', () => {
    expect(errorOf('[1e400]').message).toBe('json: cannot unmarshal number 1e400 into Go value of type float64');
    expect(errorOf('[1e400').message).toBe('unexpected end of JSON input');
  });
});

describe('parseJson duplicates', () => {
  it.each([
    ['{"a":1,"a":2}', { a: 2 }, ['a']],
    ['{"a":1,"\\u0061":2}', { a: 2 }, ['a']],
    ['{"spec":{"replicas":1,"replicas":2}}', { spec: { replicas: 2 } }, ['spec.replicas']],
    [
      '{"spec":{"containers":[{"name":"a"},{"name":"b","name":"c"}]}}',
      { spec: { containers: [{ name: 'a' }, { name: 'c' }] } },
      ['spec.containers[1].name'],
    ],
    ['[[{"a":1,"a":2}]]', [[{ a: 2 }]], ['[0][0].a']],
    ['{"a":{"x":1,"y":2},"a":{}}', { a: {} }, ['a']],
    ['{"a":1,"a":2,"a":3}', { a: 3 }, ['a']],
    ['{"a":{"b":1,"b":2},"a":{"b":1,"b":2}}', { a: { b: 2 } }, ['a.b', 'a']],
    ['{"constructor":1}', { constructor: 1 }, []],
    ['{"1":1,"0":2}', { 0: 2, 1: 1 }, []],
    ['{"a":"{\\"b\\":1,\\"b\\":2}"}', { a: '{"b":1,"b":2}' }, []],
  ])('in %s', (text, value, paths) => {
    const result = parseJson(text);
    expect(result.value).toEqual(value);
    expect(result.duplicates.map(({ path }) => path)).toEqual(paths);
    expect(parseJson(text, { duplicates: false })).toMatchObject({ value, duplicates: [], hasBigInt: false });
  });

  it('stops at a hundred', () => {
    const members = Array.from({ length: 150 }, (_, k) => `"k${k}":1,"k${k}":2`).join(',');
    expect(parseJson(`{${members}}`).duplicates).toHaveLength(100);
  });

  it('are worded with Go quoting', () => {
    expect(duplicateFieldMessage('spec.replicas')).toBe('duplicate field "spec.replicas"');
    expect(duplicateFieldMessage('a"\n\u0001\u00a0\u00e9')).toBe('duplicate field "a\\"\\n\\x01\\u00a0\u00e9"');
  });
});

describe('what a text contains beyond its value', () => {
  it.each(['{"a":1.0}', '[1e2]', '{"a":99999999999999999999}', '{"a":1,"a":1}', '[[-0.5]]', '[-0]'])(
    'is noticed in %s',
    (text) => {
      expect(parseJson(text).hasExtra).toBe(true);
    },
  );

  it.each(['{"a":1}', '{"a":"1.0"}', '{"a":9007199254740993}', '"\\ud800"'])('is nothing in %s', (text) => {
    expect(parseJson(text).hasExtra).toBe(false);
  });

  it('is kept by the place it stands at', () => {
    const { value, notes } = readJsonNotes(Buffer.from('{"a":[0,1.0],"b":{"x":1},"b":{"y":2e0},"c":1.5,"c":2}'));
    const { a, b } = value as { a: unknown[]; b: object };
    expect(value).toEqual({ a: [0, 1], b: { y: 2 }, c: 2 });
    expect(notes.spellings.get(a)).toEqual(new Map([[1, '1.0']]));
    expect(notes.spellings.get(b)).toEqual(new Map([['y', '2e0']]));
    expect(notes.spellings.get(value as object)?.get('c')).toBeUndefined();
    expect(notes.replaced.get(value as object)).toEqual(
      new Map([
        ['b', [{ value: { x: 1 }, spelling: undefined }]],
        ['c', [{ value: 1.5, spelling: '1.5' }]],
      ]),
    );
  });
});

describe('parseJson prototypes', () => {
  it.each([
    '{"__proto__":{"x":1}}',
    '{"__proto__":{"x":1},"n":9007199254740993}',
    '{"__proto__":1,"__proto__":{"x":1}}',
  ])('keeps __proto__ an ordinary key in %s', (text) => {
    const value = parseJson(text).value as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')).toEqual({
      value: { x: 1 },
      writable: true,
      enumerable: true,
      configurable: true,
    });
  });
});

describe('parseJson text', () => {
  it.each([
    ['"\\ud83d\\ude00"', '\u{1f600}'],
    ['"\u{1f600}"', '\u{1f600}'],
    ['"\\ud800"', '\ufffd'],
    ['"\\udc00\\ud800"', '\ufffd\ufffd'],
    ['"\\ud800\\u0041"', '\ufffdA'],
    ['"\\ud800\\ud800\\udc00"', '\ufffd\u{10000}'],
    ['"\ud800"', '\ufffd'],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"', '"\\/\b\f\n\r\t\u00e9'],
    ['"\u2028\u007f"', '\u2028\u007f'],
  ])('decodes %s', (text, value) => {
    expect(parseJson(text).value).toBe(value);
  });

  it.each([
    [bytes('"', 0xff, '"'), '\ufffd'],
    [bytes('"', 0xe2, 0x82, 'x"'), '\ufffd\ufffdx'],
    [bytes('"', 0xed, 0xa0, 0x80, '"'), '\ufffd\ufffd\ufffd'],
    [bytes('"', 0xf0, 0x9f, 0x98, '"'), '\ufffd\ufffd\ufffd'],
    [bytes('"', 0xc0, 0x80, '"'), '\ufffd\ufffd'],
    [bytes('"\u{1f600}\ufffd\u00e9"'), '\u{1f600}\ufffd\u00e9'],
  ])('repairs %o byte by byte', (input, value) => {
    expect(parseJson(input).value).toBe(value);
  });

  it('reads a view into a larger buffer', () => {
    const buffer = Buffer.from('xx{"a":9007199254740993}yy');
    expect(parseJson(buffer.subarray(2, buffer.length - 2)).value).toEqual({ a: 9007199254740993n });
  });
});

describe('parseJson errors', () => {
  it.each([
    ['', 'unexpected end of JSON input', 0, 1, 1],
    ['  ', 'unexpected end of JSON input', 2, 1, 2],
    ['x', "invalid character 'x' looking for beginning of value", 1, 1, 1],
    ['{"a":1}x', "invalid character 'x' after top-level value", 8, 1, 8],
    ['{"a"}', "invalid character '}' after object key", 5, 1, 5],
    ['{"a":1 "b"}', `invalid character '"' after object key:value pair`, 8, 1, 8],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string", 2, 1, 2],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string", 8, 1, 8],
    ['[1,]', "invalid character ']' looking for beginning of value", 4, 1, 4],
    ['[1 2]', "invalid character '2' after array element", 4, 1, 4],
    ['{\n "a": tru\n}', "invalid character '\\n' in literal true (expecting 'e')", 12, 2, 10],
    ['{"a":1,\n"b" 1}', "invalid character '1' after object key", 13, 2, 5],
    ['nul', "invalid character ' ' in literal null (expecting 'l')", 3, 1, 3],
    ['-', "invalid character ' ' in numeric literal", 1, 1, 1],
    ['-x', "invalid character 'x' in numeric literal", 2, 1, 2],
    ['01', "invalid character '1' after top-level value", 2, 1, 2],
    ['1.x', "invalid character 'x' after decimal point in numeric literal", 3, 1, 3],
    ['1ex', "invalid character 'x' in exponent of numeric literal", 3, 1, 3],
    ['"abc', 'unexpected end of JSON input', 4, 1, 4],
    ['"\\', "invalid character ' ' in string escape code", 2, 1, 2],
    ['"\\x"', "invalid character 'x' in string escape code", 3, 1, 3],
    ['"\\u12G4"', "invalid character 'G' in \\u hexadecimal character escape", 6, 1, 6],
    ['"\u0001"', "invalid character '\\x01' in string literal", 2, 1, 2],
    ["'a'", "invalid character '\\'' looking for beginning of value", 1, 1, 1],
    ['\u00e9', "invalid character '\u00c3' looking for beginning of value", 1, 1, 1],
    ['\ufeff{}', "invalid character '\u00ef' looking for beginning of value", 1, 1, 1],
    ['{"a":1', 'unexpected end of JSON input', 6, 1, 6],
  ])('names the fault in %j', (text, ...expected) => {
    for (const input of [text, Buffer.from(text)]) {
      const { message: found, offset: at, line: row, column: col } = errorOf(input);
      expect([found, at, row, col]).toEqual(expected);
    }
  });
});

describe('parseJson depth', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  it('reads a thousand levels and refuses one more', () => {
    expect(Array.isArray(parseJson(nested(1_000)).value)).toBe(true);
    expect(parseJson(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`).duplicates).toEqual([]);
    const { message, offset } = errorOf(nested(1_001));
    expect([message, offset]).toEqual(["invalid character '[' exceeded max depth", 1_001]);
  });

  it('takes a lower limit on the fast path too', () => {
    expect(parseJson(nested(3), { maxDepth: 3 }).value).toEqual([[[]]]);
    expect(() => parseJson(nested(4), { maxDepth: 3 })).toThrow("invalid character '[' exceeded max depth");
  });
});

describe('the two readers', () => {
  it('agree on everything the native parser reads exactly', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        const fast = parseJson(text);
        const exact = readExactly(Buffer.from(text), 1_000);
        expect(deepEqual(fast.value, exact.value)).toBe(true);
        expect(exact.duplicates).toEqual([]);
      }),
    );
  });

  it('agree on what is no JSON', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '1',
      '-',
      '.',
      'e',
      'true',
      'nul',
      ' ',
      '"',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
        const text = tokens.join('');
        const outcome = (run: () => unknown): string => {
          try {
            run();
            return 'read';
          } catch {
            return 'refused';
          }
        };
        expect(outcome(() => readExactly(Buffer.from(text), 1_000))).toBe(outcome(() => JSON.parse(text)));
      }),
    );
  });
});
