import { describe, expect, it } from 'vitest';
import { compareValues, isSame } from './compare.js';
import { setOfPaths } from './field-set.js';
import { fieldSetOf } from './field-set-of.js';
import { mergeValues } from './merge.js';
import { extractItems, removeItems } from './remove.js';
import { applyTypeOfSchema } from './schema-type.js';
import { gadgetSpec, pathsOf } from './testing.js';
import { requireFit } from './validate.js';
import { changes, claims, merges, misfits, setMerges } from './values.table.js';

const type = applyTypeOfSchema(gadgetSpec);

describe('fieldSetOf', () => {
  it.each(claims)('claims %s', (_name, value, paths) => {
    expect(pathsOf(fieldSetOf(value, type))).toEqual(paths);
  });

  it('claims nothing of nothing', () => {
    expect(pathsOf(fieldSetOf({}, type))).toEqual([]);
  });
});

describe('compareValues', () => {
  it.each(changes)('finds %s', (...[, before, after, added, modified, removed]) => {
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
  it.each(setMerges)('lays the set %j under %j', (live, config, merged) => {
    expect(mergeValues({ set: live }, { set: config }, type)).toEqual({ set: merged });
  });

  it.each(merges)('merges %s', (_name, live, config, merged) => {
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
  it.each(misfits)('refuses %j', (value, message) => {
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
