import { describe, expect, it } from 'vitest';
import { HotSet } from './hot-set.js';
import { Store } from './store.js';
import type { Stored } from './stored.js';
import { configMap, ManualClock } from './testing.js';

const maps = '/configmaps';

function store(hotEntries: number): Store {
  return new Store({ clock: new ManualClock(), hotEntries });
}

function create(target: Store, name: string, data = '1'): Stored {
  const stored = target.create(maps, 'a', name, configMap('a', name, data, { app: name }));
  if (stored === undefined) throw new Error(`${name} exists`);
  return stored;
}

const text = (stored: Stored): string => Buffer.from(stored.bytes()).toString('utf8');

describe('a stored version', () => {
  it('encodes once, as UTF-8', () => {
    const stored = create(store(10), 'x', 'grüße \u{1f600}');
    expect(text(stored)).toBe(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"a","labels":{"app":"x"},"resourceVersion":"2"},"data":{"value":"grüße \u{1f600}"}}',
    );
    expect(stored.bytes()).toBe(stored.bytes());
  });

  it('is looked at alone by several for one reading of its metadata, and read again when many others were', () => {
    const source = store(0);
    const objects = Array.from({ length: 1_500 }, (_, at) => {
      const stored = create(source, `n-${at}`);
      return { resource: maps, namespace: 'a', name: stored.name, revision: stored.revision, bytes: stored.bytes() };
    });
    const reopened = Store.reopen({ revision: source.revision, objects }, { clock: new ManualClock() });
    const [one, ...others] = reopened.list(maps).items as [Stored, ...Stored[]];
    const seen = one.metadata();
    expect([seen.name, one.metadata() === seen]).toEqual([one.name, true]);
    for (const other of others) expect(other.metadata().name).toBe(other.name);
    expect(one.metadata()).toEqual(seen);
    expect(one.metadata()).not.toBe(seen);
  });

  it('is frozen to the last leaf when handed out', () => {
    const object = create(store(10), 'x').frozen();
    expect(() => Object.assign(object['data'] as object, { value: '2' })).toThrow(TypeError);
    expect(() => Object.assign(object.metadata, { name: 'y' })).toThrow(TypeError);
    expect(() => Object.assign(object, { kind: 'Secret' })).toThrow(TypeError);
  });

  it('keeps its parsed form while it is not encoded, however many others are hot', () => {
    const target = store(1);
    const stored = create(target, 'x');
    const object = stored.object();
    for (let n = 0; n < 5; n++) create(target, `y${n}`).bytes();
    expect(stored.object()).toBe(object);
  });

  it('drops the parsed form when it cools, and has it again on demand, frozen if asked', () => {
    const target = store(1);
    const stored = create(target, 'x');
    const object = stored.frozen();
    const bytes = stored.bytes();
    expect(stored.object()).toBe(object);
    for (let n = 0; n < 3; n++) create(target, `y${n}`).bytes();
    const labels = stored.labels();
    const again = stored.object();
    expect(again).not.toBe(object);
    expect(again).toEqual(object);
    expect(again.metadata.labels).toBe(labels);
    expect(stored.bytes()).toBe(bytes);
    expect(Object.isFrozen(stored.frozen()['data'])).toBe(true);
  });

  it('is exact after cooling: bigints and odd keys survive', () => {
    const target = store(1);
    const object = {
      ...configMap('a', 'x', '1'),
      spec: JSON.parse('{"__proto__":{"constructor":1},"10":1,"9":2,"zero":0}') as object,
      big: 9_007_199_254_740_993n,
    };
    const stored = target.create(maps, 'a', 'x', object) as Stored;
    const before = text(stored);
    expect(before).toContain('"spec":{"9":2,"10":1,"__proto__":{"constructor":1},"zero":0},"big":9007199254740993}');
    const hot = stored.object();
    for (let n = 0; n < 3; n++) create(target, `y${n}`).bytes();
    const cold = stored.object();
    expect(cold).not.toBe(hot);
    expect(cold['big']).toBe(9_007_199_254_740_993n);
    expect(Object.keys(cold['spec'] as object)).toEqual(['9', '10', '__proto__', 'zero']);
    expect(text(stored.withRevision(2))).toBe(before);
    expect(target.replace(stored, { ...object })).toBe(stored);
  });

  it('swaps and deletes a cold version like a hot one', () => {
    const target = store(1);
    const stored = create(target, 'x');
    stored.bytes();
    create(target, 'y').bytes();
    expect(target.replace(stored, configMap('a', 'x', '1', { app: 'x' }))).toBe(stored);
    create(target, 'z').bytes();
    create(target, 'z2').bytes();
    const tombstone = target.remove(stored) as Stored;
    const before = text(tombstone);
    expect(before).toBe(text(stored).replace('"resourceVersion":"2"', `"resourceVersion":"${tombstone.revision}"`));
    for (let n = 0; n < 3; n++) create(target, `w${n}`).bytes();
    expect(text(tombstone)).toBe(before);
    expect(text(tombstone.withRevision(99))).toBe(
      text(stored).replace('"resourceVersion":"2"', '"resourceVersion":"99"'),
    );
  });

  it('computes a memo once while it is hot, and a fact once for ever', () => {
    const target = store(1);
    const stored = create(target, 'x');
    const made: string[] = [];
    const make = (key: string) => (): string => {
      made.push(key);
      return `${key}!`;
    };
    const read = (): string[] => [
      stored.memo('a', make('a')),
      stored.memo('b', make('b')),
      stored.fact('a', make('f')),
    ];
    expect(read()).toEqual(['a!', 'b!', 'f!']);
    expect(read()).toEqual(['a!', 'b!', 'f!']);
    expect(made).toEqual(['a', 'b', 'f']);
    for (let n = 0; n < 3; n++) create(target, `y${n}`).bytes();
    expect(read()).toEqual(['a!', 'b!', 'f!']);
    expect(made).toEqual(['a', 'b', 'f', 'a', 'b']);
  });

  it('keeps what has memos longer than what was only written', () => {
    const target = store(8);
    const stored = create(target, 'x');
    let calls = 0;
    const read = (): number => stored.memo('a', () => ++calls);
    read();
    for (let n = 0; n < 20; n++) create(target, `y${n}`).bytes();
    expect(read()).toBe(1);
    for (let n = 0; n < 20; n++) create(target, `z${n}`).memo('a', () => n);
    expect(read()).toBe(2);
  });

  it('memoises undefined too', () => {
    const stored = create(store(10), 'x');
    let calls = 0;
    const make = (): undefined => void calls++;
    stored.memo('a', make);
    stored.memo('a', make);
    expect(calls).toBe(1);
  });

  it('shares labels, frozen, without a parse', () => {
    const stored = create(store(10), 'x');
    expect(stored.labels()).toEqual({ app: 'x' });
    expect(Object.isFrozen(stored.labels())).toBe(true);
    expect(stored.withRevision(9).labels()).toBe(stored.labels());
  });
});

