/** The cases of values.test.ts, on the type of `gadgetSpec`. */

const none: readonly string[] = [];

/** Two values and the paths added, modified and removed on the way. */
export type Change = readonly [
  name: string,
  before: object,
  after: object,
  added: readonly string[],
  modified: readonly string[],
  removed: readonly string[],
];

/** Values and the paths they claim. */
export const claims: readonly (readonly [name: string, value: object, paths: readonly string[]])[] = [
  ['scalars', { text: 'a', number: 1 }, ['.number', '.text']],
  ['nulls', { text: null, labels: null, items: null, inner: null }, ['.inner', '.items', '.labels', '.text']],
  [
    'empty maps, but not empty lists',
    { labels: {}, inner: {}, items: [], set: [], atomic: [] },
    ['.atomic', '.inner', '.labels'],
  ],
  ['the leaves of structs', { inner: { a: '1', deep: { c: '2' } } }, ['.inner.a', '.inner.deep.c']],
  ['the keys of maps', { labels: { x: '1', constructor: '2' } }, ['.labels.constructor', '.labels.x']],
  [
    'keys with structs below them',
    { byName: { x: { value: 1 }, y: {} } },
    ['.byName.x', '.byName.y', '.byName.x.value'],
  ],
  ['atomic maps and lists as a whole', { whole: { a: '1' }, atomic: ['a', 'b'] }, ['.atomic', '.whole']],
  ['the items of sets', { set: ['b', 'a', 1] }, ['.set[=1]', '.set[="a"]', '.set[="b"]']],
  [
    'list items with their keys',
    { items: [{ name: 'a', value: 1 }] },
    ['.items[name="a"]', '.items[name="a"].name', '.items[name="a"].value'],
  ],
  [
    'defaulted keys, without claiming them',
    { ports: [{ port: 80 }] },
    ['.ports[port=80,proto="TCP"]', '.ports[port=80,proto="TCP"].port'],
  ],
  [
    'given keys',
    { ports: [{ port: 80, proto: 'UDP' }] },
    ['.ports[port=80,proto="UDP"]', '.ports[port=80,proto="UDP"].port', '.ports[port=80,proto="UDP"].proto'],
  ],
  [
    'items that repeat, only as a whole',
    { items: [{ name: 'a', value: 1 }, { name: 'a', value: 2 }, { name: 'b' }] },
    ['.items[name="a"]', '.items[name="b"]', '.items[name="b"].name'],
  ],
  [
    'untyped content: maps by key, lists as a whole',
    { free: { a: { b: 1 }, l: [1, { x: 1 }], n: null } },
    ['.free.a', '.free.l', '.free.n', '.free.a.b'],
  ],
  ['a value that may be several things', { size: '50%' }, ['.size']],
];

/** What is found between two values. */
export const changes: readonly Change[] = [
  ['equal objects', { text: 'a', items: [{ name: 'a' }] }, { items: [{ name: 'a' }], text: 'a' }, none, none, none],
  ['a changed leaf', { text: 'a' }, { text: 'b' }, none, ['.text'], none],
  [
    'a new struct, with what is in it',
    {},
    { inner: { deep: { c: '1' } } },
    ['.inner', '.inner.deep', '.inner.deep.c'],
    none,
    none,
  ],
  ['a struct that went', { inner: { a: '1' } }, {}, none, none, ['.inner', '.inner.a']],
  ['a new key', { labels: { a: '1' } }, { labels: { a: '1', b: '2' } }, ['.labels.b'], none, none],
  ['a key only JS inherits', { labels: {} }, { labels: { toString: '1' } }, ['.labels.toString'], none, none],
  ['null instead of nothing', {}, { text: null }, ['.text'], none, none],
  ['an empty map instead of null', { labels: null }, { labels: {} }, none, ['.labels'], none],
  ['content instead of null', { labels: null }, { labels: { a: '1' } }, ['.labels.a'], none, none],
  ['an atomic list', { atomic: ['a'] }, { atomic: ['a', 'b'] }, none, ['.atomic'], none],
  ['an atomic map', { whole: { a: '1' } }, { whole: { a: '2' } }, none, ['.whole'], none],
  ['the order of a set', { set: ['a', 'b'] }, { set: ['b', 'a'] }, none, none, none],
  ['items of a set', { set: ['a', 'b'] }, { set: ['b', 'c'] }, ['.set[="c"]'], none, ['.set[="a"]']],
  [
    'a field in an item',
    { items: [{ name: 'a', value: 1 }] },
    { items: [{ name: 'a', value: 2 }] },
    none,
    ['.items[name="a"].value'],
    none,
  ],
  [
    'an item with another key',
    { items: [{ name: 'a' }] },
    { items: [{ name: 'b' }] },
    ['.items[name="b"]', '.items[name="b"].name'],
    none,
    ['.items[name="a"]', '.items[name="a"].name'],
  ],
  ['a new duplicate', { set: [1] }, { set: [1, 1] }, ['.set[=1]'], none, ['.set[=1]']],
  ['a duplicate that went', { set: [1, 1] }, { set: [1] }, ['.set[=1]'], none, ['.set[=1]']],
  [
    'changed duplicates',
    {
      items: [
        { name: 'a', value: 1 },
        { name: 'a', value: 2 },
      ],
    },
    {
      items: [
        { name: 'a', value: 1 },
        { name: 'a', value: 3 },
      ],
    },
    none,
    ['.items[name="a"]'],
    none,
  ],
  ['duplicates that went for good', { set: [1, 1] }, { set: [] }, none, none, ['.set[=1]']],
  ['a scalar that became a map', { free: { x: 1 } }, { free: { x: { y: 1 } } }, ['.free.x.y'], ['.free.x'], none],
  ['a map that became a scalar', { free: { x: { y: 1 } } }, { free: { x: 1 } }, none, ['.free.x'], ['.free.x.y']],
];

