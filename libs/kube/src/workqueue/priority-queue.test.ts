import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ManualClock } from '../testing/manual-clock.js';
import { PriorityHeap } from './priority-heap.js';
import { PriorityQueue } from './priority-queue.js';
import type { AddOptions } from './priority-queue.js';

function make(adds: readonly (readonly [string, AddOptions?])[] = []): {
  clock: ManualClock;
  queue: PriorityQueue<string>;
} {
  const clock = new ManualClock();
  const queue = new PriorityQueue<string>({ clock });
  for (const [key, options] of adds) queue.add(key, options);
  return { clock, queue };
}

async function takeAll(queue: PriorityQueue<string>): Promise<string[]> {
  const keys: string[] = [];
  while (queue.length > 0) {
    const taken = await queue.get();
    if (taken === undefined) break;
    keys.push(taken.priority === 0 ? taken.key : `${taken.key}@${taken.priority}`);
    queue.done(taken.key);
  }
  return keys;
}

describe('PriorityQueue', () => {
  it.each<[string, [string, AddOptions?][], string[]]>([
    ['keeps the order of coming within a priority', [['a'], ['b'], ['c']], ['a', 'b', 'c']],
    [
      'hands out the most urgent first',
      [['low', { priority: -100 }], ['a'], ['high', { priority: 5 }], ['b']],
      ['high@5', 'a', 'b', 'low@-100'],
    ],
    ['holds a key once', [['a'], ['b'], ['a']], ['a', 'b']],
    [
      'takes the highest of two priorities, and the place in it the first coming gave',
      [['a', { priority: -100 }], ['b'], ['a', { priority: 0 }]],
      ['a', 'b'],
    ],
    ['does not lower a priority', [['a', { priority: 3 }], ['a', { priority: -1 }], ['b']], ['a@3', 'b']],
    ['is not delayed by a later addition', [['a'], ['a', { afterMs: 1000 }]], ['a']],
    ['is brought forward by one without delay', [['a', { afterMs: 1000, priority: 2 }], ['a']], ['a@2']],
  ])('%s', async (_name, adds, taken) => {
    const { clock, queue } = make(adds);
    expect(await takeAll(queue)).toEqual(taken);
    expect([queue.idle, clock.pending]).toEqual([true, 0]);
  });

  it('delays, keeps the shortest delay and the highest priority', async () => {
    const { clock, queue } = make([
      ['a', { afterMs: 1000, priority: -5 }],
      ['a', { afterMs: 300 }],
      ['a', { afterMs: 2000, priority: 7 }],
      ['b', { afterMs: 299 }],
    ]);
    await clock.advance(298);
    expect(queue.length).toBe(0);
    await clock.advance(2);
    expect(await takeAll(queue)).toEqual(['a@7', 'b']);
    expect(queue.idle).toBe(true);
  });

  it('gives a key to one worker at a time, and again after it is done when it was added meanwhile', async () => {
    const { queue } = make([['a']]);
    expect(await queue.get()).toEqual({ key: 'a', priority: 0 });
    let second: string | undefined;
    const waiting = queue.get().then((taken) => (second = taken?.key));
    queue.add('a', { priority: 1 });
    queue.add('a');
    await Promise.resolve();
    expect([second, queue.length]).toEqual([undefined, 1]);
    queue.done('a');
    await waiting;
    expect(second).toBe('a');
    queue.done('a');
    expect(queue.idle).toBe(true);
  });

  it('doubles the delay with every failure from 5 ms to 1000 s, until it is forgotten', async () => {
    const { clock, queue } = make();
    const delays: number[] = [];
    for (let failure = 0; failure < 20; failure += 1) {
      const from = clock.monotonic();
      queue.add('a', { rateLimited: true });
      let at = 0;
      const taken = queue.get().then(() => (at = clock.monotonic()));
      await clock.advance(1_000_000);
      await taken;
      delays.push(at - from);
      queue.done('a');
    }
    expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(delays.slice(-3)).toEqual([655_360, 1_000_000, 1_000_000]);
    expect(queue.requeues('a')).toBe(20);
    queue.forget('a');
    expect(queue.requeues('a')).toBe(0);
  });

  it('lets every waiting worker go when it is shut down, and takes nothing more', async () => {
    const { clock, queue } = make([['later', { afterMs: 10 }]]);
    const workers = [queue.get(), queue.get()];
    queue.shutDown();
    expect(await Promise.all(workers)).toEqual([undefined, undefined]);
    queue.add('a');
    expect(await queue.get()).toBeUndefined();
    expect([queue.length, clock.pending]).toEqual([0, 0]);
  });

  it('is not misled by a caller that finishes a key that was never taken', async () => {
    const clock = new ManualClock();
    const finished: string[] = [];
    const queue = new PriorityQueue<string>({ clock, observer: { finished: (key) => finished.push(key) } });
    queue.add('a');
    queue.done('a');
    expect([finished, queue.length]).toEqual([[], 1]);
    expect(await queue.get()).toEqual({ key: 'a', priority: 0 });
    queue.add('a');
    queue.done('a');
    queue.done('a');
    expect(await takeAll(queue)).toEqual(['a']);
    expect(queue.idle).toBe(true);
  });

  it('reports to its observer how long keys waited and were worked on', async () => {
    const clock = new ManualClock();
    const calls: string[] = [];
    const queue = new PriorityQueue<string>({
      clock,
      observer: {
        added: () => calls.push('added'),
        retried: () => calls.push('retried'),
        taken: (key, ms) => calls.push(`taken ${key} ${ms}`),
        finished: (key, ms) => calls.push(`finished ${key} ${ms}`),
      },
    });
    queue.add('a', { priority: -100 });
    queue.add('a');
    await clock.advance(20);
    expect(queue.depths()).toEqual(new Map([[0, 1]]));
    await queue.get();
    await clock.advance(30);
    queue.add('a', { rateLimited: true });
    queue.done('a');
    expect(calls).toEqual(['added', 'taken a 20', 'retried', 'added', 'finished a 30']);
    queue.shutDown();
  });
});

describe('PriorityHeap', () => {
  it('gives entries in the order a sort would', () => {
    const entries = fc.array(fc.record({ priority: fc.integer({ min: -3, max: 3 }), order: fc.nat() }));
    fc.assert(
      fc.property(entries, (list) => {
        const heap = new PriorityHeap<{ priority: number; order: number }>();
        for (const entry of list) heap.push(entry);
        const out = list.map(() => heap.pop());
        expect(out).toEqual(list.toSorted((a, b) => b.priority - a.priority || a.order - b.order));
        expect(heap.pop()).toBeUndefined();
      }),
    );
  });
});
