import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readQuery } from './query.js';

it.each([
  ['', []],
  ['a', [['a', '']]],
  ['a=b=c', [['a', 'b=c']]],
  ['&&a=1&', [['a', '1']]],
  ['a=1;b=2&c=3', [['c', '3']]],
  ['a=%zz&%=1&b=1', [['b', '1']]],
  ['a=x+y%2Bz', [['a', 'x y+z']]],
  ['=1', [['', '1']]],
  ['a=%ff', [['a', '\ufffd']]],
  [`a=1${'&b=1'.repeat(10_000)}`, []],
])('%.40s is read as Go reads it', (query, expected) => {
  expect(readQuery(query).parameters).toEqual(expected);
});

it('what was read without doubt is what any reader reads', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '=', '&', '+', '%', '3', 'D', ';', '.', ',', '/', '?') });
  fc.assert(
    fc.property(piece, (query) => {
      const { fault, parameters } = readQuery(query);
      if (fault === undefined) expect(parameters).toEqual([...new URLSearchParams(`?${query}`)]);
    }),
    { numRuns: 2000 },
  );
});
