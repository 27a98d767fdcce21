import { describe, expect, it } from 'vitest';
import { excludeFields } from './field-filter.js';
import { Gadget, gadgetSchema } from './testing.js';
import type { ApplySchema } from './schema-type.js';

/** A history, the content it leaves, and who owns what of it. */
type Sequence = readonly [
  name: string,
  run: (gadget: Gadget) => unknown,
  spec: unknown,
  owned: Record<string, string[]>,
];

const a = (fields: object = {}): object => ({ name: 'a', ...fields });
const b = (fields: object = {}): object => ({ name: 'b', ...fields });

const sequences: readonly Sequence[] = [
  ['an apply owns what it names', (g) => g.apply('m', { text: 'x' }), { text: 'x' }, { m: ['.text'] }],
  [
    'the last apply decides',
    (g) => g.apply('m', { text: 'x' }).apply('m', { text: 'y', number: 1 }),
    { text: 'y', number: 1 },
    { m: ['.number', '.text'] },
  ],
  [
    'an update takes what it changes',
    (g) => g.apply('m', { text: 'x', number: 1 }).update('c', { text: 'y', number: 1 }),
    { text: 'y', number: 1 },
    { m: ['.number'], '~c': ['.text'] },
  ],
  [
    'an update owns nothing it leaves alone',
    (g) => g.apply('m', { text: 'x' }).update('c', { text: 'x' }),
    { text: 'x' },
    { m: ['.text'] },
  ],
  [
    'an applier and an updater share nothing they did not both write',
    (g) => g.apply('m', { number: 1 }).update('c', { number: 1, text: 'x' }).apply('m', { number: 2 }),
    { number: 2, text: 'x' },
    { m: ['.number'], '~c': ['.text'] },
  ],
  [
    'a forced apply takes fields',
    (g) => g.apply('m', { text: 'x' }).update('c', { text: 'y' }).apply('m', { text: 'z' }, { force: true }),
    { text: 'z' },
    { m: ['.text'] },
  ],
  [
    'what is no longer applied goes',
    (g) => g.apply('m', { text: 'x', number: 1, flag: true }).apply('m', { text: 'x' }),
    { text: 'x' },
    { m: ['.text'] },
  ],
  [
    'what an updater owns stays',
    (g) => g.update('c', { text: 'x', number: 1 }).apply('m', { number: 1 }).apply('m', { flag: true }),
    { text: 'x', number: 1, flag: true },
    { m: ['.flag'], '~c': ['.number', '.text'] },
  ],
  [
    'an update that removes a field ends all claims to it',
    (g) => g.apply('m', { text: 'x', number: 1 }).update('c', { text: 'x' }),
    { text: 'x' },
    { m: ['.text'] },
  ],
  [
    'an applier of nothing owns the empty struct it sent',
    (g) => g.apply('m', { text: 'x' }).apply('n', { flag: true }).apply('m', {}),
    { flag: true },
    { m: [], n: ['.flag'] },
  ],

  [
    'two appliers share equal values',
    (g) => g.apply('m', { text: 'x' }).apply('n', { text: 'x' }),
    { text: 'x' },
    { m: ['.text'], n: ['.text'] },
  ],
  [
    'a shared field stays with the one who still applies it',
    (g) => g.apply('m', { text: 'x', number: 1 }).apply('n', { text: 'x' }).apply('m', { number: 1 }),
    { text: 'x', number: 1 },
    { m: ['.number'], n: ['.text'] },
  ],
  [
    'a field goes with its last applier',
    (g) =>
      g
        .apply('m', { text: 'x', number: 1 })
        .apply('n', { text: 'x', flag: true })
        .apply('m', { number: 1 })
        .apply('n', { flag: true }),
    { number: 1, flag: true },
    { m: ['.number'], n: ['.flag'] },
  ],
  [
    'an updater keeps a field alive',
    (g) => g.apply('m', { text: 'x', number: 1 }).update('c', { text: 'y', number: 1 }).apply('m', { number: 1 }),
    { text: 'y', number: 1 },
    { m: ['.number'], '~c': ['.text'] },
  ],
  [
    'an updater can claim by changing back and forth',
    (g) => g.apply('m', { text: 'x' }).update('c', { text: 'y' }).update('c', { text: 'x' }).apply('m', { number: 1 }),
    { text: 'x', number: 1 },
    { m: ['.number'], '~c': ['.text'] },
  ],

  [
    'items of a set are owned one by one',
    (g) =>
      g
        .apply('m', { set: ['a', 'c'] })
        .update('c', { set: ['a', 'b', 'c', 'd'] })
        .apply('m', { set: ['a', 'aprime', 'c', 'cprime'] }),
    { set: ['a', 'b', 'aprime', 'c', 'd', 'cprime'] },
    { m: ['.set[="a"]', '.set[="aprime"]', '.set[="c"]', '.set[="cprime"]'], '~c': ['.set[="b"]', '.set[="d"]'] },
  ],
  [
    'an applied set keeps the order applied',
    (g) => g.apply('m', { set: ['a', 'b', 'c', 'd'] }).apply('m', { set: ['a', 'd', 'c', 'b'] }),
    { set: ['a', 'd', 'c', 'b'] },
    { m: ['.set[="a"]', '.set[="b"]', '.set[="c"]', '.set[="d"]'] },
  ],
  [
    'an updated order is put back',
    (g) =>
      g
        .apply('m', { set: ['a', 'b', 'c'] })
        .update('c', { set: ['c', 'b', 'a'] })
        .apply('m', { set: ['a', 'b', 'c'] }),
    { set: ['a', 'b', 'c'] },
    { m: ['.set[="a"]', '.set[="b"]', '.set[="c"]'] },
  ],
  [
    'items no longer applied leave a set',
    (g) => g.apply('m', { set: ['a', 'b', 'c', 'd'] }).apply('m', { set: ['a', 'c'] }),
    { set: ['a', 'c'] },
    { m: ['.set[="a"]', '.set[="c"]'] },
  ],
  [
    'a set owned item by item empties to nothing',
    (g) => g.apply('m', { set: ['a'], text: 'x' }).apply('m', { text: 'x' }),
    { text: 'x' },
    { m: ['.text'] },
  ],

  [
    'repeated items of an update are owned once',
    (g) => g.update('c', { set: [1, 1, 3] }),
    { set: [1, 1, 3] },
    { '~c': ['.set', '.set[=1]', '.set[=3]'] },
  ],
  [
    'who repeats an item owns it',
    (g) => g.update('c', { set: [1, 3] }).update('d', { set: [1, 1, 3] }),
    { set: [1, 1, 3] },
    { '~c': ['.set', '.set[=3]'], '~d': ['.set[=1]'] },
  ],
  [
    'who removes the repetition owns it',
    (g) => g.update('c', { set: [1, 1, 3] }).update('d', { set: [1, 3] }),
    { set: [1, 3] },
    { '~c': ['.set', '.set[=3]'], '~d': ['.set[=1]'] },
  ],
  [
    'repeated items are left alone by others',
    (g) => g.update('c', { set: [1, 1, 3] }).apply('m', { set: [5] }),
    { set: [1, 1, 3, 5] },
    { m: ['.set[=5]'], '~c': ['.set', '.set[=1]', '.set[=3]'] },
  ],
  [
    'an apply of a repeated item makes it one',
    (g) => g.update('c', { set: [1, 1, 3] }).apply('m', { set: [1] }, { force: true }),
    { set: [1, 3] },
    { m: ['.set[=1]'], '~c': ['.set', '.set[=3]'] },
  ],
  [
    'a change inside repeated items takes them whole',
    (g) =>
      g
        .update('c', { items: [a({ value: 1 }), a({ value: 2 }), b()] })
        .update('d', { items: [a({ value: 1 }), a({ value: 3 }), b()] }),
    { items: [a({ value: 1 }), a({ value: 3 }), b()] },
    { '~c': ['.items', '.items[name="b"]', '.items[name="b"].name'], '~d': ['.items[name="a"]'] },
  ],
  [
    'items beside repeated ones are free',
    (g) => g.update('c', { items: [a(), a()] }).apply('m', { items: [b()] }),
    { items: [a(), a(), b()] },
    { m: ['.items[name="b"]', '.items[name="b"].name'], '~c': ['.items', '.items[name="a"]'] },
  ],

  [
    'an item goes with all its own fields',
    (g) => g.apply('m', { items: [a({ value: 1 }), b()] }).apply('m', { items: [b()] }),
    { items: [b()] },
    { m: ['.items[name="b"]', '.items[name="b"].name'] },
  ],
  [
    'an item another applies stays',
    (g) =>
      g
        .apply('m', { items: [a({ value: 1 }), b()] })
        .apply('n', { items: [a()] })
        .apply('m', { items: [b()] }),
    { items: [a(), b()] },
    { m: ['.items[name="b"]', '.items[name="b"].name'], n: ['.items[name="a"]', '.items[name="a"].name'] },
  ],
  [
    'what an updater put into an item goes with the item',
    (g) =>
      g
        .apply('m', { items: [a(), b()] })
        .update('c', { items: [a({ value: 1 }), b()] })
        .apply('m', { items: [b()] }),
    { items: [b()] },
    { m: ['.items[name="b"]', '.items[name="b"].name'] },
  ],
  [
    'fields nobody owns stay in an item that stays',
    (g) => g.apply('m', { items: [a({ value: 1, other: 2 })] }).apply('m', { items: [a({ value: 1 })] }),
    { items: [a({ value: 1 })] },
    { m: ['.items[name="a"]', '.items[name="a"].name', '.items[name="a"].value'] },
  ],
  [
    'a defaulted key names the same item',
    (g) => g.apply('m', { ports: [{ port: 80 }] }).apply('n', { ports: [{ port: 80, proto: 'TCP', host: 'h' }] }),
    { ports: [{ port: 80, proto: 'TCP', host: 'h' }] },
    {
      m: ['.ports[port=80,proto="TCP"]', '.ports[port=80,proto="TCP"].port'],
      n: [
        '.ports[port=80,proto="TCP"]',
        '.ports[port=80,proto="TCP"].host',
        '.ports[port=80,proto="TCP"].port',
        '.ports[port=80,proto="TCP"].proto',
      ],
    },
  ],
  [
    'another key names another item',
    (g) => g.apply('m', { ports: [{ port: 80 }, { port: 80, proto: 'UDP' }] }),
    { ports: [{ port: 80 }, { port: 80, proto: 'UDP' }] },
    {
      m: [
        '.ports[port=80,proto="TCP"]',
        '.ports[port=80,proto="UDP"]',
        '.ports[port=80,proto="TCP"].port',
        '.ports[port=80,proto="UDP"].port',
        '.ports[port=80,proto="UDP"].proto',
      ],
    },
  ],

  [
    'a struct goes with its last field',
    (g) => g.apply('m', { inner: { a: '1' }, text: 'x' }).apply('m', { text: 'x' }),
    { text: 'x' },
    { m: ['.text'] },
  ],
  [
    'a struct with fields of others stays',
    (g) =>
      g
        .apply('m', { inner: { a: '1' } })
        .update('c', { inner: { a: '1', b: '2' } })
        .apply('m', { text: 'x' }),
    { inner: { b: '2' }, text: 'x' },
    { m: ['.text'], '~c': ['.inner.b'] },
  ],
  [
    'deep structs go as well',
    (g) => g.apply('m', { inner: { deep: { c: '1' } }, text: 'x' }).apply('m', { text: 'x' }),
    { text: 'x' },
    { m: ['.text'] },
  ],
  [
    'a map key goes, the map stays',
    (g) => g.apply('m', { labels: { x: '1', y: '2' } }).apply('m', { labels: { y: '2' } }),
    { labels: { y: '2' } },
    { m: ['.labels.y'] },
  ],
  [
    'keys of structs go with what is in them',
    (g) => g.apply('m', { byName: { x: { value: 1 }, y: { value: 2 } } }).apply('m', { byName: { y: { value: 2 } } }),
    { byName: { y: { value: 2 } } },
    { m: ['.byName.y', '.byName.y.value'] },
  ],
  [
    'an atomic list is one field',
    (g) => g.apply('m', { atomic: ['a', 'b'] }).apply('m', { atomic: ['b'] }),
    { atomic: ['b'] },
    { m: ['.atomic'] },
  ],
  [
    'an atomic map is one field',
    (g) => g.apply('m', { whole: { a: '1' } }).update('c', { whole: { a: '1', b: '2' } }),
    { whole: { a: '1', b: '2' } },
    { '~c': ['.whole'] },
  ],
  [
    'untyped content is owned by key',
    (g) =>
      g
        .apply('m', { free: { a: { b: 1 } } })
        .apply('n', { free: { a: { c: 2 } } })
        .apply('m', { text: 'x' }),
    { free: { a: { c: 2 } }, text: 'x' },
    { m: ['.text'], n: ['.free.a', '.free.a.c'] },
  ],
  ['null is owned', (g) => g.apply('m', { text: null, number: 1 }), { number: 1 }, { m: ['.number', '.text'] }],
];

