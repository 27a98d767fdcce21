import { expect, it } from 'vitest';
import { includesDesired } from './includes.js';
import type { ListRule } from './includes.js';

const ALL: readonly ListRule[] = ['equal', 'named', 'superset'];
const [x, y] = [{ name: 'x' }, { name: 'y' }];

it.each<[string, unknown, unknown, readonly ListRule[]]>([
  ['equal values', { a: 1, b: [1] }, { a: 1, b: [1] }, ALL],
  ['fields that the server defaulted', { a: 1, b: 2 }, { a: 1 }, ALL],
  ['fields that are undefined', { a: 1 }, { a: 1, b: undefined }, ALL],
  ['an empty list that was left out', {}, { a: [] }, ALL],
  ['an empty object that was left out', {}, { a: { b: undefined } }, ALL],
  ['another value', { a: 1 }, { a: 2 }, []],
  ['a missing value', {}, { a: 1 }, []],
  ['null where nothing is', {}, { a: null }, []],
  ['another type', { a: [1] }, { a: { b: 1 } }, []],
  ['a key of the prototype', {}, { toString: 1 }, []],
  ['another order of values', [1, 2], [2, 1], ['superset']],
  ['more values', [1, 2], [1], ['superset']],
  ['more named items', [x, y], [x], ['named', 'superset']],
  ['another order of named items', [x, y], [y, x], ['named', 'superset']],
  ['defaults within items', [{ ...x, d: 1 }], [x], ['equal', 'named']],
  ['fewer items', [x], [x, y], []],
])('%s', (_, existing, desired, rules) => {
  expect(ALL.filter((rule) => includesDesired(existing, desired, rule))).toEqual(rules);
});
