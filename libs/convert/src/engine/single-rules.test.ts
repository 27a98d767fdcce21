import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { constant, move, same, unsupported } from './field-rules.js';
import { lawViolations } from './laws.js';
import { partition } from './list-rules.js';
import { listOfOne, presentNested } from './single-rules.js';
import { TwoWayMap } from './two-way-map.js';

const issueLines = (issues: readonly { readonly path: string; readonly message: string }[]): string[] =>
  issues.map(({ message, path }) => `${path}: ${message}`);

describe('a list of one', () => {
  const rules = [same('size'), unsupported('left', 'old', 'is old'), unsupported('right', 'new', 'is new')];
  const right = new TwoWayMap({
    rules: [listOfOne({ side: 'right', list: 'disks', record: 'disk', rules, more: 'there is one' })],
  });
  const left = new TwoWayMap({
    rules: [listOfOne({ side: 'left', list: 'disks', record: '', rules, more: 'there is one', isRequired: true })],
  });

  it('is a record on the other side', () => {
    expect(right.forward({ disk: { size: 1 } }, {}).value).toEqual({ disks: [{ size: 1 }] });
    expect(right.backward({ disks: [{ size: 1 }] }, {}).value).toEqual({ disk: { size: 1 } });
    expect(left.forward({ disks: [{ size: 1 }] }, {}).value).toEqual({ size: 1 });
    expect(left.backward({ size: 1 }, {}).value).toEqual({ disks: [{ size: 1 }] });
  });

  it('is not made of nothing', () => {
    expect(right.forward({}, {}).value).toEqual({});
    expect(right.backward({}, {}).value).toEqual({});
    expect(right.backward({ disks: [] }, {}).value).toEqual({});
  });

  it('reports what is wrong, and where', () => {
    const one = { size: 1 };
    expect(issueLines(right.backward({ disks: [one, one] }, {}).errors)).toEqual(['disks[1]: there is one']);
    expect(issueLines(right.backward({ disks: [{ ...one, new: 2 }] }, {}).errors)).toEqual(['disks[0].new: is new']);
    expect(issueLines(right.backward({ disks: ['x'] }, {}).errors)).toEqual(['disks[0]: must be an object']);
    expect(issueLines(right.backward({ disks: {} }, {}).errors)).toEqual(['disks: must be a list']);
    expect(issueLines(right.forward({ disk: 'x' }, {}).errors)).toEqual(['disk: must be an object']);
    expect(issueLines(right.forward({ disk: { old: 1 } }, {}).errors)).toEqual(['disk.old: is old']);
    expect(issueLines(left.forward({ disks: [{ old: 1 }] }, {}).errors)).toEqual(['disks[0].old: is old']);
  });

  it('keeps the laws', () => {
    expect(lawViolations(right, 'left', { disk: { size: 1 } }, {})).toEqual([]);
    expect(lawViolations(right, 'right', { disks: [{ size: 1 }] }, {})).toEqual([]);
  });
});

describe('a record that has a meaning even when empty', () => {
  const map = new TwoWayMap({ rules: [presentNested('spot', 'market', [same('price')])] });

  it.each<[JsonObject, JsonObject]>([
    [{ spot: {} }, { market: {} }],
    [{ spot: { price: '1' } }, { market: { price: '1' } }],
    [{}, {}],
    [{ spot: null }, {}],
  ])('%j is %j', (left, right) => {
    expect(map.forward(left, {})).toEqual({ value: right, errors: [], warnings: [] });
    if (left['spot'] !== null) expect(map.backward(right, {}).value).toEqual(left);
  });

  it('is a record', () => {
    expect(issueLines(map.forward({ spot: true }, {}).errors)).toEqual(['spot: must be an object']);
  });
});

describe('one of a list whose fields are next to the list of the others', () => {
  const map = new TwoWayMap({
    rules: [
      same('name'),
      partition({
        list: 'disks',
        isOne: ({ boot }) => boot === true,
        one: { path: '', rules: [constant('left', 'boot', true), move('size', 'bootSize')] },
        rest: { path: 'others', rules: [constant('left', 'boot', false), same('size')] },
      }),
    ],
  });
  const left = {
    name: 'a',
    disks: [
      { boot: true, size: 1 },
      { boot: false, size: 2 },
    ],
  };
  const right = { name: 'a', bootSize: 1, others: [{ size: 2 }] };

  it('runs both ways', () => {
    expect(map.forward(left, {})).toEqual({ value: right, errors: [], warnings: [] });
    expect(map.backward(right, {})).toEqual({ value: left, errors: [], warnings: [] });
    expect(lawViolations(map, 'left', left, {})).toEqual([]);
    expect(lawViolations(map, 'right', right, {})).toEqual([]);
  });
});
