import { describe, expect, it } from 'vitest';
import { Store } from './store.js';
import type { Stored } from './stored.js';
import { created, keysOf, ManualClock, maps, updated } from './testing.js';
import { RevisionInFuture } from './types.js';

describe('lists', () => {
  it('order keys by the bytes of namespace, slash, name', () => {
    const store = new Store({ clock: new ManualClock() });
    // U+FFFD sorts before U+1F600 in UTF-8 and after it in UTF-16.
    for (const [namespace, name] of [
      ['b', 'x'],
      ['a', 'x'],
      ['a-b', 'x'],
      ['a0', 'x'],
      ['a', '\u{1f600}'],
      ['a', '\ufffd'],
      ['a', 'X'],
      ['a', 'x.y'],
    ] as const) {
      created(store, namespace, name);
    }
    const keys = store.list(maps).items.map(({ namespace, name }) => `${namespace}/${name}`);
    expect(keys).toEqual(['a-b/x', 'a/X', 'a/x', 'a/x.y', 'a/\ufffd', 'a/\u{1f600}', 'a0/x', 'b/x']);
  });

  const isEven = (stored: Stored): boolean => stored.revision % 2 === 0;
  // Revisions: a/1@2 a/2@3 a/3@4 a-b/1@5 b/1@6 b/2@7
  it.each([
    ['everything', {}, ['a-b/1@5', 'a/1@2', 'a/2@3', 'a/3@4', 'b/1@6', 'b/2@7'], 0],
    ['one namespace', { namespace: 'a' }, ['a/1@2', 'a/2@3', 'a/3@4'], 0],
    ['the empty namespace as everything', { namespace: '', limit: 1 }, ['a-b/1@5'], 5],
    ['a namespace that is a prefix of none', { namespace: 'a-' }, [], 0],
    ['a first page', { limit: 4 }, ['a-b/1@5', 'a/1@2', 'a/2@3', 'a/3@4'], 2],
    ['a page that ends with the list', { limit: 6 }, ['a-b/1@5', 'a/1@2', 'a/2@3', 'a/3@4', 'b/1@6', 'b/2@7'], 0],
    ['a page after a key', { after: { namespace: 'a', name: '2' }, limit: 2 }, ['a/3@4', 'b/1@6'], 1],
    ['a page after a key that is gone', { after: { namespace: 'a', name: '20' } }, ['a/3@4', 'b/1@6', 'b/2@7'], 0],
    [
      'a page of a namespace after a key',
      { namespace: 'a', after: { namespace: 'a', name: '1' }, limit: 1 },
      ['a/2@3'],
      1,
    ],
    [
      'a namespace after a key before it',
      { namespace: 'b', after: { namespace: 'a', name: '1' } },
      ['b/1@6', 'b/2@7'],
      0,
    ],
    ['a namespace after a key behind it', { namespace: 'a', after: { namespace: 'b', name: '1' } }, [], 0],
    ['a filter', { filter: isEven }, ['a/1@2', 'a/3@4', 'b/1@6'], 0],
    ['a filtered page, counting keys and not matches', { filter: isEven, limit: 2 }, ['a/1@2', 'a/3@4'], 2],
    ['a filtered page with nothing but misses behind it', { filter: isEven, limit: 3 }, ['a/1@2', 'a/3@4', 'b/1@6'], 1],
    ['no limit when it is zero', { limit: 0, namespace: 'b' }, ['b/1@6', 'b/2@7'], 0],
  ])('give %s, now and from the past', (_name, options, keys, remaining) => {
    const store = new Store({ clock: new ManualClock() });
    for (const [namespace, name] of [
      ['a', '1'],
      ['a', '2'],
      ['a', '3'],
      ['a-b', '1'],
      ['b', '1'],
      ['b', '2'],
    ] as const) {
      created(store, namespace, name);
    }
    const expected = { revision: 7, more: remaining > 0, remaining };
    const now = store.list(maps, options);
    expect(keysOf(now.items)).toEqual(keys);
    expect(now).toMatchObject(expected);
    for (const stored of store.list(maps).items) store.remove(stored);
    created(store, 'a', '1', 'again');
    created(store, 'a', '15');
    const then = store.list(maps, { ...options, revision: 7 });
    expect(keysOf(then.items)).toEqual(keys);
    expect(then).toMatchObject(expected);
  });

  it('of unknown resources are empty at the present revision', () => {
    const store = new Store({ clock: new ManualClock() });
    created(store, 'a', 'x');
    expect(store.list('/pods')).toEqual({ items: [], revision: 2, more: false, remaining: 0 });
  });

  it('are not changed by later writes', () => {
    const store = new Store({ clock: new ManualClock() });
    const first = created(store, 'a', 'x');
    const { items } = store.list(maps);
    updated(store, first, '2');
    created(store, 'a', 'y');
    expect(keysOf(items)).toEqual(['a/x@2']);
  });

  it('refuse revisions of the future', () => {
    const store = new Store({ clock: new ManualClock() });
    expect(() => store.list(maps, { revision: 2 })).toThrow(new RevisionInFuture(2, 1));
    created(store, 'a', 'x');
    expect(() => store.list(maps, { revision: 3 })).toThrow(new RevisionInFuture(3, 2));
  });
});
