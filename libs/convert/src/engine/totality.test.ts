import { expect, it } from 'vitest';
import { fieldsOfSchema, parseFieldList } from './field-list.js';
import { move, same, unsupported } from './field-rules.js';
import { listOf } from './list-rules.js';
import { totalityGaps } from './totality.js';
import { TwoWayMap } from './two-way-map.js';

it('lists what is missing, stale, and copied into another shape', () => {
  const map = new TwoWayMap({
    rules: [
      same('name'),
      move('size', 'spec.size'),
      same('box'),
      listOf('xs', 'xs', [same('a')]),
      unsupported('left', 'gone', 'x'),
    ],
  });
  const gaps = totalityGaps(map.claims, {
    left: ['name string', 'names string', 'size int32', 'box.a string', 'box.b string', 'xs[].a int32', 'xs[].b int32'],
    right: ['name string', 'spec.size int64', 'box.a int32', 'xs[].a int32'],
  });
  expect(gaps).toEqual({
    left: {
      missing: ['names', 'xs[].b'],
      stale: ['gone'],
      unequal: ['size', 'box.a', 'box.b'],
    },
    right: { missing: [], stale: [], unequal: ['spec.size', 'box.a'] },
  });
});

it('reads the leaves of a JSON schema', () => {
  const schema = {
    properties: {
      name: { type: 'string' },
      at: { type: 'string', format: 'date-time' },
      port: { 'x-kubernetes-int-or-string': true },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      xs: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer', format: 'int32' } } } },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      big: { type: 'integer' },
      on: { type: 'boolean' },
      share: { type: 'number' },
      'a.b': { type: 'string' },
    },
  };
  expect(fieldsOfSchema(schema)).toEqual([
    'name string',
    'at time',
    'port intOrString',
    'labels{} string',
    'xs[].n int32',
    'free any',
    'big int64',
    'on bool',
    'share number',
    '"a.b" string',
  ]);
});

it('refuses a line that is no field', () => {
  expect(() => parseFieldList(['name text'])).toThrow('no field with a type: name text');
});
