import { describe, expect, it } from 'vitest';
import { compareValues, isSame } from './compare.js';
import { setOfPaths } from './field-set.js';
import { fieldSetOf } from './field-set-of.js';
import { mergeValues } from './merge.js';
import { extractItems, removeItems } from './remove.js';
import { applyTypeOfSchema } from './schema-type.js';
import { gadgetSpec, pathsOf } from './testing.js';
import { requireFit } from './validate.js';

const type = applyTypeOfSchema(gadgetSpec);

describe('fieldSetOf', () => {
  it.each([
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
  ])('claims %s', (_name, value, paths) => {
    expect(pathsOf(fieldSetOf(value, type))).toEqual(paths);
  });

  it('claims nothing of nothing', () => {
    expect(pathsOf(fieldSetOf({}, type))).toEqual([]);
  });
});

describe('compareValues', () => {
  const none: string[] = [];
  it.each([
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
  ])('finds %s', (_name, before, after, added, modified, removed) => {
    const comparison = compareValues(before, after, type);
    expect(pathsOf(comparison.added)).toEqual(added);
    expect(pathsOf(comparison.modified)).toEqual(modified);
    expect(pathsOf(comparison.removed)).toEqual(removed);
    expect(isSame(comparison)).toBe(added.length + modified.length + removed.length === 0);
  });

  it.each([
    ['an undeclared field', { zzz: 1 }, '.zzz: field not declared in schema'],
    ['an undeclared field in something new', { inner: { zzz: 1 } }, '.inner.zzz: field not declared in schema'],
    ['a null item', { items: [null] }, '.items: element 0: associative list with keys may not have a null element'],
  ])('refuses %s', (_name, value, message) => {
    expect(() => compareValues({}, value, type)).toThrow(message);
  });
});

describe('mergeValues', () => {
  it.each([
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
  ])('lays the set %j under %j', (live, config, merged) => {
    expect(mergeValues({ set: live }, { set: config }, type)).toEqual({ set: merged });
  });

  it.each([
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
  ])('merges %s', (_name, live, config, merged) => {
    expect(mergeValues(live, config, type)).toEqual(merged);
  });

  it('gives back the live value itself when the configuration adds nothing', () => {
    const live = { text: 'a', inner: { a: '1', b: '2' }, items: [{ name: 'a' }] };
    expect(mergeValues(live, { inner: { a: '1' } }, type)).toBe(live);
  });

  it('keeps a key called __proto__ an ordinary one', () => {
    const config: unknown = JSON.parse('{"labels":{"__proto__":"x"}}');
    expect(JSON.stringify(mergeValues({ labels: { a: '1' } }, config, type))).toBe(
      '{"labels":{"a":"1","__proto__":"x"}}',
    );
  });
});

describe('removeItems and extractItems', () => {
  const value = {
    text: 'a',
    inner: { a: '1', b: '2' },
    labels: { x: '1', y: '2' },
    items: [
      { name: 'a', value: 1 },
      { name: 'b', value: 2 },
    ],
    set: ['p', 'q'],
    whole: { k: 'v' },
  };
  it.each([
    ['a leaf', [['f:text']], { ...value, text: undefined }],
    ['a key', [['f:labels', 'f:x']], { ...value, labels: { y: '2' } }],
    [
      'the last key leaves null',
      [
        ['f:labels', 'f:x'],
        ['f:labels', 'f:y'],
      ],
      { ...value, labels: null },
    ],
    ['an item', [['f:items', 'k:{"name":"a"}']], { ...value, items: [{ name: 'b', value: 2 }] }],
    [
      'a field of an item',
      [['f:items', 'k:{"name":"a"}', 'f:value']],
      { ...value, items: [{ name: 'a' }, { name: 'b', value: 2 }] },
    ],
    ['an item of a set', [['f:set', 'v:"p"']], { ...value, set: ['q'] }],
    ['something inside an atomic map takes it all', [['f:whole', 'f:k']], { ...value, whole: null }],
    ['what is not there', [['f:nothing'], ['f:set', 'v:"z"']], value],
  ])('removes %s', (_name, paths, rest) => {
    const result = removeItems(value, setOfPaths(...paths), type);
    expect(JSON.parse(JSON.stringify(result))).toEqual(JSON.parse(JSON.stringify(rest)));
  });

  it.each([
    ['a leaf', [['f:text']], { text: 'a' }],
    ['a key', [['f:labels', 'f:x']], { labels: { x: '1' } }],
    ['a field of an item', [['f:items', 'k:{"name":"b"}', 'f:value']], { items: [{ value: 2 }] }],
    ['a whole item', [['f:items', 'k:{"name":"b"}']], { items: [{ name: 'b', value: 2 }] }],
    ['an atomic map', [['f:whole']], { whole: { k: 'v' } }],
    ['nothing', [['f:nothing']], null],
  ])('extracts %s', (_name, paths, rest) => {
    expect(extractItems(value, setOfPaths(...paths), type)).toEqual(rest);
  });

  it('extracts the keys of items too when asked', () => {
    const set = setOfPaths(['f:items', 'k:{"name":"b"}', 'f:value']);
    expect(extractItems(value, set, type, { keys: true })).toEqual({ items: [{ name: 'b', value: 2 }] });
  });

  it('removes everything to null', () => {
    expect(removeItems({ text: 'a' }, setOfPaths(['f:text']), type)).toBeNull();
  });
});

describe('requireFit', () => {
  it.each([
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
  ])('refuses %j', (value, message) => {
    expect(() => requireFit(value, type)).toThrow(new Error(message));
  });

  it.each([
    [{ text: null, number: null, flag: null, labels: null, items: null, set: null }],
    [{ size: 1 }],
    [{ size: { any: 'thing' } }],
    [{ free: { anything: [{}, null, 1] } }],
    [{ number: 1e300 }],
  ])('accepts %j', (value) => {
    expect(() => requireFit(value, type)).not.toThrow();
  });

  it('accepts repeated items of live objects', () => {
    expect(() =>
      requireFit({ set: ['a', 'a'], items: [{ name: 'a' }, { name: 'a' }] }, type, { allowDuplicates: true }),
    ).not.toThrow();
  });
});
