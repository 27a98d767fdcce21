import type { JsonSchema } from '@capstan/api/model';
import { describe, expect, it } from 'vitest';
import { differencesOf } from './differences.js';

const schema = {
  type: 'object',
  properties: {
    size: { type: 'string', default: 'small' },
    tags: { type: 'array', items: { type: 'object', properties: { kind: { type: 'string', default: 'own' } } } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    crew: { type: 'object', properties: { of: { type: 'integer', default: 3 } } },
  },
} as unknown as JsonSchema;

describe('the differences between what is wanted and what a server has', () => {
  it.each<[string, unknown, unknown]>([
    ['a default that the server filled in', {}, { size: 'small' }],
    ['a default that is wanted explicitly', { size: 'small' }, {}],
    ['a default of an item', { tags: [{ name: 'a' }] }, { tags: [{ name: 'a', kind: 'own' }] }],
    ['a default in a record', { crew: {} }, { crew: { of: 3 } }],
    ['null and an empty list', { a: null, b: [] }, {}],
    ['another order of keys', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }],
  ])('do not have %s', (_what, desired, existing) => {
    expect(differencesOf(desired, existing, schema)).toEqual([]);
  });

  it.each<readonly [string, unknown, unknown, readonly [path: string, claim: string]]>([
    ['another value', { size: 'large' }, {}, ['size', 'size']],
    ['a field too many', {}, { berth: 'b' }, ['berth', 'berth']],
    ['a field too few', { berth: 'b' }, {}, ['berth', 'berth']],
    ['an empty record, which is a value', { crew: {} }, {}, ['crew', 'crew']],
    ['an item', { tags: [{ name: 'a' }] }, { tags: [{ name: 'b' }] }, ['tags[0].name', 'tags[].name']],
    ['lists of other lengths, as a whole', { tags: [{}] }, { tags: [{}, {}] }, ['tags', 'tags']],
    ['a key with a dot', { labels: { 'a.b/c': '1' } }, { labels: {} }, ['labels[a.b/c]', 'labels.a.b/c']],
    [
      'a key that every record inherits',
      { labels: {} },
      { labels: { constructor: 'x' } },
      ['labels.constructor', 'labels.constructor'],
    ],
  ])('have %s', (_what, desired, existing, place) => {
    expect(differencesOf(desired, existing, schema).map((each) => [each.path, each.claim])).toEqual([place]);
  });

  it('have both values', () => {
    expect(differencesOf({ size: 'large' }, {}, schema)).toEqual([
      { path: 'size', names: ['size'], claim: 'size', desired: 'large', existing: 'small' },
    ]);
  });
});
