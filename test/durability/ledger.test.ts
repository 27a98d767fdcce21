import { describe, expect, it } from 'vitest';
import { Ledger, type Version } from './ledger.js';

const state = (...entries: [string, string, number][]): Map<string, Version> =>
  new Map(entries.map(([name, content, revision]) => [name, { content, revision }]));

function ledger(): Ledger {
  const made = new Ledger();
  made.begin('a', 'one');
  made.acknowledge('a', { content: 'one', revision: 5 });
  return made;
}

describe('the ledger of the kill test', () => {
  it('accepts a state with everything that was acknowledged', () => {
    expect(ledger().settle(state(['a', 'one', 5]), 5)).toEqual([]);
  });

  it.each<[string, Map<string, Version>, number, string[]]>([
    ['a lost object', state(), 5, ['a is gone, revision 5 was acknowledged']],
    [
      'another content',
      state(['a', 'two', 6]),
      6,
      ['a is at revision 6 with content that was not written last; revision 5 was acknowledged'],
    ],
    ['a foreign object', state(['a', 'one', 5], ['b', 'x', 6]), 6, ['b was never written']],
    ['a revision that went back', state(['a', 'one', 5]), 4, ['the revision went back from 5 to 4']],
  ])('complains about %s', (_what, found, revision, complaints) => {
    expect(ledger().settle(found, revision)).toEqual(complaints);
  });

  it('takes a write under way as done or not done', () => {
    for (const found of [state(['a', 'one', 5]), state(['a', 'two', 6])]) {
      const made = ledger();
      made.begin('a', 'two');
      expect(made.settle(found, 6)).toEqual([]);
    }
  });

  it('takes a write under way as done once it was shown', () => {
    const made = ledger();
    made.begin('a', 'two');
    made.show('a', 6);
    expect(made.settle(state(['a', 'one', 5]), 6)).toEqual(['a is at revision 5, 6 was shown']);
  });

  it('reports an object that was shown and is missing, unless it may have been deleted', () => {
    const made = new Ledger();
    made.begin('a', 'one');
    made.show('a', 5);
    expect(made.settle(state(), 5)).toEqual(['a is gone, revision 5 was shown']);
    const again = ledger();
    again.acknowledge('a', undefined);
    again.begin('a', 'two');
    again.show('a', 5);
    expect(again.settle(state(), 6)).toEqual([]);
    const deleting = ledger();
    deleting.begin('a', null);
    expect(deleting.settle(state(), 6)).toEqual([]);
  });
});
