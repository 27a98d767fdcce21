import { ManualClock } from '@capstan/kube/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { Deadlines } from './deadlines.js';
import type { Awaited } from './deadlines.js';

const LIMIT_MS = 1000;

let clock: ManualClock;
let deadlines: Deadlines;
let expired: string[];
beforeEach(() => {
  clock = new ManualClock();
  deadlines = new Deadlines(clock, LIMIT_MS);
  expired = [];
});

function waiting(name: string, then: () => void = () => {}): Awaited {
  const one: Awaited = {
    dueAt: -1,
    earlier: undefined,
    later: undefined,
    late: (limitMs) => {
      expired.push(`${name} ${limitMs}`);
      then();
    },
  };
  deadlines.add(one);
  return one;
}

describe('A waiter with a deadline', () => {
  it('expires when its time is up, and not before', async () => {
    waiting('a');
    await clock.advance(400);
    waiting('b');
    await clock.advance(599);
    expect(expired).toEqual([]);
    await clock.advance(1);
    expect(expired).toEqual(['a 1000']);
    await clock.advance(399);
    expect(expired).toEqual(['a 1000']);
    await clock.advance(1);
    expect(expired).toEqual(['a 1000', 'b 1000']);
    await clock.advance(5000);
    expect(expired).toHaveLength(2);
  });

  it.each([
    [0, ['b', 'c']],
    [1, ['a', 'c']],
    [2, ['a', 'b']],
  ])('does not expire once it has left, from place %i of three', async (place, rest) => {
    const all = ['a', 'b', 'c'].map((name) => waiting(name));
    deadlines.remove(all[place] as Awaited);
    deadlines.remove(all[place] as Awaited);
    await clock.advance(LIMIT_MS);
    expect(expired).toEqual(rest.map((name) => `${name} 1000`));
  });

  it('starts again when it is added again, also while it expires', async () => {
    const again = waiting('a', () => {
      if (expired.length < 2) deadlines.add(again);
    });
    await clock.advance(600);
    deadlines.add(again);
    await clock.advance(600);
    expect(expired).toEqual([]);
    await clock.advance(400);
    expect(expired).toEqual(['a 1000']);
    await clock.advance(LIMIT_MS);
    expect(expired).toEqual(['a 1000', 'a 1000']);
  });

  it('may remove others while it expires', async () => {
    waiting('a', () => deadlines.remove(other));
    const other = waiting('b');
    await clock.advance(LIMIT_MS);
    expect(expired).toEqual(['a 1000']);
  });

  it('does not expire after the end, and leaves no timer', async () => {
    waiting('a');
    deadlines.close();
    waiting('b');
    await clock.advance(5000);
    expect([expired, clock.pending]).toEqual([[], 0]);
  });
});
