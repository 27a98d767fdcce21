import { describe, expect, it } from 'vitest';
import { Store } from './store.js';
import type { Stored } from './stored.js';
import { configMap, ManualClock } from './testing.js';
import type { EventSelector, StoreEvent } from './types.js';

const maps = '/configmaps';

function create(store: Store, namespace: string, name: string, resource = maps): Stored {
  const stored = store.create(resource, namespace, name, configMap(namespace, name, '1'));
  if (stored === undefined) throw new Error(`${namespace}/${name} exists`);
  return stored;
}

describe('subscriptions', () => {
  // Revisions: 2 = configmaps a/x, 3 = configmaps a/y, 4 = configmaps b/x, 5 = secrets a/x
  it.each<[string, EventSelector | undefined, number[]]>([
    ['everything', undefined, [2, 3, 4, 5]],
    ['a resource', { resource: maps }, [2, 3, 4]],
    ['a namespace', { resource: maps, namespace: 'a' }, [2, 3]],
    ['a resource, the empty namespace meaning all', { resource: maps, namespace: '' }, [2, 3, 4]],
    ['a name in a namespace', { resource: maps, namespace: 'a', name: 'x' }, [2]],
    ['a name in all namespaces', { resource: maps, name: 'x' }, [2, 4]],
    ['what never happens', { resource: maps, namespace: 'c' }, []],
    ['another resource', { resource: '/pods' }, []],
  ])('to %s receive exactly that', (_name, selector, expected) => {
    const store = new Store({ clock: new ManualClock() });
    const received: number[] = [];
    const end = store.subscribe(({ revision }) => received.push(revision), selector);
    const write = (suffix: string): void => {
      create(store, 'a', `x${suffix}`);
      create(store, 'a', `y${suffix}`);
      create(store, 'b', `x${suffix}`);
      create(store, 'a', `x${suffix}`, '/secrets');
    };
    write('');
    expect(received).toEqual(expected);
    end();
    end();
    for (const stored of store.list(maps).items) store.remove(stored);
    write('2');
    expect(received).toEqual(expected);
  });

  it('receive events after the commit is visible', () => {
    const store = new Store({ clock: new ManualClock() });
    const seen: unknown[] = [];
    store.subscribe((event) => seen.push(store.revision, store.get(maps, event.namespace, event.name)));
    const stored = create(store, 'a', 'x');
    expect(seen).toEqual([2, stored]);
    expect(seen[1]).toBe(stored);
  });

  it('receive events in revision order although a listener writes', () => {
    const store = new Store({ clock: new ManualClock() });
    const first: number[] = [];
    const second: number[] = [];
    store.subscribe(({ revision, name }) => {
      first.push(revision);
      if (name.length < 3) create(store, 'a', `${name}x`);
    });
    store.subscribe(({ revision }) => second.push(revision));
    create(store, 'a', 'x');
    expect(first).toEqual([2, 3, 4]);
    expect(second).toEqual([2, 3, 4]);
  });

  it('made during delivery receive only what was committed later', () => {
    const store = new Store({ clock: new ManualClock() });
    const late: number[] = [];
    let isDone = false;
    store.subscribe(() => {
      if (isDone) return;
      isDone = true;
      create(store, 'a', 'y');
      store.subscribe(({ revision }) => late.push(revision));
      store.subscribe(({ revision }) => late.push(revision), { resource: maps, namespace: 'a', name: 'z' });
      create(store, 'a', 'z');
    });
    create(store, 'a', 'x');
    expect(late).toEqual([4, 4]);
  });

  it('ended during delivery receive nothing more, not even the event at hand', () => {
    const store = new Store({ clock: new ManualClock() });
    const received: number[] = [];
    const ends: (() => void)[] = [];
    store.subscribe(() => ends.forEach((end) => end()));
    ends.push(
      store.subscribe(({ revision }) => received.push(revision)),
      store.subscribe(({ revision }) => received.push(revision), { resource: maps }),
      store.subscribe(({ revision }) => received.push(revision), { resource: maps, namespace: 'a', name: 'x' }),
    );
    create(store, 'a', 'x');
    expect(received).toEqual([]);
  });

  it('survive a listener that throws, which is reported', () => {
    const reported: [unknown, number][] = [];
    const store = new Store({
      clock: new ManualClock(),
      onListenerError: (error, event) => reported.push([error, event.revision]),
    });
    const failure = new Error('no');
    const received: StoreEvent[] = [];
    store.subscribe(() => {
      throw failure;
    });
    store.subscribe((event) => received.push(event));
    expect(create(store, 'a', 'x').revision).toBe(2);
    expect(received).toHaveLength(1);
    expect(reported).toEqual([[failure, 2]]);
  });

  it.each([
    ['there is no error handler', undefined, 'listener'],
    [
      'the error handler throws too',
      () => {
        throw new Error('handler');
      },
      'handler',
    ],
  ])('throw an error from a timer when %s', (_name, onListenerError, message) => {
    const clock = new ManualClock();
    const store = new Store({ clock, ...(onListenerError === undefined ? {} : { onListenerError }) });
    store.subscribe(() => {
      throw new Error('listener');
    });
    create(store, 'a', 'x');
    create(store, 'a', 'y');
    expect(clock.due).toHaveLength(2);
    expect(clock.due[0]).toThrow(message);
  });
});
