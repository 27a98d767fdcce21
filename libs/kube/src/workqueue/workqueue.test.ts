import { describe, expect, it } from 'vitest';
import { silentLogger } from '../runtime/logger.js';
import { ManualClock, settled } from '../testing/manual-clock.js';
import { runWorkers } from './worker.js';
import { WorkQueue } from './workqueue.js';

function make(): { clock: ManualClock; queue: WorkQueue<string> } {
  const clock = new ManualClock();
  return { clock, queue: new WorkQueue<string>({ clock }) };
}

describe('WorkQueue', () => {
  it('hands out each key once, in the order added', async () => {
    const { queue } = make();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    expect(queue.length).toBe(3);
    expect([await queue.get(), await queue.get(), await queue.get()]).toEqual(['a', 'b', 'c']);
  });

  it('keeps the order of many keys taken while others come', async () => {
    const { queue } = make();
    const taken: (string | undefined)[] = [];
    for (let index = 0; index < 25_000; index += 1) {
      queue.add(`a${index}`);
      if (index % 2 === 0) taken.push(await queue.get());
    }
    while (queue.length > 0) taken.push(await queue.get());
    expect(taken).toEqual(Array.from({ length: 25_000 }, (_, index) => `a${index}`));
  });

  it('keeps a key added while worked on until it is done, and then gives it once more', async () => {
    const { queue } = make();
    queue.add('a');
    await queue.get();
    queue.add('a');
    queue.add('a');
    expect(queue.length).toBe(0);
    queue.done('a');
    expect(queue.length).toBe(1);
    expect(await queue.get()).toBe('a');
    queue.done('a');
    expect(queue.idle).toBe(true);
  });

  it('takes the earliest of several delays', async () => {
    const { clock, queue } = make();
    queue.addAfter('a', 1000);
    queue.addAfter('a', 100);
    queue.addAfter('a', 5000);
    await clock.advance(99);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(queue.length).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it('adds at once what has no delay, and forgets the delayed addition', async () => {
    const { clock, queue } = make();
    queue.addAfter('a', 1000);
    queue.addAfter('a', 0);
    expect(queue.length).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it('doubles the delay with every failure from 5 ms to 1000 s, and starts over after forget', async () => {
    const { clock, queue } = make();
    const delays: number[] = [];
    for (let failure = 0; failure < 20; failure += 1) {
      const before = clock.monotonic();
      queue.addRateLimited('a');
      const taken = queue.get().then(() => delays.push(clock.monotonic() - before));
      await clock.advance(1_000_000);
      await taken;
      queue.done('a');
    }
    expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(delays.slice(17)).toEqual([5 * 2 ** 17, 1_000_000, 1_000_000]);
    expect(queue.requeues('a')).toBe(20);
    queue.forget('a');
    queue.addRateLimited('a');
    await clock.advance(5);
    expect(queue.length).toBe(1);
  });

  it('refuses new keys after shutdown, hands out the old ones and then undefined', async () => {
    const { clock, queue } = make();
    queue.add('a');
    queue.addAfter('late', 10);
    queue.shutDown();
    queue.add('b');
    await clock.advance(20);
    expect([await queue.get(), await queue.get()]).toEqual(['a', undefined]);
  });

  it('leaves no timer behind when it is shut down', () => {
    const { clock, queue } = make();
    queue.addAfter('a', 1000);
    queue.addRateLimited('b');
    queue.shutDown();
    expect([clock.pending, queue.idle]).toEqual([0, true]);
  });

  it('drains when the last key is done', async () => {
    const { queue } = make();
    queue.add('a');
    await queue.get();
    let drained = false;
    const waiting = queue.drain().then(() => (drained = true));
    await settled();
    expect(drained).toBe(false);
    queue.done('a');
    await waiting;
    expect(drained).toBe(true);
  });
});

describe('runWorkers', () => {
  it('never works on one key twice at a time, and retries what failed', async () => {
    const { clock, queue } = make();
    const active = new Set<string>();
    const seen: string[] = [];
    const running = runWorkers({
      queue,
      workers: 3,
      logger: silentLogger(),
      describe: (key) => key,
      handle: async (key) => {
        expect(active.has(key)).toBe(false);
        active.add(key);
        seen.push(key);
        queue.add(key === 'a' && seen.length === 1 ? 'a' : 'never mind');
        await settled();
        active.delete(key);
        if (key === 'b' && queue.requeues('b') === 0) throw new Error('once');
        return key === 'c' && seen.filter((other) => other === 'c').length === 1 ? { afterMs: 50 } : 'done';
      },
    });
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await clock.advance(4);
    expect(seen.filter((key) => key === 'b')).toHaveLength(1);
    await clock.advance(100);
    queue.shutDown();
    await running;
    expect(['a', 'b', 'c'].map((key) => seen.filter((other) => other === key).length)).toEqual([2, 2, 2]);
    expect(queue.requeues('b')).toBe(0);
  });
});
