import { expect, it } from 'vitest';
import { maxOf, minOf, pushAll } from './lists.js';

const MANY = 1_000_000;

it('joins lists of any length', () => {
  const list = [0];
  pushAll(list, Array<number>(MANY).fill(1), new Set([2, 3]));
  expect(list).toHaveLength(MANY + 3);
  expect(list.at(-1)).toBe(3);
  expect(pushAll(list, [])).toBe(list);
  expect(pushAll([1, 2], new Set([3]).values())).toEqual([1, 2, 3]);
  const twice = [1, 2];
  expect(pushAll(twice, twice)).toEqual([1, 2, 1, 2]);
});

it('finds the largest and the smallest of any number of numbers', () => {
  const numbers = Array.from({ length: MANY }, (_, i) => i);
  expect([maxOf(numbers), minOf(numbers)]).toEqual([MANY - 1, 0]);
  expect([maxOf([]), minOf([]), maxOf([-3], 0), minOf([3], 1)]).toEqual([-Infinity, Infinity, 0, 1]);
  expect([maxOf([1, Number.NaN, 2]), minOf([1, Number.NaN, 2])]).toEqual([Number.NaN, Number.NaN]);
});
