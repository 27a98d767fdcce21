import { systemRandom } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { Timeline, SIMULATION_START } from './timeline.js';

const timeline = (seed: number): Timeline => new Timeline(systemRandom(seed));

describe('a timeline', () => {
  it('runs tasks by time and jumps over idle time', async () => {
    const line = timeline(1);
    const ran: string[] = [];
    const clock = line.clock();
    for (const [name, ms] of Object.entries({ late: 3_600_000, early: 10, never: 3_600_002 }))
      clock.after(ms, () => ran.push(`${name} at ${clock.now() - SIMULATION_START}`));
    await line.runUntil(3_600_001);
    expect(ran).toEqual(['early at 10', 'late at 3600000']);
    expect(line.elapsed).toBe(3_600_001);
  });

  it('lets time go on for who waits for the rest of a period, however short', async () => {
    const line = timeline(1);
    const clock = line.clock();
    const begun = 0.1 + 0.2;
    let looks = 0;
    const look = (): void => {
      looks += 1;
      const left = 40_000 - (clock.monotonic() - begun);
      if (left > 0 && looks < 100) clock.after(left, look);
    };
    clock.after(123_456.789, look);
    clock.after(39_999.999_999_999_99, look);
    await line.runUntil(200_000);
    expect(looks).toBeLessThan(10);
  });

  it('lets every promise callback of a task run before the next task', async () => {
    const line = timeline(1);
    const ran: string[] = [];
    line.after(1, undefined, () => {
      void (async () => {
        for (let hop = 0; hop < 50; hop += 1) await Promise.resolve();
        ran.push('promise');
      })();
    });
    line.after(1.001, undefined, () => ran.push('task'));
    await line.runUntil(2);
    expect(ran).toEqual(['promise', 'task']);
  });

  it('breaks ties by its seed, and the same way each time', async () => {
    const orderOf = async (seed: number): Promise<string> => {
      const line = timeline(seed);
      const ran: number[] = [];
      for (let index = 0; index < 8; index += 1) line.after(5, undefined, () => ran.push(index));
      await line.runUntil(5);
      return ran.join('');
    };
    expect(await orderOf(1)).toBe(await orderOf(1));
    const orders = await Promise.all([1, 2, 3, 4, 5].map(orderOf));
    expect(new Set(orders).size).toBe(5);
  });

  it('runs no tasks of a dead owner, and delays those of a paused one', async () => {
    const line = timeline(1);
    const ran: string[] = [];
    const dead = { isAlive: true, pausedUntil: 0 };
    const paused = { isAlive: true, pausedUntil: 500 };
    line.after(10, dead, () => ran.push('dead'));
    line.after(20, paused, () => ran.push(`paused at ${line.elapsed}`));
    line.after(30, undefined, () => ran.push(`other at ${line.elapsed}`));
    dead.isAlive = false;
    await line.runUntil(1000);
    expect(ran).toEqual(['other at 30', 'paused at 500']);
  });

  it('comes to the end of a wait that is asked for in pieces', async () => {
    const line = timeline(1);
    const clock = line.clock();
    let looks = 0;
    await line.runUntil(283_000.123_456);
    const until = clock.monotonic() + 0.1 + 0.2;
    const look = (): void => {
      looks += 1;
      const left = until - clock.monotonic();
      if (left > 0 && looks < 100) clock.after(left, look);
    };
    look();
    await line.runUntil(284_000);
    expect(looks).toBe(2);
  });

  it('keeps one order of what is due in a moment and what is due in an hour, whatever is asked for meanwhile', async () => {
    const line = timeline(1);
    const random = systemRandom('delays');
    const ran: number[] = [];
    const due: number[] = [];
    let left = 2000;
    const ask = (): void => {
      if (left === 0) return;
      left -= 1;
      const delay = random.next() ** 6 * 3_600_000;
      const timer = line.after(delay, undefined, () => {
        ran.push(line.elapsed);
        ask();
        ask();
      });
      if (random.below(4) === 0) timer.cancel();
      else due.push(Math.ceil((line.elapsed + delay) * 1024) / 1024);
    };
    for (let first = 0; first < 20; first += 1) ask();
    while (left > 0) await line.runUntil(line.elapsed + random.next() * 10_000);
    await line.runUntil(line.elapsed + 3_600_000);
    expect(ran).toEqual(due.toSorted((a, b) => a - b));
  });

  it('does not run what was cancelled', async () => {
    const line = timeline(1);
    let ran = false;
    line
      .clock()
      .after(1, () => {
        ran = true;
      })
      .cancel();
    await line.runUntil(10);
    expect(ran).toBe(false);
  });

  it('never goes back, whatever it is asked for', async () => {
    const line = timeline(1);
    await line.runUntil(100);
    await line.runUntil(50);
    expect(line.elapsed).toBe(100);
  });
});
