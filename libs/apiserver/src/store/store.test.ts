import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { Store } from './store.js';
import type { Stored } from './stored.js';
import { configMap, created, ManualClock, maps, textsOf, updated } from './testing.js';
import { RevisionExpired, RevisionInFuture, type StoreOptions } from './types.js';

function newStore(options: Partial<StoreOptions> = {}): Store {
  return new Store({ clock: new ManualClock(), ...options });
}

describe('writes', () => {
  it('start above zero and count every commit of every resource', () => {
    const store = newStore();
    expect(store.revision).toBe(1);
    expect(created(store, 'a', 'x').revision).toBe(2);
    expect(store.create('/secrets', 'a', 'x', configMap('a', 'x', '1'))?.revision).toBe(3);
    expect(store.revision).toBe(3);
    expect(newStore({ startRevision: 41 }).revision).toBe(41);
  });

  it('put the revision into the object and change nothing of what was given', () => {
    const store = newStore();
    const given = configMap('a', 'x', '1');
    const first = store.create(maps, 'a', 'x', Object.freeze({ ...given, metadata: Object.freeze(given.metadata) }));
    expect(first?.object().metadata.resourceVersion).toBe('2');
    const second = updated(store, first as Stored, '2');
    expect(second.object().metadata.resourceVersion).toBe('3');
    expect(first?.object().metadata.resourceVersion).toBe('2');
    expect(given.metadata.resourceVersion).toBeUndefined();
  });

  it('refuse a key that is taken', () => {
    const store = newStore();
    created(store, 'a', 'x');
    expect(store.create(maps, 'a', 'x', configMap('a', 'x', '2'))).toBeUndefined();
    expect(store.revision).toBe(2);
  });

  it('compare and swap by the version expected', () => {
    const store = newStore();
    const first = created(store, 'a', 'x');
    const second = updated(store, first, '2');
    expect(store.replace(first, configMap('a', 'x', '3'))).toBe('conflict');
    expect(store.remove(first)).toBe('conflict');
    expect(store.get(maps, 'a', 'x')).toBe(second);
    store.remove(second);
    expect(store.replace(second, configMap('a', 'x', '3'))).toBe('gone');
    expect(store.remove(second)).toBe('gone');
    created(store, 'a', 'x');
    expect(store.remove(second)).toBe('conflict');
  });

  it.each<[string, (stored: Stored) => KubeObject, boolean]>([
    ['the same object', (stored) => stored.object(), true],
    ['an equal copy', (stored) => structuredClone(stored.object()), true],
    [
      'another resourceVersion',
      (s) => ({ ...s.object(), metadata: { ...s.object().metadata, resourceVersion: '9' } }),
      true,
    ],
    ['no resourceVersion', () => configMap('a', 'x', '1', { l: '1' }), true],
    [
      'another key order',
      ({ namespace }) => ({
        data: { value: '1' },
        metadata: { labels: { l: '1' }, namespace, name: 'x' },
        kind: 'ConfigMap',
        apiVersion: 'v1',
      }),
      true,
    ],
    ['an undefined member', (stored) => ({ ...stored.object(), extra: undefined }), true],
    ['one more member', (stored) => ({ ...stored.object(), extra: null }), false],
    [
      'one member less',
      ({ namespace }) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'x', namespace, labels: { l: '1' } },
      }),
      false,
    ],
    ['other labels', () => configMap('a', 'x', '1', { l: '2' }), false],
    ['no labels', () => configMap('a', 'x', '1'), false],
    ['other data', () => configMap('a', 'x', '2', { l: '1' }), false],
  ])('see whether %s changes anything', (_name, change, isSame) => {
    const store = newStore();
    const events: number[] = [];
    const first = created(store, 'a', 'x', '1', { l: '1' });
    store.subscribe((event) => events.push(event.revision));
    const result = store.replace(first, change(first));
    expect(result === first).toBe(isSame);
    expect(store.revision).toBe(isSame ? 2 : 3);
    expect(events).toEqual(isSame ? [] : [3]);
  });

  it('give a deletion its own revision and keep the last content', () => {
    const store = newStore();
    const first = created(store, 'a', 'x', 'last', { l: '1' });
    const tombstone = store.remove(first) as Stored;
    expect(tombstone.revision).toBe(3);
    expect(tombstone.object()).toEqual({
      ...first.object(),
      metadata: { ...first.object().metadata, resourceVersion: '3' },
    });
    expect(tombstone.labels()).toEqual({ l: '1' });
    expect(first.object().metadata.resourceVersion).toBe('2');
    expect(store.get(maps, 'a', 'x')).toBeUndefined();
    expect(store.count(maps)).toBe(0);
    expect(store.eventsSince(maps, 2)).toMatchObject([
      { type: 'delete', revision: 3, previous: first, current: tombstone },
    ]);
  });

  it('report counts and resources with objects', () => {
    const store = newStore();
    store.create('/secrets', 'a', 'x', configMap('a', 'x', '1'));
    const only = created(store, 'a', 'x');
    created(store, 'b', 'x');
    expect(store.resources()).toEqual([maps, '/secrets']);
    expect([store.count(maps), store.count('/secrets'), store.count('/pods')]).toEqual([2, 1, 0]);
    store.remove(only);
    expect(store.count(maps)).toBe(1);
    store.remove(store.get('/secrets', 'a', 'x') as Stored);
    expect(store.resources()).toEqual([maps]);
  });
});

