/** The histories of sequences.test.ts. */
import type { Gadget } from './testing.js';

/** A history, the content it leaves, and who owns what of it. */
export type Sequence = readonly [
  name: string,
  run: (gadget: Gadget) => unknown,
  spec: unknown,
  owned: Record<string, string[]>,
];

const a = (fields: object = {}): object => ({ name: 'a', ...fields });
const b = (fields: object = {}): object => ({ name: 'b', ...fields });

/** Histories of writes to one gadget. */
export const sequences: readonly Sequence[] = [
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
    'items next to repeated ones are free',
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
