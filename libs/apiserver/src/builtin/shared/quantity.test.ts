import { expect, it } from 'vitest';
import { compareQuantities, isNegative, isWhole, nanosOf, roundUpToMilli } from './quantity.js';

it.each(['1e5000', '1e2147483647', '10e1215752190'])('%s, which no machine has, is an amount like others', (amount) => {
  expect(nanosOf(amount) > nanosOf('1Ei')).toBe(true);
  expect([isNegative(amount), isWhole(amount), compareQuantities(amount, '1Ei')]).toEqual([false, true, 1]);
  expect(roundUpToMilli(amount)).toBe(amount);
});
