import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeFieldValue, FieldMatcher, parseFieldSelector, unescapeFieldValue } from './field-selector.js';
import { SelectorError } from './requirement.js';

describe('a field selector text', () => {
  it.each([
    ['', ''],
    [',,', ''],
    ['=', ''],
    ['a=b', 'a=b'],
    ['a==b', 'a=b'],
    ['a!=b', 'a!=b'],
    ['a=', 'a='],
    ['z=1,a=2', 'a=2,z=1'],
    ['a=x\\,y\\=z\\\\', 'a=x\\,y\\=z\\\\'],
    ['spec.x =b', 'spec.x =b'],
  ])('%j is canonically %j', (text, canonical) => {
    expect(parseFieldSelector(text).toString()).toBe(canonical);
  });

  it.each([
    ['xx', "invalid selector: 'xx'; can't understand 'xx'"],
    ['a=b,xx', "invalid selector: 'a=b,xx'; can't understand 'xx'"],
    ['a=\\z', 'invalid field selector: invalid escape sequence: \\z'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(new SelectorError(message));
  });

  it('carries any value through its escapes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\\', ',', '=', '😀') }), (value) => {
        expect(unescapeFieldValue(escapeFieldValue(value))).toBe(value);
        expect(parseFieldSelector(`f=${escapeFieldValue(value)}`).requiresExactMatch('f')).toBe(value);
      }),
    );
  });
});

describe('a field matcher', () => {
  const get = (field: string): string => ({ a: '1', b: '' })[field] ?? '';

  it.each([
    ['', true],
    ['a=1', true],
    ['a=2', false],
    ['a!=1', false],
    ['a!=2', true],
    ['b=', true],
    ['missing=', true],
    ['missing!=', false],
    ['a=1,b=x', false],
  ])('%j gives %s', (text, expected) => {
    expect(parseFieldSelector(text).matches(get)).toBe(expected);
  });

  it('returns the value a field must have', () => {
    const matcher = parseFieldSelector('metadata.name=x,a!=b');
    expect(matcher.requiresExactMatch('metadata.name')).toBe('x');
    expect(matcher.requiresExactMatch('a')).toBeUndefined();
    expect(parseFieldSelector('')).toBe(FieldMatcher.everything);
    expect([matcher.isEmpty(), FieldMatcher.everything.isEmpty()]).toEqual([false, true]);
  });

  it('is rewritten condition by condition, and loses those made empty', () => {
    const rewritten = parseFieldSelector('a=1,b!=2').transform((field, value) =>
      field === 'a' ? { field: '', value: '' } : { field: field.toUpperCase(), value: `${value}!` },
    );
    expect(rewritten.toString()).toBe('B!=2!');
  });
});
