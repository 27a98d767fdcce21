import { describe, expect, it } from 'vitest';
import { enumeration, zeroValue } from './codec.js';
import { entries, listInEntries } from './entry-rules.js';
import { constant, move, preserved, rename, same, unsupported, warned } from './field-rules.js';
import { together } from './joint-rules.js';
import { lawViolations } from './laws.js';
import { partition } from './list-rules.js';
import { listToMap } from './map-rules.js';
import type { Rule } from './rule.js';
import { TwoWayMap } from './two-way-map.js';

const mapOf = (...rules: Rule[]): TwoWayMap => new TwoWayMap({ rules });
const issueLines = (issues: readonly { path: string; message: string }[]): string[] =>
  issues.map(({ path, message }) => `${path}: ${message}`);

const tags = mapOf(listToMap('tags', 'tags', { key: 'name', value: 'value' }, [same('value')]));
const disks = mapOf(
  partition({
    list: 'disks',
    isOne: (disk) => disk['device'] === undefined,
    one: { path: 'root', rules: [rename('gib', 'size')] },
    rest: { path: 'others', rules: [same('device'), rename('gib', 'size')] },
  }),
);
const labels = mapOf(
  entries(['labels', 'spec.labels'], 'labels', [
    { left: 'old/role', right: 'new/role' },
    { side: 'left', key: 'derived/*', fate: 'dropped', reason: 'is created again' },
    { side: 'right', key: 'owner/*', fate: 'refused', reason: 'cannot be expressed' },
    { side: 'right', key: 'hook/*', fate: 'other', reason: 'is for hooks' },
  ]),
  listInEntries({ list: 'hooks', map: 'labels', prefix: 'hook/', key: 'name', value: 'owner' }),
);
/** A size whose unit is a field of its own here, and part of the text there. */
const sizes = mapOf(
  together({
    left: ['size', 'unit'],
    right: ['size'],
    forward: ([size, unit], [, at]) => {
      if (size === undefined) return [];
      if (unit === undefined) at?.error('a size needs a unit');
      return [[size, unit].join(' ')];
    },
    backward: ([text]) => {
      const [size, unit] = typeof text === 'string' ? text.split(' ') : [];
      return [size === undefined ? undefined : Number(size), unit];
    },
  }),
);

describe('a rule about several things at once runs both ways:', () => {
  it.each([
    {
      name: 'pairs in a list and a map of texts',
      map: tags,
      left: {
        tags: [
          { name: '__proto__', value: 'x' },
          { name: 'b', value: '' },
        ],
      },
      right: { tags: { ['__proto__']: 'x', b: '' } },
    },
    {
      name: 'an item that stands alone, and the others in their order',
      map: disks,
      left: { disks: [{ gib: 1 }, { device: 'z', gib: 2 }, { device: 'a', gib: 3 }] },
      right: {
        root: { size: 1 },
        others: [
          { device: 'z', size: 2 },
          { device: 'a', size: 3 },
        ],
      },
    },
    {
      name: 'others without the one',
      map: disks,
      left: { disks: [{ device: 'z' }] },
      right: { others: [{ device: 'z' }] },
    },
    {
      name: 'labels of two places, with a new name and hooks',
      map: labels,
      left: {
        labels: { a: '1', 'old/role': 'x' },
        spec: { labels: { a: '1', 'old/role': 'x' } },
        hooks: [{ name: 'h', owner: 'me' }],
      },
      right: { labels: { a: '1', 'new/role': 'x', 'hook/h': 'me' } },
    },
    { name: 'fields that are one field', map: sizes, left: { size: 3, unit: 'GiB' }, right: { size: '3 GiB' } },
  ])('$name', ({ map, left, right }) => {
    expect(map.forward(left, undefined)).toEqual({ value: right, errors: [], warnings: [] });
    expect(map.backward(right, undefined)).toEqual({ value: left, errors: [], warnings: [] });
    expect(lawViolations(map, 'left', left, undefined)).toEqual([]);
    expect(lawViolations(map, 'right', right, undefined)).toEqual([]);
  });

  it('keeps the laws where it warns: what a later place hides is named, and so is what is dropped', () => {
    const source = { labels: { a: '1', 'derived/x': '1' }, spec: { labels: { a: '2' } } };
    const { value, warnings } = labels.forward(source, undefined);
    expect(value).toEqual({ labels: { a: '2' } });
    expect(issueLines(warnings)).toEqual([
      'labels[derived/x]: is created again',
      'labels[a]: is hidden by spec.labels',
    ]);
    expect(lawViolations(labels, 'left', source, undefined)).toEqual([]);
  });

  it('lets the last of two with one key win where that is wanted, and names the other', () => {
    const last = mapOf(
      listToMap('l', 'm', { key: 'k', value: 'v', duplicates: 'last', emptyKey: 'omit' }, [same('v')]),
    );
    const source = { l: [{ k: 'a', v: 1 }, { v: 2 }, { k: 'a', v: 3 }] };
    const { value, warnings } = last.forward(source, undefined);
    expect(value).toEqual({ m: { '': 2, a: 3 } });
    expect(issueLines(warnings)).toEqual(['l[0]: is dropped: a later item has the same k']);
    expect(last.backward(value, undefined).value).toEqual({ l: [{ v: 2 }, { k: 'a', v: 3 }] });
    expect(lawViolations(last, 'left', source, undefined)).toEqual([]);
  });
});

