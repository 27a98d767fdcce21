import { ManualClock } from '@capstan/kube';
import { beforeEach, describe, expect, it } from 'vitest';
import { Deadlines } from './deadlines.js';
import type { Awaited } from './deadlines.js';

const LIMIT_MS = 1000;

let clock: ManualClock;
let deadlines: Deadlines;
let told: string[];
beforeEach(() => {
  clock = new ManualClock();
  deadlines = new Deadlines(clock, LIMIT_MS);
  told = [];
});

function waiting(name: string, then: () => void = () => {}): Awaited {
  const one: Awaited = {
    dueAt: -1,
    earlier: undefined,
    later: undefined,
    late: (limitMs) => {
      told.push(`${name} ${limitMs}`);
      then();
    },
  };
  deadlines.add(one);
  return one;
}

describe('Whoever waits', () => {
  it('is told when the time is up, and not before', async () => {
    waiting('a');
    await clock.advance(400);
    waiting('b');
    await clock.advance(599);
    expect(told).toEqual([]);
    await clock.advance(1);
    expect(told).toEqual(['a 1000']);
    await clock.advance(399);
    expect(told).toEqual(['a 1000']);
    await clock.advance(1);
    expect(told).toEqual(['a 1000', 'b 1000']);
    await clock.advance(5000);
    expect(told).toHaveLength(2);
  });

  it.each([
    [0, ['b', 'c']],
    [1, ['a', 'c']],
    [2, ['a', 'b']],
  ])('is not told once it has left, from place %i of three', async (place, rest) => {
    const all = ['a', 'b', 'c'].map((name) => waiting(name));
    deadlines.remove(all[place] as Awaited);
    deadlines.remove(all[place] as Awaited);
    await clock.advance(LIMIT_MS);
    expect(told).toEqual(rest.map((name) => `${name} 1000`));
  });

  it('begins anew when it comes again, also while it is told', async () => {
    const again = waiting('a', () => {
      if (told.length < 2) deadlines.add(again);
    });
    await clock.advance(600);
    deadlines.add(again);
    await clock.advance(600);
    expect(told).toEqual([]);
    await clock.advance(400);
    expect(told).toEqual(['a 1000']);
    await clock.advance(LIMIT_MS);
    expect(told).toEqual(['a 1000', 'a 1000']);
  });

  it('may send others away while it is told', async () => {
    waiting('a', () => deadlines.remove(other));
    const other = waiting('b');
    await clock.advance(LIMIT_MS);
    expect(told).toEqual(['a 1000']);
  });

  it('is told nothing after the end, nor is a timer left', async () => {
    waiting('a');
    deadlines.close();
    waiting('b');
    await clock.advance(5000);
    expect([told, clock.pending]).toEqual([[], 0]);
  });
});