/** A live set, an applied one, and their merge. */
export const setMerges: readonly (readonly [
  live: readonly unknown[],
  config: readonly unknown[],
  merged: readonly unknown[],
])[] = [
  [
    ['a', 'b', 'c'],
    ['a', 'b'],
    ['a', 'b', 'c'],
  ],
  [
    ['a', 'b'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ],
  [['a', 'b', 'c'], [], ['a', 'b', 'c']],
  [[], ['a', 'b', 'c'], ['a', 'b', 'c']],
  [
    ['a', 'b'],
    ['b', 'a'],
    ['b', 'a'],
  ],
  [
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
    ['a', 'b', 'c', 'd', 'e', 'f'],
  ],
  [
    ['a', 'b', 'c'],
    ['c', 'd', 'e', 'f'],
    ['a', 'b', 'c', 'd', 'e', 'f'],
  ],
  [
    ['a', 'b', 'c', 'g', 'f'],
    ['c', 'd', 'e', 'f'],
    ['a', 'b', 'c', 'g', 'd', 'e', 'f'],
  ],
  [
    ['c', 'd', 'e', 'f'],
    ['a', 'c', 'e'],
    ['a', 'c', 'd', 'e', 'f'],
  ],
  [
    ['a', 'x', 'y'],
    ['d', 'x', 'y'],
    ['a', 'd', 'x', 'y'],
  ],
  [
    ['c', 'a', 'g', 'f'],
    ['c', 'f', 'a', 'g'],
    ['c', 'f', 'a', 'g'],
  ],
  [
    ['a', 'b', 'c', 'd'],
    ['d', 'e', 'f', 'a'],
    ['b', 'c', 'd', 'e', 'f', 'a'],
  ],
  [
    ['c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'],
    ['2', 'h', '3', 'e', '4', 'k', 'l'],
    ['c', 'd', 'f', 'g', '2', 'h', 'i', 'j', '3', 'e', '4', 'k', 'l'],
  ],
  [
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'],
    ['1', 'b', '2', 'h', '3', 'e', '4', 'k', 'l'],
    ['a', '1', 'b', 'c', 'd', 'f', 'g', '2', 'h', 'i', 'j', '3', 'e', '4', 'k', 'l'],
  ],
  [
    ['c', 'a', 'g', 'f', 'c', 'a'],
    ['c', 'f', 'a', 'g'],
    ['c', 'f', 'a', 'g'],
  ],
  [[true, false, true], [false], [true, false, true]],
  [[true, false, true], [true], [true, false]],
  [
    [1, 2, 3.5, 1, 2],
    [1, 2, 3],
    [1, 2, 3.5, 3],
  ],
];

/** A live value, a configuration, and their merge. */
export const merges: readonly (readonly [name: string, live: object, config: object, merged: object])[] = [
  [
    'fields of an item',
    { items: [{ name: 'a', value: 1 }] },
    { items: [{ name: 'a', other: 2 }] },
    { items: [{ name: 'a', value: 1, other: 2 }] },
  ],
  [
    'items in the order applied',
    { items: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
    { items: [{ name: 'c' }, { name: 'a' }] },
    { items: [{ name: 'b' }, { name: 'c' }, { name: 'a' }] },
  ],
  [
    'items by their default key',
    { ports: [{ port: 1, proto: 'TCP', host: 'h' }] },
    { ports: [{ port: 1 }] },
    { ports: [{ port: 1, proto: 'TCP', host: 'h' }] },
  ],
  [
    'nothing into items that repeat',
    {
      items: [
        { name: 'a', value: 1 },
        { name: 'a', value: 2 },
      ],
    },
    { items: [{ name: 'a', other: 3 }] },
    { items: [{ name: 'a', other: 3 }] },
  ],
  ['atomic lists not at all', { atomic: ['a', 'b'] }, { atomic: ['c'] }, { atomic: ['c'] }],
  ['atomic maps not at all', { whole: { a: '1' } }, { whole: { b: '2' } }, { whole: { b: '2' } }],
  [
    'maps by key',
    { labels: { a: '1', b: '2' } },
    { labels: { b: '3', __x: '4' } },
    { labels: { a: '1', b: '3', __x: '4' } },
  ],
  ['null over a leaf', { text: 'a' }, { text: null }, { text: null }],
  ['null over a map with content', { labels: { a: '1' } }, { labels: null }, { labels: { a: '1' } }],
  ['null over an empty map', { labels: {} }, { labels: null }, { labels: null }],
  ['an empty list over nothing', {}, { items: [] }, { items: [] }],
  ['null over a list with content', { items: [{ name: 'a' }] }, { items: null }, { items: [{ name: 'a' }] }],
  ['untyped maps by key', { free: { a: { b: 1 } } }, { free: { a: { c: 2 } } }, { free: { a: { b: 1, c: 2 } } }],
  ['untyped lists not at all', { free: { l: [1] } }, { free: { l: [2] } }, { free: { l: [2] } }],
  ['another shape over the old', { free: { x: { y: 1 } } }, { free: { x: 'z' } }, { free: { x: 'z' } }],
];

/** Values that do not fit, and the server's message for each. */
export const misfits: readonly (readonly [value: unknown, message: string])[] = [
  [{ text: 1 }, '.text: expected string, got &value.valueUnstructured{Value:1}'],
  [
    { text: { a: [1, 'x', null] } },
    '.text: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":[]interface {}{1, "x", interface {}(nil)}}}',
  ],
  [{ number: 'x' }, '.number: expected numeric (int or float), got string'],
  [{ number: [1] }, '.number: expected numeric (int or float), got []interface {}'],
  [{ flag: 'x' }, '.flag: expected boolean, got &{x}'],
  [{ flag: { a: 1 } }, '.flag: expected boolean, got &{map[a:1]}'],
  [{ labels: 'x' }, '.labels: expected map, got &{x}'],
  [{ items: { a: 1 } }, '.items: expected list, got &{map[a:1]}'],
  [{ zzz: 1 }, '.zzz: field not declared in schema'],
  [{ inner: { zzz: 1 } }, '.inner.zzz: field not declared in schema'],
  [{ items: [null] }, '.items: element 0: associative list with keys may not have a null element'],
  [{ items: ['x'] }, '.items: element 0: associative list with keys may not have non-map elements'],
  [
    { items: [{ name: 'a' }, { value: 1 }] },
    '.items: element 1: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
  ],
  [{ items: [{ name: 'a' }, { name: 'a' }] }, '.items: duplicate entries for key [name="a"]'],
  [{ ports: [{ port: 1 }, { port: 1, proto: 'TCP' }] }, '.ports: duplicate entries for key [port=1,proto="TCP"]'],
  [{ set: ['a', 'b', 'a'] }, '.set: duplicate entries for key [="a"]'],
  [{ set: [{}] }, ".set: element 0: associative list without keys has an element that's a map type"],
  [{ set: [[]] }, '.set: element 0: not supported: associative list with lists as elements'],
  [{ set: [null] }, ".set: element 0: associative list without keys has an element that's an explicit null"],
  [{ atomic: ['a', 1] }, '.atomic[1]: expected string, got &value.valueUnstructured{Value:1}'],
  [{ items: [{ name: 'a', value: 'x' }] }, '.items[name="a"].value: expected numeric (int or float), got string'],
  ['x', 'expected map, got &{x}'],
  [
    { text: 1, number: 'x' },
    'errors:\n  .text: expected string, got &value.valueUnstructured{Value:1}\n  .number: expected numeric (int or float), got string',
  ],
];
