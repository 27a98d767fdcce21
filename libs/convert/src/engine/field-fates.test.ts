import { describe, expect, it } from 'vitest';
import { FieldFates } from './field-fates.js';
import { constant, derived, same, unsupported } from './field-rules.js';
import { listOf } from './list-rules.js';
import { listToMap } from './map-rules.js';
import { TwoWayMap } from './two-way-map.js';

const map = new TwoWayMap({
  rules: [
    same('metadata'),
    constant('left', 'kind', 'Disk'),
    derived('left', 'spec.region', () => 'eu-1'),
    unsupported('left', 'spec.snapshot', 'disks cannot be made from snapshots'),
    listOf('spec.parts', 'spec.parts', [same('size')]),
    listToMap('spec.tags', 'spec.tags', { key: 'name', value: 'value' }, [same('value')]),
  ],
});
const disk = {
  kind: 'Disk',
  metadata: { name: 'a', labels: { x: 'y' } },
  spec: {
    region: 'eu-1',
    parts: [{ size: 1 }, { size: 2 }],
    tags: [{ name: 'b', value: 'c' }],
    snapshot: null,
    other: 1,
  },
};

describe('fates of fields', () => {
  const fates = new FieldFates(map.claims.left);

  it('are reported for the fields that an object has, whole records by one line, unknown ones not at all', () => {
    expect(fates.of(disk)).toEqual([
      { path: 'kind', fate: 'constant' },
      { path: 'metadata', fate: 'mapped' },
      { path: 'spec.region', fate: 'derived' },
      { path: 'spec.parts[0].size', fate: 'mapped' },
      { path: 'spec.parts[1].size', fate: 'mapped' },
      { path: 'spec.tags[0].name', fate: 'mapped' },
      { path: 'spec.tags[0].value', fate: 'mapped' },
    ]);
  });

  it('are counted as they are reported', () => {
    expect(fates.count(disk)).toEqual({ constant: 1, derived: 1, mapped: 5 });
    expect(fates.count({ spec: { snapshot: 's' } })).toEqual({ unsupported: 1 });
  });

  it('of a side are those of its own claims, keys of maps by their names', () => {
    expect(new FieldFates(map.claims.right).of({ spec: { tags: { 'a.b': 'c', d: 'e' } } })).toEqual([
      { path: 'spec.tags[a.b]', fate: 'mapped' },
      { path: 'spec.tags[d]', fate: 'mapped' },
    ]);
  });

  it('say nothing of what is no object', () => {
    for (const value of [null, undefined, 'text', 7, []]) expect(fates.of(value)).toEqual([]);
  });
});
