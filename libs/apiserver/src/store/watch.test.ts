import { describe, expect, it } from 'vitest';
import { Store } from './store.js';
import type { Stored } from './stored.js';
import { configMap, ManualClock } from './testing.js';
import { RevisionExpired, RevisionInFuture } from './types.js';
import { openWatch, type WatchedEvent, type WatchOptions } from './watch.js';

const maps = '/configmaps';
const isBlue = (stored: Stored): boolean => stored.labels()?.['colour'] === 'blue';

function newStore(): Store {
  return new Store({ clock: new ManualClock() });
}

type Content = readonly [data: string, labels?: Record<string, string>];

function put(store: Store, namespace: string, name: string, ...[data, labels]: Content): Stored {
  const object = configMap(namespace, name, data, labels);
  const latest = store.get(maps, namespace, name);
  const stored = latest === undefined ? store.create(maps, namespace, name, object) : store.replace(latest, object);
  if (stored === undefined || typeof stored === 'string') throw new Error(String(stored));
  return stored;
}

function remove(store: Store, namespace: string, name: string): void {
  store.remove(store.get(maps, namespace, name) as Stored);
}

/** `TYPE name=data@revision`, with the revision of the object itself. */
function line({ type, stored }: WatchedEvent): string {
  const object = stored.object();
  const data = object['data'] as { value: string };
  return `${type} ${stored.namespace}/${stored.name}=${data.value}@${String(object.metadata.resourceVersion)}`;
}

function watched(store: Store, options: WatchOptions): string[] {
  const lines: string[] = [];
  openWatch(store, maps, options, (event) => lines.push(line(event)));
  return lines;
}

/** Revisions 2 to 9. */
function history(store: Store): void {
  put(store, 'a', 'x', '1');
  put(store, 'a', 'x', '2', { colour: 'blue' });
  put(store, 'a', 'x', '3', { colour: 'blue' });
  put(store, 'a', 'x', '4', { colour: 'red' });
  put(store, 'b', 'y', '1', { colour: 'blue' });
  put(store, 'a', 'x', '5', { colour: 'green' });
  remove(store, 'b', 'y');
  remove(store, 'a', 'x');
}