describe('what cannot run back is an error with its path:', () => {
  it.each([
    ['left', tags, { tags: [{ name: 'a' }, { name: 'a' }] }, ['tags[1].name: Duplicate value: "a"']],
    ['left', tags, { tags: [{ value: 'a' }] }, ['tags[0].name: must be a string']],
    ['left', disks, { disks: [{ gib: 1 }, { gib: 2 }] }, ['disks[1]: there is one already: disks[0]']],
    ['right', disks, { others: [{ size: 2 }] }, ['others[0]: would become root']],
    ['left', labels, { labels: { 'new/role': 'x' } }, ['labels[new/role]: is taken: there it stands for "old/role"']],
    ['left', labels, { labels: { 'hook/h': 'x' } }, ['labels[hook/h]: is taken: is for hooks']],
    ['right', labels, { labels: { 'owner/x': '' } }, ['labels[owner/x]: cannot be expressed']],
    ['left', labels, { hooks: [{}] }, ['hooks[0].name: must be a string']],
    ['left', labels, { labels: [] }, ['labels: must be an object']],
    ['left', sizes, { size: 1 }, ['unit: a size needs a unit']],
  ] as const)('%s %#', (side, map, source, expected) => {
    expect(issueLines(map.convert(side, source, undefined).errors)).toEqual(expected);
  });
});

describe('a declaration that cannot work throws before it is run:', () => {
  const one = { path: 'root', rules: [] };
  it.each([
    ['two rules for one field', () => mapOf(same('a'), move('a', 'b')), 'two rules speak of a'],
    ['a rule for a field and one for a part of it', () => mapOf(same('a.b'), same('a')), 'two rules speak of a'],
    ['a rule for a part of a field that is copied', () => mapOf(same('a'), same('a.b')), 'two rules speak of a.b'],
    ['a path with a hole', () => same('a..b'), 'a path has a name between any two dots: a..b'],
    [
      'a path into a list',
      () => same('a[].b'),
      'lists and maps have rules of their own; a path names fields alone: a[].b',
    ],
    ['a field without a name', () => same(''), 'a field has a name'],
    ['an error without a reason', () => unsupported('left', 'x', ''), 'x is not converted, and no reason is given'],
    ['a warning without a reason', () => warned('left', 'x', ' '), 'x is not converted, and no reason is given'],
    ['a constant without a value', () => constant('left', 'x', undefined), 'x needs a value to be constant'],
    [
      'nothing to put aside in',
      () => mapOf(preserved('right', 'b')),
      'b of the right side must be preserved, and the map has no annotation for it',
    ],
    [
      'a codec with nothing to put aside in',
      () => mapOf(same('b', zeroValue(0, { left: 'omit', right: 'distinguish' }))),
      'b of the right side must be preserved, and the map has no annotation for it',
    ],
    ['an enumeration of nothing', () => enumeration([]), 'an enumeration has at least one value'],
    [
      'a key that is the value',
      () => listToMap('l', 'm', { key: 'k', value: 'k' }, []),
      'k cannot be both key and value',
    ],
    ['a rule for the key', () => listToMap('l', 'm', 'k', [same('k')]), 'k is the key, and no rule may speak of it'],
    [
      'bare values without a rule',
      () => listToMap('l', 'm', { key: 'k', value: 'v' }, []),
      'bare values need one rule, about v on both sides',
    ],
    ['no key', () => listToMap('l', 'm', '', []), 'the items of a list need a field for their key'],
    [
      'no fields',
      () => together({ left: [], right: ['a'], forward: () => [], backward: () => [] }),
      'fields that are converted together are at least one on each side',
    ],
    ['no place', () => entries([], 'm'), 'entries need at least one place on the left'],
    [
      'two cases',
      () =>
        entries(['m'], 'm', [
          { left: 'a', right: 'b' },
          { left: 'c', right: 'b' },
        ]),
      'the right side has two cases for b',
    ],
    [
      'a pattern that is renamed',
      () => entries(['m'], 'm', [{ left: 'a/*', right: 'b/*' }]),
      'only single entries can be renamed',
    ],
    [
      'no prefix',
      () => listInEntries({ list: 'l', map: 'm', prefix: '', key: 'k', value: 'v' }),
      'entries that are items of a list need a prefix',
    ],
    [
      'one and rest in one place',
      () =>
        mapOf(
          partition({
            list: 'l',
            isOne: () => true,
            one: { ...one, rules: [same('a')] },
            rest: { path: 'root', rules: [same('a')] },
          }),
          same('root'),
        ),
      'two rules speak of root',
    ],
  ])('%s', (_name, declare, message) => {
    expect(declare).toThrow(new RangeError(message));
  });
});
