import { describe, expect, it } from 'vitest';
import { turnsOf, type Turns } from './turns.js';

/** An event loop driven by hand. */
function loop(turnMs = 10): { time: { now: number }; turns: Turns; turn: () => Promise<void>; pending: () => number } {
  const callbacks: (() => void)[] = [];
  const time = { now: 0 };
  const turns = turnsOf({ turnMs, monotonic: () => time.now, afterOthers: (callback) => callbacks.push(callback) });
  const turn = async (): Promise<void> => {
    for (const callback of callbacks.splice(0)) callback();
    await Promise.resolve();
  };
  return { time, turns, turn, pending: () => callbacks.length };
}

describe('turns of an event loop', () => {
  it('are over when their time is, and begin again with the next', async () => {
    const { time, turns, turn } = loop();
    expect(turns.isOver()).toBe(false);
    time.now = 9;
    expect(turns.isOver()).toBe(false);
    time.now = 10;
    expect(turns.isOver()).toBe(true);
    await turn();
    expect(turns.isOver()).toBe(false);
  });

  it('count from the first who looks, not from the turn before', async () => {
    const { time, turns, turn } = loop();
    turns.isOver();
    await turn();
    time.now = 1_000;
    expect(turns.isOver()).toBe(false);
  });

  it('go to those who wait one by one, in their order', async () => {
    const { turns, turn } = loop();
    const seen: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (let step = 0; step < 2; step += 1) {
        await turns.next();
        seen.push(name);
      }
    };
    const all = Promise.all([work('a'), work('b'), work('c')]);
    const after: number[] = [];
    for (let at = 0; at < 6; at += 1) {
      await turn();
      after.push(seen.length);
    }
    await all;
    expect(seen).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
    expect(after).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('leave nothing behind once nobody asks', async () => {
    const { turns, turn, pending } = loop();
    turns.isOver();
    await turn();
    expect(pending()).toBe(0);
  });
});