describe('openWatch', () => {
  it.each<[string, WatchOptions, string[]]>([
    [
      'all of it',
      {},
      [
        'ADDED a/x=1@2',
        'MODIFIED a/x=2@3',
        'MODIFIED a/x=3@4',
        'MODIFIED a/x=4@5',
        'ADDED b/y=1@6',
        'MODIFIED a/x=5@7',
        'DELETED b/y=1@8',
        'DELETED a/x=5@9',
      ],
    ],
    [
      'objects entering and leaving the selection, the latter with their previous content and the new revision',
      { matches: isBlue },
      ['ADDED a/x=2@3', 'MODIFIED a/x=3@4', 'DELETED a/x=3@5', 'ADDED b/y=1@6', 'DELETED b/y=1@8'],
    ],
    ['one namespace', { namespace: 'b' }, ['ADDED b/y=1@6', 'DELETED b/y=1@8']],
    ['one name', { name: 'y' }, ['ADDED b/y=1@6', 'DELETED b/y=1@8']],
    ['one name of another namespace', { namespace: 'a', name: 'y' }, []],
  ])('shows %s, live and from the past', (_name, options, expected) => {
    const live = newStore();
    const lines = watched(live, options);
    history(live);
    expect(lines).toEqual(expected);
    const past = newStore();
    history(past);
    expect(watched(past, { ...options, fromRevision: 1 })).toEqual(expected);
  });

  it('goes on from a revision without gap or repeat', () => {
    const store = newStore();
    history(store);
    const lines = watched(store, { fromRevision: 7 });
    put(store, 'a', 'z', '1');
    expect(lines).toEqual(['DELETED b/y=1@8', 'DELETED a/x=5@9', 'ADDED a/z=1@10']);
  });

  it.each<[string, WatchOptions, string[]]>([
    ['everything', {}, ['a/x=1@2', 'a/y=1@3', 'b/x=1@4']],
    ['a selection', { matches: isBlue }, ['a/y=1@3']],
    ['a namespace', { namespace: 'a' }, ['a/x=1@2', 'a/y=1@3']],
    ['one object', { namespace: 'a', name: 'y' }, ['a/y=1@3']],
    ['one name in all namespaces', { name: 'x' }, ['a/x=1@2', 'b/x=1@4']],
    ['one object outside the selection', { namespace: 'a', name: 'x', matches: isBlue }, []],
    ['nothing', { namespace: 'c' }, []],
  ])('begins with %s as ADDED', (_name, options, expected) => {
    const store = newStore();
    put(store, 'a', 'x', '1');
    put(store, 'a', 'y', '1', { colour: 'blue' });
    put(store, 'b', 'x', '1');
    const lines: string[] = [];
    const ends: number[] = [];
    const { revision } = openWatch(
      store,
      maps,
      { ...options, initial: true, fromRevision: 2, onInitialEnd: (at) => ends.push(at, lines.length) },
      (event) => lines.push(line(event)),
    );
    expect(revision).toBe(4);
    expect(lines).toEqual(expected.map((text) => `ADDED ${text}`));
    expect(ends).toEqual([4, expected.length]);
  });

  it('finds an object without namespace by its name', () => {
    const store = newStore();
    store.create('/nodes', '', 'n', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
    const names: string[] = [];
    openWatch(store, '/nodes', { name: 'n', initial: true }, ({ stored }) => names.push(stored.name));
    expect(names).toEqual(['n']);
  });

  it('ends at once when closed', () => {
    const store = newStore();
    const lines: string[] = [];
    const watch = openWatch(store, maps, {}, (event) => lines.push(line(event)));
    put(store, 'a', 'x', '1');
    watch.close();
    watch.close();
    put(store, 'a', 'x', '2');
    expect(lines).toEqual(['ADDED a/x=1@2']);
  });

  it('starts now by default, and may start in the future', () => {
    const store = newStore();
    put(store, 'a', 'x', '1');
    const now = watched(store, { fromRevision: 'now' });
    const future = watched(store, { fromRevision: 3 });
    put(store, 'a', 'x', '2');
    put(store, 'a', 'x', '3');
    expect(now).toEqual(['MODIFIED a/x=2@3', 'MODIFIED a/x=3@4']);
    expect(future).toEqual(['MODIFIED a/x=3@4']);
  });

  it('refuses a past that is gone and a state not reached yet, and leaves no listener behind', () => {
    const store = newStore();
    history(store);
    store.compact(5);
    const fail = (): never => {
      throw new Error('not to be called');
    };
    expect(() => openWatch(store, maps, { fromRevision: 4 }, fail)).toThrow(new RevisionExpired(4, 5));
    expect(() => openWatch(store, maps, { fromRevision: 10, initial: true }, fail)).toThrow(
      new RevisionInFuture(10, 9),
    );
    const reported: unknown[] = [];
    const other = new Store({ clock: new ManualClock(), onListenerError: (error) => reported.push(error) });
    put(other, 'a', 'x', '1');
    expect(() => openWatch(other, maps, { initial: true }, fail)).toThrow('not to be called');
    put(other, 'a', 'x', '2');
    expect(reported).toEqual([]);
  });

  it.each<[string, WatchOptions]>([
    ['initial events', { initial: true }],
    ['events of the past', { fromRevision: 1 }],
  ])('keeps the order when a watcher writes during %s', (_name, options) => {
    const store = newStore();
    put(store, 'a', 'x', '1');
    put(store, 'a', 'y', '1');
    const lines: string[] = [];
    openWatch(store, maps, options, (event) => {
      lines.push(line(event));
      if (event.stored.name === 'x') put(store, 'a', 'x0', '1');
      if (event.stored.name === 'x0') put(store, 'a', 'x00', '1');
    });
    expect(lines).toEqual(['ADDED a/x=1@2', 'ADDED a/y=1@3', 'ADDED a/x0=1@4', 'ADDED a/x00=1@5']);
    put(store, 'a', 'y', '2');
    expect(lines.at(-1)).toBe('MODIFIED a/y=2@6');
  });

  it('opened inside a delivery neither misses nor repeats what is still being delivered', () => {
    const store = newStore();
    const late: string[] = [];
    let isOpen = false;
    store.subscribe(() => {
      if (isOpen) return;
      isOpen = true;
      put(store, 'a', 'y', '1');
      openWatch(store, maps, { initial: true }, (event) => late.push(line(event)));
      put(store, 'a', 'z', '1');
    });
    put(store, 'a', 'x', '1');
    expect(late).toEqual(['ADDED a/x=1@2', 'ADDED a/y=1@3', 'ADDED a/z=1@4']);
  });

  it('shows all watchers that lose an object one and the same version', () => {
    const store = newStore();
    const shown: Stored[] = [];
    for (let n = 0; n < 3; n++) {
      openWatch(store, maps, { matches: isBlue }, ({ type, stored }) => type === 'DELETED' && shown.push(stored));
    }
    put(store, 'a', 'x', '1', { colour: 'blue' });
    put(store, 'a', 'x', '2');
    expect(shown).toHaveLength(3);
    expect(new Set(shown.map((stored) => stored.bytes())).size).toBe(1);
  });
});
