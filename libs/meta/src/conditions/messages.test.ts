import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutList, cutText, MAX_CONDITION_MESSAGE } from './messages.js';

describe('a list in a message', () => {
  it.each<[readonly string[], number, string]>([
    [[], 10, ''],
    [['a', 'b', 'c'], 10, 'a, b, c'],
    [['aaaa', 'bbbb', 'cccc'], 15, 'aaaa and 2 more'],
    [['aaaa', 'bbbb', 'cccc', 'dddd'], 21, 'aaaa, bbbb and 2 more'],
    [['a-very-long-name', 'bb'], 19, 'a-ver... and 1 more'],
    [['a-very-long-name'], 10, 'a-very-...'],
  ])('%j in %d characters', (items, most, text) => {
    expect(cutList(items, most)).toBe(text);
  });

  it('has never more than it may, and counts what it leaves out', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z-]{1,40}$/), { minLength: 1, maxLength: 60 }), (items) => {
        const text = cutList(items);
        expect(text.length).toBeLessThanOrEqual(MAX_CONDITION_MESSAGE);
        const [, more] = / and (\d+) more$/.exec(text) ?? [];
        const named = text.replace(/ and \d+ more$/, '').split(', ').length;
        expect(named + Number(more ?? 0)).toBe(items.length);
      }),
    );
  });
});

it('a text is cut with dots', () => {
  expect(cutText('as it is')).toBe('as it is');
  expect(cutText('x'.repeat(300))).toBe(`${'x'.repeat(197)}...`);
});
