import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Store } from './store.js';
import { ManualClock } from './testing.js';
import { ample, hotEntries, portrait, run, writes } from './testing-writes.js';
import type { StoreSnapshot } from './types.js';

describe('for any writes', () => {
  it('a snapshot through JSON restores an equal, independent store', () => {
    fc.assert(
      fc.property(writes, writes, fc.constantFrom(4, 1_000), fc.boolean(), (commands, later, kept, history) => {
        const clock = new ManualClock();
        const options = { clock, history: { minEvents: kept, maxEvents: kept, minAgeMs: 0 }, hotEntries: 3 };
        const store = new Store(options);
        commands.forEach((command, index) => {
          clock.time += 7;
          run(store, command);
          if (index === 20) store.compact(store.revision - 1 || 1);
        });
        const snapshot = store.snapshot({ history });
        const restored = Store.restore(JSON.parse(JSON.stringify(snapshot)) as StoreSnapshot, options);
        if (!history) store.compact(store.revision);
        const before = portrait(store);
        expect(portrait(restored)).toBe(before);
        for (const command of later) run(restored, command);
        expect(portrait(store)).toBe(before);
        for (const command of later) run(store, command);
        expect(portrait(restored)).toBe(portrait(store));
      }),
    );
  });

  it('a fork is equal and independent in both directions', () => {
    fc.assert(
      fc.property(writes, writes, writes, hotEntries, (commands, mine, theirs, hot) => {
        const options = { clock: new ManualClock(), history: ample, hotEntries: hot };
        const store = new Store(options);
        for (const command of commands) run(store, command);
        const received: number[] = [];
        store.subscribe(({ revision }) => received.push(revision));
        const fork = store.fork();
        const again = fork.fork();
        const before = portrait(store);
        expect(portrait(fork)).toBe(before);
        for (const command of theirs) run(fork, command);
        expect(received).toEqual([]);
        expect(portrait(store)).toBe(before);
        const forked = portrait(fork);
        for (const command of mine) run(store, command);
        if (store.revision > 2) store.compact(2);
        expect(portrait(fork)).toBe(forked);
        expect(portrait(again)).toBe(before);
        const alone = new Store(options);
        for (const command of [...commands, ...theirs]) run(alone, command);
        expect(forked).toBe(portrait(alone));
      }),
    );
  });
});

describe('a snapshot', () => {
  it('of an unknown format is refused', () => {
    const snapshot = { ...new Store({ clock: new ManualClock() }).snapshot(), format: 2 } as unknown as StoreSnapshot;
    expect(() => Store.restore(snapshot, { clock: new ManualClock() })).toThrow('unknown snapshot format 2');
  });

  it('that deletes what it never had is refused', () => {
    const snapshot: StoreSnapshot = {
      format: 1,
      revision: 2,
      compacted: 1,
      resources: [
        {
          resource: '/x',
          oldest: 1,
          objects: [],
          events: [{ type: 'delete', namespace: 'a', name: 'b', revision: 2, timeMs: 0 }],
        },
      ],
    };
    expect(() => Store.restore(snapshot, { clock: new ManualClock() })).toThrow(
      'the snapshot deletes /x a/b before it exists',
    );
  });
});
