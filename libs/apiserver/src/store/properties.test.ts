import type { KubeObject } from '@capstan/meta';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Store } from './store.js';
import type { Stored } from './stored.js';
import { ManualClock, textsOf } from './testing.js';
import { ample, hotEntries, isBlue, resources, run, write, writes } from './testing-writes.js';
import { RevisionExpired } from './types.js';
import { openWatch, type WatchedEvent } from './watch.js';

/** Applies what a watch shows to a state, insisting that every event makes sense there. */
function fold(state: Map<string, string>, { type, stored }: WatchedEvent): void {
  const key = `${stored.namespace}/${stored.name}`;
  const text = textsOf([stored])[0] ?? '';
  expect(state.has(key)).toBe(type !== 'ADDED');
  if (type === 'DELETED') {
    const withoutVersion = (json: string | undefined): string => String(json).replace(/"resourceVersion":"\d+"/, '');
    expect(withoutVersion(text)).toBe(withoutVersion(state.get(key)));
    state.delete(key);
  } else {
    state.set(key, text);
  }
  expect((JSON.parse(text) as KubeObject).metadata.resourceVersion).toBe(String(stored.revision));
}

describe('for any writes', () => {
  it('revisions are dense, every commit is one event, and no-ops commit nothing', () => {
    fc.assert(
      fc.property(writes, hotEntries, (commands, hot) => {
        const store = new Store({ clock: new ManualClock(), history: ample, hotEntries: hot });
        const received: number[] = [];
        store.subscribe(({ revision }) => received.push(revision));
        let expected = store.revision;
        for (const command of commands) {
          if (run(store, command)) expected++;
          expect(store.revision).toBe(expected);
        }
        expect(received).toEqual(Array.from({ length: expected - 1 }, (_, index) => index + 2));
      }),
    );
  });

  it('a list of the past equals the copy taken then, or has expired', () => {
    fc.assert(
      fc.property(
        writes,
        hotEntries,
        fc.constantFrom(0, 3, 8, 1_000),
        fc.option(fc.nat(60)),
        (commands, hot, kept, compactAt) => {
          const history = { minEvents: kept, maxEvents: kept, minAgeMs: 0 };
          const store = new Store({ clock: new ManualClock(), history, hotEntries: hot });
          const copies = new Map<number, string[][]>();
          const record = (): void => {
            copies.set(
              store.revision,
              resources.map((resource) => textsOf(store.list(resource).items)),
            );
          };
          record();
          commands.forEach((command, index) => {
            run(store, command);
            record();
            if (index === compactAt)
              store.compact(store.revision - (index % 3 === 0 ? 0 : Math.min(2, store.revision - 1)));
          });
          resources.forEach((resource, which) => {
            const oldest = store.oldestRevision(resource);
            for (const [revision, copy] of copies) {
              const list = (): string[] => textsOf(store.list(resource, { revision }).items);
              if (revision < oldest) expect(list).toThrow(RevisionExpired);
              else expect(list()).toEqual(copy[which]);
            }
          });
        },
      ),
    );
  });

  it('the pages of a list are one snapshot whatever is written in between', () => {
    const between = fc.array(fc.array(write, { maxLength: 5 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(
        writes,
        between,
        fc.integer({ min: 1, max: 4 }),
        fc.record({ isFiltered: fc.boolean(), namespace: fc.constantFrom(undefined, 'a', 'a-b') }),
        (commands, others, limit, { isFiltered, namespace }) => {
          const store = new Store({ clock: new ManualClock(), history: ample, hotEntries: 3 });
          for (const command of commands) run(store, command);
          const [resource] = resources;
          const filter = isFiltered ? isBlue : undefined;
          const whole = store.list(resource, { filter, namespace });
          const paged: Stored[] = [];
          let page = store.list(resource, { filter, limit, namespace });
          for (const batch of others) {
            paged.push(...page.items);
            if (!isFiltered) expect(page.remaining).toBe(whole.items.length - paged.length);
            expect(page.more).toBe(page.remaining > 0);
            if (!page.more) break;
            for (const command of batch) run(store, command);
            const [after, { revision }] = [page.items.at(-1), whole];
            page = store.list(resource, { filter, limit, namespace, after, revision });
            expect(page.revision).toBe(whole.revision);
          }
          expect(page.more).toBe(false);
          expect(textsOf(paged)).toEqual(textsOf(whole.items));
        },
      ),
    );
  });

  it('folding a watch from any revision gives the list', () => {
    const watching = fc.record({
      namespace: fc.constantFrom(undefined, 'a'),
      name: fc.constantFrom(undefined, 'x'),
      matches: fc.constantFrom(undefined, isBlue),
      initial: fc.boolean(),
    });
    const phases = fc.tuple(writes, writes, writes);
    fc.assert(
      fc.property(phases, watching, hotEntries, ([before, middle, after], options, hot) => {
        const failures: unknown[] = [];
        const onListenerError = (error: unknown): void => void failures.push(error);
        const store = new Store({ clock: new ManualClock(), history: ample, hotEntries: hot, onListenerError });
        const { namespace, name, matches, initial } = options;
        const selected = (): Record<string, string> => {
          const filter = (stored: Stored): boolean =>
            (name === undefined || stored.name === name) && (matches?.(stored) ?? true);
          const { items } = store.list(resources[0], { namespace, filter });
          return Object.fromEntries(
            items.map((stored) => [`${stored.namespace}/${stored.name}`, textsOf([stored])[0] ?? '']),
          );
        };
        for (const command of before) run(store, command);
        const state = new Map(initial ? [] : Object.entries(selected()));
        const fromRevision = store.revision;
        for (const command of middle) run(store, command);
        let last = initial ? store.revision : fromRevision;
        const watch = openWatch(store, resources[0], { ...options, fromRevision }, (event) => {
          fold(state, event);
          if (event.event === undefined) return;
          expect(event.stored.revision).toBe(event.event.revision);
          expect(event.event.revision).toBeGreaterThan(last);
          last = event.event.revision;
        });
        expect(watch.revision).toBe(store.revision);
        expect(Object.fromEntries(state)).toEqual(selected());
        for (const command of after) run(store, command);
        expect(failures).toEqual([]);
        expect(Object.fromEntries(state)).toEqual(selected());
      }),
    );
  });
});
