import { expect, it } from 'vitest';
import { extended } from './copies.js';

it('extends objects as spreads do: what was there keeps its place', () => {
  const all = extended({ a: 1, b: 2 }, { a: 3, c: undefined });
  expect(Object.entries(all)).toEqual([
    ['a', 3],
    ['b', 2],
    ['c', undefined],
  ]);
});