describe('ownership', () => {
  it.each(sequences)('%s', (_name, run, spec, owned) => {
    const gadget = new Gadget();
    run(gadget);
    expect(gadget.spec).toEqual(spec);
    const byPath = (lists: Record<string, string[]>): Record<string, string[]> =>
      Object.fromEntries(Object.entries(lists).map(([name, paths]) => [name, [...paths].sort()]));
    expect(byPath(gadget.owned)).toEqual(byPath(owned));
  });
});

describe('conflicts', () => {
  const applied = (): Gadget => new Gadget().apply('m', { text: 'x', items: [a({ value: 1 })] });

  it.each([
    ['a changed field', { text: 'y' }, 'Apply failed with 1 conflict: conflict with "m": .spec.text'],
    [
      'several changed fields',
      { text: 'y', items: [a({ value: 2 })] },
      'Apply failed with 2 conflicts: conflicts with "m":\n- .spec.text\n- .spec.items[name="a"].value',
    ],
  ])('%s', (_name, spec, message) => {
    expect(() => applied().apply('n', spec)).toThrow(message);
  });

  it('name the subresource and the version of updaters', () => {
    const gadget = new Gadget().apply('m', { number: 1 }).update('c', { number: 2 }, 'v1', 'scale');
    expect(() => gadget.apply('m', { number: 3 })).toThrow(
      'Apply failed with 1 conflict: conflict with "c" with subresource "scale" using test.dev/v1: .spec.number',
    );
  });

  it('are sorted by manager', () => {
    const gadget = new Gadget()
      .apply('z', { text: 'x' })
      .apply('b', { text: 'x' })
      .update('c', { text: 'x', number: 1 });
    expect(() => gadget.apply('n', { text: 'y', number: 2 })).toThrow(
      'Apply failed with 3 conflicts: conflicts with "b":\n- .spec.text\nconflicts with "c" using test.dev/v1:\n- .spec.number\nconflicts with "z":\n- .spec.text',
    );
  });

  it('leave everything as it was', () => {
    const gadget = applied();
    const before = gadget.object;
    expect(gadget.try('n', { text: 'y' }).type).toBe('conflicts');
    expect(gadget.object).toBe(before);
  });
});

