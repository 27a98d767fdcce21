import { describe, expect, it } from 'vitest';
import { Store } from './store.js';
import { ManualClock, created, keysOf, maps, textsOf, updated } from './testing.js';
import { type EncodedObject, RevisionExpired } from './types.js';

function encodedObjects(store: Store): EncodedObject[] {
  return store.list(maps).items.map((stored) => ({
    resource: stored.resource,
    namespace: stored.namespace,
    name: stored.name,
    revision: stored.revision,
    bytes: stored.bytes(),
  }));
}

function original(): Store {
  const store = new Store({ clock: new ManualClock() });
  created(store, 'b', 'two', 'ü', { colour: 'blue' });
  updated(store, created(store, 'a', 'one'), '2');
  created(store, 'a-b', 'three', '3', {});
  return store;
}

function reopened(store: Store, revision = store.revision): Store {
  return Store.reopen({ revision, objects: encodedObjects(store) }, { clock: new ManualClock(), hotEntries: 1 });
}

describe('a store opened from encoded objects', () => {
  it('has the same objects at the same revisions, byte by byte', () => {
    const store = original();
    const copy = reopened(store);
    expect(keysOf(copy.list(maps).items)).toEqual(['a-b/three@5', 'a/one@4', 'b/two@2']);
    expect(textsOf(copy.list(maps).items)).toEqual(textsOf(store.list(maps).items));
    expect(copy.list(maps).items.map((stored) => stored.object())).toEqual(
      store.list(maps).items.map((stored) => stored.object()),
    );
    expect(copy.count(maps)).toBe(3);
  });

  it('knows labels, frozen, also after the object has cooled', () => {
    const copy = reopened(original());
    const labels = (): unknown[] => copy.list(maps).items.map((stored) => stored.labels());
    expect(labels()).toEqual([{}, undefined, { colour: 'blue' }]);
    const two = copy.get(maps, 'b', 'two');
    copy.get(maps, 'a', 'one')?.object();
    expect(two?.object().metadata.labels).toBe(two?.labels());
    expect(Object.isFrozen(two?.labels())).toBe(true);
  });

  it('goes on above the revision it was given', () => {
    const copy = reopened(original(), 100);
    expect(copy.revision).toBe(100);
    expect(created(copy, 'a', 'new').revision).toBe(101);
    const one = copy.get(maps, 'a', 'one');
    const removed = one === undefined ? undefined : copy.remove(one);
    expect(removed).toMatchObject({ revision: 102 });
    if (typeof removed === 'object') expect(removed.labels()).toBeUndefined();
  });

  it('knows no past', () => {
    const copy = reopened(original(), 100);
    expect(() => copy.eventsSince(maps, 99)).toThrow(RevisionExpired);
    expect(() => copy.eventsSince('/secrets', 99)).toThrow(RevisionExpired);
    expect(copy.eventsSince(maps, 100)).toEqual([]);
  });
});
