import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QuantityError } from './parse-parts.js';
import {
  addQuantity,
  canonicalQuantity,
  compareQuantity,
  formatQuantity,
  parseQuantity,
  quantityFromJson,
  scaledQuantity,
  subQuantity,
  type Quantity,
} from './quantity.js';

/** Whole multiples of 10^21, which the server writes without a suffix, and so as other values. */
function isBeyondSuffixes({ mantissa, exponent, format, text }: Quantity): boolean {
  if (format !== 'DecimalSI' || mantissa === 0n || text !== undefined) return false;
  return exponent >= 21 || mantissa % 10n ** BigInt(21 - exponent) === 0n;
}

describe('canonicalQuantity', () => {
  it.each([
    ['0', '0'],
    ['0.0', '0'],
    ['-0', '0'],
    ['1', '1'],
    ['1000', '1k'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['1.', '1.'],
    ['1.5', '1500m'],
    ['1.500', '1.500'],
    ['1.5k', '1500'],
    ['12e6', '12e6'],
    ['1e3', '1e3'],
    ['1e4', '10e3'],
    ['1E3', '1E3'],
    ['100e-3', '100e-3'],
    ['1024', '1024'],
    ['1024Ki', '1Mi'],
    ['1025Ki', '1025Ki'],
    ['1.5Gi', '1536Mi'],
    ['0.5Gi', '512Mi'],
    ['0.5Ki', '512'],
    ['0.1Ki', '102400m'],
    ['1.1Ki', '1126400m'],
    ['1Ki', '1Ki'],
    ['-1Ki', '-1Ki'],
    ['1000Ki', '1000Ki'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['-0.1n', '-1n'],
    ['1.1n', '2n'],
    ['0.0000000001', '1n'],
    ['1e-12', '1e-9'],
    ['8Ei', '9223372036854775807'],
    ['-8Ei', '-9223372036854775807'],
    ['9223372036854775808', '9223372036854775808'],
    ['1000E', '1'],
    ['005', '005'],
    ['+5', '+5'],
    ['+1000', '1k'],
    ['-', '0'],
    // The server has no suffix beyond E and writes none: the value is lost there, and so it is here.
    ['3125000000000000000M', '3125'],
    ['1000E', '1'],
    ['1e1000000000', '10e999999999'],
    ['1e-1000000000', '1e-9'],
  ])('of %s is %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each([
    ['', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    [' 1', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1..5', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1x', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1K', "unable to parse quantity's suffix"],
    ['1Mii', "unable to parse quantity's suffix"],
    ['1e', "unable to parse quantity's suffix"],
    ['1e99999999999999999999', "unable to parse quantity's suffix"],
    ['Pi', 'unable to parse numeric part of quantity'],
  ])('refuses %s', (text, message) => {
    let thrown: unknown;
    try {
      canonicalQuantity(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(QuantityError);
    expect((thrown as QuantityError).message).toBe(message);
  });

  it('is a fixed point of the value, in one family of suffixes', () => {
    const text = fc
      .tuple(
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'Ki', 'Mi', 'e3', 'e-6'),
      )
      .map(([number, suffix]) => `${number}${suffix}`);
    fc.assert(
      fc.property(text, (source) => {
        const parsed = parseQuantity(source);
        fc.pre(!isBeyondSuffixes(parsed));
        const again = parseQuantity(formatQuantity(parsed));
        expect(compareQuantity(parsed, again)).toBe(0);
        expect(formatQuantity(again)).toBe(formatQuantity(parsed));
      }),
    );
  });
});

describe('quantityFromJson', () => {
  it.each([
    [' 1Gi ', '1Gi'],
    [2, '2'],
    [0.5, '500m'],
    [9007199254740993n, '9007199254740993'],
    [null, '0'],
  ])('reads %s', (value, text) => {
    expect(formatQuantity(quantityFromJson(value))).toBe(text);
  });
});

describe('arithmetic', () => {
  it.each([
    ['1', '1000m', 0],
    ['1Ki', '1k', 1],
    ['-1', '0', -1],
    ['-2', '-1', -1],
    ['1e9', '1Gi', -1],
    ['1n', '0', 1],
    ['1e1000000', '1e999999', 1],
    ['-1e1000000', '1', -1],
  ])('compares %s and %s', (a, b, order) => {
    expect(compareQuantity(parseQuantity(a), parseQuantity(b))).toBe(order);
    expect(compareQuantity(parseQuantity(b), parseQuantity(a))).toBe(order === 0 ? 0 : -order);
  });

  it.each([
    ['100m', '900m', '1', '-800m'],
    ['1Gi', '1Mi', '1025Mi', '1023Mi'],
    ['1Gi', '1M', '1074741824', '1072741824'],
    ['0', '1Ki', '1Ki', '-1Ki'],
    ['1', '1Ki', '1025', '-1023'],
    ['1n', '1k', '1000000000001n', '-999999999999n'],
  ])('of %s and %s: sum %s, difference %s', (a, b, sum, difference) => {
    expect(formatQuantity(addQuantity(parseQuantity(a), parseQuantity(b)))).toBe(sum);
    expect(formatQuantity(subQuantity(parseQuantity(a), parseQuantity(b)))).toBe(difference);
  });

  it.each([
    ['1500m', 0, 2n],
    ['-1500m', 0, -2n],
    ['1500m', -3, 1500n],
    ['1n', 0, 1n],
    ['2Ki', 0, 2048n],
    ['1e-1000000', -3, 1n],
    ['1e1000000000', -3, 10n ** 4096n],
    ['-1e1000000000', 0, -(10n ** 4096n)],
  ])('scales %s to 10^%s', (text, scale, value) => {
    expect(scaledQuantity(parseQuantity(text), scale)).toBe(value);
  });

  it.each([
    ['1e1000000000', '1', '10e999999999'],
    ['1e0', '-1e1000000000', '-10e999999999'],
    ['1e1000000000', '0', '10e999999999'],
  ])('adds %s and %s without a digit for each power between them', (a, b, sum) => {
    expect(formatQuantity(addQuantity(parseQuantity(a), parseQuantity(b)))).toBe(sum);
  });

  it('compares the same amount with and without its zeros', () => {
    const [short, long] = [parseQuantity('1e5000'), parseQuantity(`1${'0'.repeat(5000)}`)];
    const more = parseQuantity(`1${'0'.repeat(4999)}1`);
    expect([compareQuantity(short, long), compareQuantity(more, short)]).toEqual([0, 1]);
  });
});

describe('long quantities', () => {
  it.each([
    ['1'.repeat(200_000) + 'x', 'quantities must match'],
    ['1e' + '9'.repeat(200_000), "unable to parse quantity's suffix"],
    ['.'.repeat(200_000), 'quantities must match'],
  ])('that are none are refused at once (%#)', (text, message) => {
    expect(() => canonicalQuantity(text)).toThrow(message);
  });

  it('lose their zeros at once', () => {
    expect(canonicalQuantity(`1${'0'.repeat(99_999)}e-99990`)).toBe('1e9');
  });
});
