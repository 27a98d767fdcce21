import { describe, expect, it } from 'vitest';
import { SECRETS } from '../kinds.js';
import { bring, covers } from './effects.js';

import { ownSecret } from './testing/facts.js';

describe('what is brought to an object', () => {
  const [a, b] = [ownSecret('a'), ownSecret('a', { x: 'y' })];
  it.each([
    ['everything when it is not there', undefined, a, [{ act: 'create', kind: SECRETS, object: a }]],
    ['nothing when it is the same', a, { ...a }, []],
    ['what differs', a, b, [{ act: 'patch', kind: SECRETS, before: a, after: b }]],
  ])('%s', (_, before, after, effects) => {
    expect(bring(SECRETS, before, after)).toEqual(effects);
  });
});

it.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: { c: 2 } }, { b: { c: 2 } }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{}, { a: 1 }, false],
  [{ a: [{ b: 1, defaulted: 2 }] }, { a: [{ b: 1 }] }, true],
  [{ a: [1, 2] }, { a: [1] }, false],
  [{ a: [1] }, { a: { 0: 1 } }, false],
  [null, { a: 1 }, false],
])('whether %j covers %j: %s', (value, wanted, expected) => {
  expect(covers(value, wanted)).toBe(expected);
});
