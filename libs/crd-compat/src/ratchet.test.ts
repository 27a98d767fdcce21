import { expect, test } from 'vitest';
import { ratchet } from './ratchet.js';
import { conditionMessage, joinLines } from './render/message.js';
import { check, widget } from './testing.js';

const text = { type: 'string' };
const required = widget({ a: { ...text, maxLength: 9 }, b: text, c: { ...text, enum: ['A'] } });
const live = (maxLength: number, more: object = { b: text }): object =>
  widget({ a: { ...text, maxLength }, ...more, c: { ...text, enum: ['A'] } });

test.each<[string, object, object, readonly string[]]>([
  ['what stays as bad as it was is not new', live(5), live(5), []],
  ['what becomes better is judged by what is left', live(5, {}), live(5), []],
  ['a worse limit is new', live(5), live(4), ['max-length-tightened']],
  ['a milder limit is no new violation', live(5), live(6), []],
  ['another violation is new', live(5), live(5, {}), ['field-removed']],
  ['a fresh definition answers for everything', required, live(5, {}), ['max-length-tightened', 'field-removed']],
])('%s', (_name, before, after, expected) => {
  const fresh = ratchet(check(required, before), check(required, after));
  expect(fresh.map(({ rule }) => rule)).toEqual(expected);
});

test('a message has one line for each finding, errors first', () => {
  const bad = widget({ a: { ...text, maxLength: 5 }, b: text, c: { ...text, enum: ['A', 'B'] } });
  expect(conditionMessage(check(required, bad).findings)).toBe(
    'v1 spec.a: maxLength of spec.a is 5 and was 9 [max-length-tightened]\nv1 spec.c: spec.c may be "B" now [enum-value-added]',
  );
});

test('a message says of an error that nobody can prove that it is one', () => {
  const pattern = widget({ a: { ...text, pattern: '^a+$' } });
  const same = widget({ a: { ...text, pattern: '^aa*$' } });
  expect(conditionMessage(check(pattern, same).findings)).toBe(
    'v1 spec.a: spec.a must match another pattern (no example could be found, so safety cannot be proved) [pattern-changed]',
  );
});

test.each([
  [['b', 'b', 'a'], 100, 'b\na'],
  [['aaaaaa', 'bbbbbb', 'bbbbbb2', 'cccccc'], 21, 'aaaaaa\n… and 3 more'],
  [['aaaa', 'bbbb', 'cccc'], 14, 'aaaa\nbbbb\ncccc'],
  [['a'.repeat(50)], 10, `${'a'.repeat(9)}…`],
])('%j cut at %i is %j', (lines, limit, expected) => {
  expect(joinLines(lines, limit)).toBe(expected);
  expect(joinLines(lines, limit).length).toBeLessThanOrEqual(limit);
});
