import { describe, expect, it } from 'vitest';
import { enumeration } from './codec.js';
import { move, same } from './field-rules.js';
import { listOf, partition } from './list-rules.js';
import { listToMap } from './map-rules.js';
import { Choices, absent, objectMaker } from './random-object.js';
import { nested } from './record-rules.js';
import { TwoWayMap } from './two-way-map.js';

const issueLines = (issues: readonly { readonly path: string; readonly message: string }[]): string[] =>
  issues.map(({ message, path }) => `${path}: ${message}`);

describe('values that are none of what rules read', () => {
  const map = new TwoWayMap({
    rules: [
      move('spec.place.zone', 'zone'),
      listOf('spec.disks', 'disks', [same('size')]),
      listToMap('spec.tags', 'tags', { key: 'name', value: 'value' }, [same('value')]),
      nested('spec.network', 'network', [same('id')]),
    ],
  });

  it.each<readonly [object, string]>([
    [{ spec: 'all' }, 'spec: must be an object'],
    [{ spec: ['all'] }, 'spec: must be an object'],
    [{ spec: { place: 'here' } }, 'spec.place: must be an object'],
    [{ spec: { place: [{ zone: 'a' }] } }, 'spec.place: must be an object'],
    [{ spec: { disks: { size: 1 } } }, 'spec.disks: must be a list'],
    [{ spec: { disks: ['one'] } }, 'spec.disks[0]: must be an object'],
    [{ spec: { tags: 'none' } }, 'spec.tags: must be a list'],
    [{ spec: { network: 7 } }, 'spec.network: must be an object'],
    [{ spec: { network: { name: 'a' } } }, 'spec.network.name: is a field this conversion does not know'],
  ])('%j', (source, message) => {
    expect(issueLines(map.forward(source as Record<string, unknown>, undefined).errors)).toEqual([message]);
  });

  it('may be absent or null', () => {
    const { errors, value } = map.forward({ spec: { place: null, disks: null, network: null } }, undefined);
    expect({ errors, value }).toEqual({ errors: [], value: {} });
  });
});

describe('what records inherit', () => {
  const map = new TwoWayMap({ rules: [same('constructor'), same('toString.length'), same(['__proto__', 'a'])] });

  it('is not theirs', () => {
    expect(map.forward({}, undefined)).toEqual({ value: {}, errors: [], warnings: [] });
    expect(map.forward({ constructor: 'mine' }, undefined).value).toEqual({ constructor: 'mine' });
  });
});

describe('paths of issues', () => {
  const colour = [same('colour', enumeration([['red', 'crimson']]))];
  const map = new TwoWayMap({
    rules: [listOf('walls', 'walls', [nested('paint', 'paint', colour), listOf('doors', 'doors', colour)])],
  });

  it('are those of the very item, also after others', () => {
    const bad = { colour: 'green' };
    const good = { colour: 'red' };
    const walls = [{ paint: good, doors: [good, bad] }, { paint: bad }, { paint: bad, doors: [bad] }];
    for (let time = 0; time < 2; time++) {
      const { errors } = map.forward({ walls }, undefined);
      expect(errors.map(({ path }) => path)).toEqual([
        'walls[0].doors[1].colour',
        'walls[1].paint.colour',
        'walls[2].paint.colour',
        'walls[2].doors[0].colour',
      ]);
    }
  });
});

describe('items that stand for nothing', () => {
  const map = new TwoWayMap({
    rules: [
      partition({
        list: 'disks',
        isOne: (disk) => disk['name'] === undefined,
        dropped: (disk) => (disk['size'] === undefined ? 'has no size' : undefined),
        one: { path: 'root', rules: [same('size')] },
        rest: { path: 'others', rules: [same('name'), same('size')] },
      }),
    ],
  });

  it('are dropped with a warning', () => {
    const { errors, value, warnings } = map.forward({ disks: [{ name: 'a' }, { size: 1 }, {}] }, undefined);
    expect({ errors, value }).toEqual({ errors: [], value: { root: { size: 1 } } });
    expect(issueLines(warnings)).toEqual(['disks[0]: has no size', 'disks[2]: has no size']);
    expect(map.normalise('left', { disks: [{ name: 'a' }, { size: 1 }] }, undefined)).toEqual({
      disks: [{ size: 1 }],
    });
  });
});

describe('keys', () => {
  const rule = (duplicates?: 'last') =>
    new TwoWayMap({
      rules: [
        listToMap('tags', 'tags', { key: 'name', value: 'value', ...(duplicates && { duplicates }) }, [same('value')]),
      ],
    });
  const tags = Array.from({ length: 40 }, (_, at) => ({ name: `t${at % 39}`, value: String(at) }));

  it('that come twice are found among many', () => {
    expect(issueLines(rule().forward({ tags }, undefined).errors)).toEqual(['tags[39].name: Duplicate value: "t0"']);
  });

  it('that come twice go to the last, where it wins', () => {
    const { value, warnings } = rule('last').forward({ tags }, undefined);
    expect(value['tags']).toMatchObject({ t0: '39', t1: '1' });
    expect(issueLines(warnings)).toEqual(['tags[0]: is dropped: a later item has the same name']);
  });
});

describe('objects that are made', () => {
  const numbers = Array.from({ length: 50 }, () => 1);

  it('have no records of which all is to be left out', () => {
    const make = objectMaker(['a.b string', 'a.c string', 'list[].d string', 'map{} string', 'e string'], (path) =>
      path === 'e' ? 'e' : absent,
    );
    expect(make(new Choices(numbers))).toEqual({ e: 'e' });
  });
});

describe('an unknown field', () => {
  const map = new TwoWayMap({ rules: [same('instanceType'), same('other')] });
  const issueOf = (source: Record<string, unknown>) => {
    const { errors, warnings } = map.forward(source as never, undefined);
    return { errors: issueLines(errors), warnings: issueLines(warnings) };
  };

  it.each([
    ['an empty text', ''],
    ['an empty list', []],
    ['an empty record', {}],
    ['an empty record in one', { a: {} }],
  ])('that holds %s gives a warning', (_name, value) => {
    const message = 'later: is a field this conversion does not know, and is dropped, as it is empty';
    expect(issueOf({ later: value })).toEqual({ errors: [], warnings: [message] });
  });

  it.each([false, 0, [1], 'x'])('that holds %j gives an error', (value) => {
    expect(issueOf({ later: value }).errors).toEqual(['later: is a field this conversion does not know']);
  });

  it('that differs from a known one by its case gives an error with the name to write', () => {
    const message = 'InstanceType: is a field this conversion does not know: it is spelled instanceType';
    expect(issueOf({ InstanceType: 'm6i' })).toEqual({ errors: [message], warnings: [] });
    expect(issueOf({ InstanceType: '' }).errors).toEqual([message]);
  });
});
