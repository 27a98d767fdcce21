import { describe, expect, it } from 'vitest';
import { ANY_ELEMENT, excludeFields, includeFields } from './field-filter.js';
import { EMPTY_SET } from './field-node.js';
import type { FieldSet } from './field-node.js';
import {
  difference,
  equalSets,
  hasPath,
  intersection,
  isEmptySet,
  isSubset,
  leaves,
  recursiveDifference,
  setOfPaths,
  union,
  withNamedFields,
} from './field-set.js';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.js';
import { reconcileSet } from './reconcile.js';
import { applyTypeOfSchema } from './schema-type.js';
import { gadgetSpec, pathsOf } from './testing.js';

/** `a.b` is a path of members; list items are written out. */
function setOf(...paths: string[]): FieldSet {
  return setOfPaths(...paths.map((path) => path.split('.').map((part) => (/^[kvi]:/.test(part) ? part : `f:${part}`))));
}

describe('FieldsV1', () => {
  it.each([
    ['nothing', [], '{}'],
    ['a member', ['a'], '{"f:a":{}}'],
    ['a member below one that is not', ['a.b'], '{"f:a":{"f:b":{}}}'],
    ['a member below one that is', ['a', 'a.b'], '{"f:a":{".":{},"f:b":{}}}'],
    [
      'elements in order',
      ['b', 'a', 'a.v:2', 'a.v:1', 'a.k:{"n":1}'],
      '{"f:a":{".":{},"k:{\\"n\\":1}":{},"v:1":{},"v:2":{}},"f:b":{}}',
    ],
    ['a member called __proto__', ['__proto__.x'], '{"f:__proto__":{"f:x":{}}}'],
  ])('writes and reads %s', (_name, paths, json) => {
    const set = setOf(...paths);
    expect(JSON.stringify(encodeFieldsV1(set))).toBe(json);
    expect(equalSets(decodeFieldsV1(JSON.parse(json)), set)).toBe(true);
  });

  it.each([
    ['unsorted', '{"f:b":{},"f:a":{}}', '{"f:a":{},"f:b":{}}'],
    ['unknown kinds', '{"x:b":{"f:c":{}},"f:a":{}}', '{"f:a":{}}'],
    ['a dot at the root', '{".":{},"f:a":{}}', '{"f:a":{}}'],
    ['a dot alone', '{"f:a":{".":{}}}', '{"f:a":{}}'],
    ['keys in another spelling', '{"f:a":{"k:{\\"b\\":1, \\"a\\":2}":{}}}', '{"f:a":{"k:{\\"a\\":2,\\"b\\":1}":{}}}'],
    ['null', 'null', '{}'],
  ])('reads %s', (_name, stored, written) => {
    expect(JSON.stringify(encodeFieldsV1(decodeFieldsV1(JSON.parse(stored))))).toBe(written);
  });

  it('reads a frozen value once', () => {
    const stored = Object.freeze({ 'f:a': Object.freeze({}) });
    expect(decodeFieldsV1(stored)).toBe(decodeFieldsV1(stored));
  });

  it('does not remember a value that may change', () => {
    const stored: Record<string, unknown> = { 'f:a': {} };
    decodeFieldsV1(stored);
    stored['f:b'] = {};
    expect(pathsOf(decodeFieldsV1(stored))).toEqual(['.a', '.b']);
  });

  it('gives back the set its own writing came from', () => {
    const set = setOf('a.b');
    expect(decodeFieldsV1(encodeFieldsV1(set))).toBe(set);
  });
});