describe('versions', () => {
  const renamed: ApplySchema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { word: { type: 'string' }, number: { type: 'number' } } } },
  };
  const convert = (object: Record<string, unknown>, version: string): Record<string, unknown> => {
    const { text, word, ...spec } = (object['spec'] ?? {}) as Record<string, unknown>;
    const value = word ?? text;
    const field = value === undefined ? {} : { [version === 'v2' ? 'word' : 'text']: value };
    return { ...object, apiVersion: `test.dev/${version}`, spec: { ...spec, ...field } };
  };
  const versioned = (): Gadget => new Gadget({ schemas: { v1: gadgetSchema, v2: renamed }, convert });

  it('an applier stays the same manager in another version', () => {
    const gadget = versioned().apply('m', { text: 'x', number: 1 }).apply('m', { word: 'x' }, { version: 'v2' });
    expect(gadget.spec).toEqual({ word: 'x' });
    expect(gadget.entries).toMatchObject([{ manager: 'm', apiVersion: 'test.dev/v2' }]);
    expect(gadget.owned).toEqual({ m: ['.word'] });
  });

  it('updaters are another manager in another version', () => {
    const gadget = versioned().update('c', { text: 'x' }).update('c', { word: 'x', number: 1 }, 'v2');
    expect(gadget.entries.map(({ manager, apiVersion }) => [manager, apiVersion])).toEqual([
      ['c', 'test.dev/v1'],
      ['c', 'test.dev/v2'],
    ]);
  });

  it('conflicts are found in the version of the owner', () => {
    const gadget = versioned().apply('m', { text: 'x' });
    expect(() => gadget.apply('n', { word: 'y' }, { version: 'v2' })).toThrow(
      'Apply failed with 1 conflict: conflict with "m": .spec.text',
    );
  });

  it('fields are taken in the version of the owner', () => {
    const gadget = versioned().apply('m', { text: 'x', number: 1 }).update('c', { word: 'y', number: 1 }, 'v2');
    expect(gadget.owned).toEqual({ m: ['.number'], '~c': ['.word'] });
  });

  it('managers of versions that are gone are forgotten', () => {
    const gadget = versioned().apply('m', { text: 'x' }).apply('n', { word: 'x' }, { version: 'v2' });
    gadget.schemas = { v2: renamed };
    gadget.apply('n', { word: 'y' }, { version: 'v2' });
    expect(gadget.owned).toEqual({ n: ['.word'] });
  });

  it('a list that has become atomic is owned as a whole', () => {
    const granular: ApplySchema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { atomic: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' } },
        },
      },
    };
    const gadget = new Gadget({ schemas: { v1: granular } }).apply('m', { atomic: ['a', 'b'] });
    gadget.schemas = { v1: gadgetSchema };
    gadget.apply('n', { text: 'x' });
    expect(gadget.owned).toEqual({ m: ['.atomic'], n: ['.text'] });
  });
});

describe('reset fields', () => {
  const filtered = (): Gadget => new Gadget({ filter: excludeFields(['spec', 'inner'], ['spec', 'items']) });

  it('are owned by nobody', () => {
    expect(filtered().update('c', { text: 'x', inner: { a: '1' } }).owned).toEqual({ '~c': ['.text'] });
    expect(filtered().apply('m', { text: 'x', inner: { a: '1' }, items: [a()] }).owned).toEqual({ m: ['.text'] });
  });

  it('are not taken from those who have them', () => {
    const gadget = filtered();
    const plain = new Gadget().apply('m', { inner: { a: '1' } });
    gadget.object = plain.object;
    expect(gadget.update('c', { inner: { a: '2' }, text: 'x' }).owned).toEqual({ m: ['.inner.a'], '~c': ['.text'] });
    expect(() => gadget.apply('n', { inner: { a: '3' } })).not.toThrow();
  });
});
