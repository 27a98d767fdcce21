import { expect, test } from 'vitest';
import { sameExpression } from './same-expression.js';

test.each([
  ['self.a<5', 'self.a < 5', true],
  ['(self.a) < (5)', 'self.a < 5', true],
  ['self.a < 5 // limit', 'self.a < 5', true],
  ['self.all(x, x > 1)', 'self.all(x, x>1)', true],
  ['self.a < 5', 'self.a < 6', false],
  ['self.a < 5', 'self.b < 5', false],
  ['self.a < 5', 'self.a < 5.0', false],
  ['has(self.a)', 'self.a', false],
  ['self.a <', 'self.b <', false],
])('%s and %s: %s', (a, b, same) => {
  expect(sameExpression(a, b)).toBe(same);
  expect(sameExpression(b, a)).toBe(same);
});