describe('set algebra', () => {
  const abc = setOf('a', 'a.b', 'c.d');
  it.each([
    ['union', union(abc, setOf('c', 'e')), ['.a', '.c', '.e', '.a.b', '.c.d']],
    ['union with a member above', union(setOf('a.b'), setOf('a')), ['.a', '.a.b']],
    ['intersection', intersection(abc, setOf('a.b', 'c', 'c.d')), ['.a.b', '.c.d']],
    ['intersection of strangers', intersection(abc, setOf('x')), []],
    ['difference takes only what is named', difference(abc, setOf('a', 'c')), ['.a.b', '.c.d']],
    ['difference takes members below', difference(abc, setOf('a.b')), ['.a', '.c.d']],
    ['recursive difference takes what is below', recursiveDifference(abc, setOf('a')), ['.c.d']],
    ['recursive difference below leaves what is above', recursiveDifference(abc, setOf('a.b')), ['.a', '.c.d']],
    ['recursive difference of everything', recursiveDifference(abc, setOf('a', 'c')), []],
    ['leaves', leaves(setOf('a', 'a.b', 'c', 'd.e')), ['.c', '.a.b', '.d.e']],
  ])('%s', (_name, set, paths) => {
    expect(pathsOf(set)).toEqual(paths);
    expect(isEmptySet(set)).toBe(paths.length === 0);
  });

  it('keeps the very set where an operation changes nothing', () => {
    expect(union(abc, setOf('a.b'))).toBe(abc);
    expect(difference(abc, setOf('x', 'a.x'))).toBe(abc);
    expect(recursiveDifference(abc, setOf('x'))).toBe(abc);
    expect(union(EMPTY_SET, abc)).toBe(abc);
  });

  it.each([
    ['a', true],
    ['a.b', true],
    ['c', false],
    ['c.d', true],
    ['c.d.e', false],
    ['x', false],
  ])('has %s: %s', (path, has) => {
    expect(
      hasPath(
        abc,
        path.split('.').map((part) => `f:${part}`),
      ),
    ).toBe(has);
  });

  it('knows subsets', () => {
    expect(isSubset(setOf('a', 'c.d'), abc)).toBe(true);
    expect(isSubset(setOf('c'), abc)).toBe(false);
    expect(isSubset(abc, setOf('a'))).toBe(false);
    expect(equalSets(abc, setOf('c.d', 'a.b', 'a'))).toBe(true);
    expect(equalSets(abc, setOf('a', 'c.d'))).toBe(false);
  });
});

describe('sets and types', () => {
  const type = applyTypeOfSchema(gadgetSpec);
  it.each([
    ['fields of structs', ['inner.deep.c'], ['.inner', '.inner.deep', '.inner.deep.c']],
    ['not keys of maps', ['byName.x.name'], ['.byName', '.byName.x.name']],
    [
      'not list items, but fields in them',
      ['items.k:{"name":"a"}.labels.x'],
      ['.items', '.items[name="a"].labels', '.items[name="a"].labels.x'],
    ],
    ['nothing of what is not declared', ['free.x.y'], ['.free', '.free.x.y']],
  ])('withNamedFields adds %s', (_name, paths, members) => {
    expect(pathsOf(withNamedFields(setOf(...paths), type)).sort()).toEqual([...members].sort());
  });

  it.each([
    ['a list that became atomic', ['atomic.k:{"name":"a"}.x', 'text'], ['.atomic', '.text']],
    ['a map that became atomic', ['whole.a', 'whole.b'], ['.whole']],
    ['an atomic map owned as a whole', ['whole'], ['.whole']],
    ['a list that became granular', ['items'], ['.items']],
    ['inside list items', ['items.k:{"name":"a"}.name.x'], ['.items[name="a"].name.x']],
    ['deduced content', ['free.a.b', 'free.l.i:0'], ['.free.a.b', '.free.l[0]']],
    ['undeclared fields', ['gone.a.b'], ['.gone.a.b']],
  ])('reconciles %s', (_name, paths, members) => {
    expect(pathsOf(reconcileSet(setOf(...paths), type))).toEqual(members);
  });
});

describe('filters', () => {
  const set = setOf(
    'spec',
    'spec.a',
    'status.b',
    'metadata.labels.x',
    'spec.items.k:{"n":1}',
    'spec.items.k:{"n":1}.r.cpu',
    'spec.items.k:{"n":1}.x',
  );
  it.each([
    [
      'excludes whole fields',
      excludeFields(['status']),
      ['.spec', '.spec.a', '.spec.items[n=1]', '.spec.items[n=1].r.cpu', '.spec.items[n=1].x', '.metadata.labels.x'],
    ],
    [
      'excludes deeper fields',
      excludeFields(['spec', 'items'], ['status'], ['metadata', 'labels']),
      ['.spec', '.spec.a'],
    ],
    ['includes a prefix', includeFields(['spec', 'a']), ['.spec', '.spec.a']],
    [
      'includes through any item',
      includeFields(['spec', 'items', ANY_ELEMENT, 'r']),
      ['.spec', '.spec.items[n=1]', '.spec.items[n=1].r.cpu'],
    ],
    ['includes several prefixes', includeFields(['status'], ['metadata']), ['.metadata.labels.x', '.status.b']],
    ['includes nothing', includeFields(['nowhere']), []],
  ])('%s', (_name, filter, paths) => {
    expect(pathsOf(filter(set)).sort()).toEqual([...paths].sort());
  });
});
