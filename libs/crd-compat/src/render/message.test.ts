import { expect, test } from 'vitest';
import { check, widget } from '../testing.js';
import { conditionMessage, joinLines } from './message.js';

const text = { type: 'string' };
const required = widget({ a: { ...text, maxLength: 9 }, b: text, c: { ...text, enum: ['A'] } });

test('a message has one line for each finding, errors first', () => {
  const bad = widget({ a: { ...text, maxLength: 5 }, b: text, c: { ...text, enum: ['A', 'B'] } });
  expect(conditionMessage(check(required, bad).findings)).toBe(
    'v1 spec.a: maxLength of spec.a is 5 and was 9 [max-length-tightened]\nv1 spec.c: spec.c may be "B" now [enum-value-added]',
  );
});

test('the message of an error without a proof states that there is none', () => {
  const pattern = widget({ a: { ...text, pattern: '^a+$' } });
  const same = widget({ a: { ...text, pattern: '^a+\\b$' } });
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
