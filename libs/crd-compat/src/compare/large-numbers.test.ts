import { describe, expect, test } from 'vitest';
import { check, widget } from '../testing.js';

type Fields = Readonly<Record<string, unknown>>;

const integer = { type: 'integer' };
const LARGEST = 2n ** 63n - 1n;
const EXACT = 2n ** 53n;

/** The findings of a change of `spec.a`, with the value that proves each error. */
function findingsOf(required: Fields, live: Fields): readonly string[] {
  return check(widget({ a: required }), widget({ a: live })).findings.map(({ proof, rule }) => {
    if (typeof proof !== 'object') return `${rule} ${proof ?? ''}`.trim();
    const { spec } = proof.request.object as { readonly spec?: { readonly a?: unknown } };
    return `${rule} ${String(spec?.a)}`;
  });
}

describe('numbers beyond 2^53', () => {
  test.each<readonly [string, Fields, Fields, readonly string[]]>([
    [
      'a maximum',
      { ...integer, maximum: EXACT + 2n },
      { ...integer, maximum: EXACT },
      ['maximum-tightened 9007199254740993'],
    ],
    [
      'a minimum',
      { ...integer, minimum: -EXACT - 2n },
      { ...integer, minimum: -EXACT },
      ['minimum-tightened -9007199254740993'],
    ],
    // The server keeps bounds as floating point numbers: these are the same.
    ['a maximum that is the same as a float', { ...integer, maximum: EXACT + 1n }, { ...integer, maximum: EXACT }, []],
    ['a minimum that every integer has', integer, { ...integer, minimum: -LARGEST - 1n }, []],
    [
      'an enum',
      { ...integer, enum: [LARGEST, LARGEST - 1n] },
      { ...integer, enum: [LARGEST] },
      ['enum-value-removed 9223372036854775806'],
    ],
    [
      'a default',
      { ...integer, default: LARGEST },
      { ...integer, default: LARGEST - 1n },
      ['default-changed undefined'],
    ],
    ['alternatives', { ...integer, allOf: [{ maximum: EXACT * 4n }] }, { ...integer, maximum: EXACT * 4n }, []],
  ])('are compared exactly in %s', (_what, required, live, found) => {
    expect(findingsOf(required, live)).toEqual(found);
  });

  test('are written as they are', () => {
    const { findings } = check(widget({ a: integer }), widget({ a: { ...integer, maximum: LARGEST } }));
    expect(findings.map(({ message }) => message)).toEqual([
      'maximum of spec.a is 9223372036854775807 and was not limited',
    ]);
  });
});