describe('an event', () => {
  it('memoises until it cools', () => {
    const target = store(1);
    create(target, 'x');
    const event = target.eventsSince(maps, 1)[0];
    let calls = 0;
    const read = (): number | undefined => event?.memo('frame', () => ++calls);
    expect([read(), read()]).toEqual([1, 1]);
    for (let n = 0; n < 3; n++) create(target, `y${n}`).bytes();
    expect(read()).toBe(2);
  });
});

describe('the hot set', () => {
  function fixture(capacity: number): { use: (...names: string[]) => void; cooled: string[]; warm: () => string[] } {
    const cooled: string[] = [];
    const entries = new Map<string, { heat: 0 | 1 | 2; cool: () => void }>();
    const hot = new HotSet(capacity);
    const use = (...names: string[]): void => {
      for (const name of names) {
        const entry = entries.get(name) ?? { heat: 0, cool: () => void cooled.push(name) };
        entries.set(name, entry);
        hot.admit(entry);
      }
    };
    return { use, cooled, warm: () => [...entries].filter(([, { heat }]) => heat > 0).map(([name]) => name) };
  }

  it('lets go of newcomers nobody came back to, in order', () => {
    const { use, cooled, warm } = fixture(8);
    use('a', 'b', 'c', 'd');
    expect([cooled, warm()]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('keeps who was used again, whatever passes by', () => {
    const { use, cooled, warm } = fixture(8);
    use('a', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i');
    expect([cooled, warm()]).toEqual([
      ['b', 'c', 'd', 'e', 'f', 'g'],
      ['a', 'h', 'i'],
    ]);
  });

  it('gives regulars used since the last round a second chance', () => {
    const { use, cooled } = fixture(3);
    use('a', 'a', 'b', 'b', 'c', 'c');
    use('a');
    expect(cooled).toEqual([]);
    use('d', 'd');
    expect(cooled).toEqual(['b']);
    use('e');
    expect(cooled).toEqual(['b', 'a']);
  });

  it('holds at least the entry at hand', () => {
    const { use, cooled, warm } = fixture(0);
    use('a', 'a', 'b');
    expect([cooled, warm()]).toEqual([['a'], ['b']]);
  });
});