describe('history', () => {
  it('gives the events after a revision', () => {
    const store = newStore();
    const first = created(store, 'a', 'x');
    store.create('/secrets', 'a', 'x', configMap('a', 'x', '1'));
    const second = updated(store, first, '2');
    store.remove(second);
    expect(store.eventsSince(maps, 1).map(({ type, revision }) => [type, revision])).toEqual([
      ['create', 2],
      ['update', 4],
      ['delete', 5],
    ]);
    expect(store.eventsSince(maps, 2).map(({ revision }) => revision)).toEqual([4, 5]);
    expect(store.eventsSince(maps, 5)).toEqual([]);
    expect(store.eventsSince('/pods', 1)).toEqual([]);
  });

  it.each([
    ['keeps at most maxEvents', { minEvents: 2, maxEvents: 3, minAgeMs: 1_000 }, 0, 3],
    ['keeps minEvents however old they are', { minEvents: 2, maxEvents: 100, minAgeMs: 1_000 }, 10_000, 2],
    ['keeps what is young enough', { minEvents: 2, maxEvents: 100, minAgeMs: 1_000 }, 250, 5],
    ['lets maxEvents win over minEvents', { minEvents: 10, maxEvents: 3, minAgeMs: 1_000 }, 0, 3],
    ['keeps nothing when configured so', { minEvents: 0, maxEvents: 0, minAgeMs: 0 }, 0, 0],
  ])('%s', (_name, history, stepMs, kept) => {
    const clock = new ManualClock();
    const store = newStore({ clock, history });
    for (let round = 0; round < 40; round++) {
      clock.time += stepMs;
      created(store, 'a', `x${round}`);
    }
    const oldest = store.oldestRevision(maps);
    expect(oldest).toBe(41 - kept);
    expect(store.eventsSince(maps, oldest)).toHaveLength(kept);
    expect(() => store.eventsSince(maps, oldest - 1)).toThrow(new RevisionExpired(oldest - 1, oldest));
    expect(() => store.list(maps, { revision: oldest - 1 })).toThrow(RevisionExpired);
    expect(store.list(maps, { revision: oldest }).items).toHaveLength(oldest - 1);
  });

  it('is forgotten up to the revision compacted, for every resource', () => {
    const store = newStore();
    const first = created(store, 'a', 'x');
    store.create('/secrets', 'a', 'x', configMap('a', 'x', '1'));
    updated(store, first, '2');
    store.compact(3);
    for (const resource of [maps, '/secrets', '/pods']) {
      expect(store.oldestRevision(resource)).toBe(3);
      expect(() => store.eventsSince(resource, 2)).toThrow(new RevisionExpired(2, 3));
      expect(() => store.list(resource, { revision: 2 })).toThrow(new RevisionExpired(2, 3));
      expect(store.eventsSince(resource, 4)).toEqual([]);
    }
    expect(store.eventsSince(maps, 3)).toMatchObject([{ revision: 4 }]);
    expect(textsOf(store.list(maps, { revision: 3 }).items)).toEqual(textsOf([first]));
    store.compact(2);
    expect(store.oldestRevision(maps)).toBe(3);
    expect(() => store.compact(5)).toThrow(new RevisionInFuture(5, 4));
  });

  it('counts from the compaction for a resource that comes later', () => {
    const store = newStore();
    created(store, 'a', 'x');
    store.compact(2);
    store.create('/secrets', 'a', 'x', configMap('a', 'x', '1'));
    expect(store.oldestRevision('/secrets')).toBe(2);
    expect(store.eventsSince('/secrets', 2)).toMatchObject([{ revision: 3 }]);
  });

  it('stamps events with the time of the commit', () => {
    const clock = new ManualClock();
    const store = newStore({ clock });
    created(store, 'a', 'x');
    clock.time += 5;
    created(store, 'a', 'y');
    expect(store.eventsSince(maps, 1).map(({ timeMs }) => timeMs)).toEqual([clock.time - 5, clock.time]);
  });
});
