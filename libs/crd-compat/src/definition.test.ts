import { expect, test } from 'vitest';
import { readDefinition, sharingSchemas } from './definition.js';
import { widget } from './testing.js';

/** The same JSON with the keys of each object the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const);
  return Object.fromEntries(members.toReversed());
}

const rootOf = (crd: object): unknown => readDefinition(crd, 36).versions[0]?.raw;

test('a schema that differs only in the order of its keys is the one of the other definition', () => {
  const required = widget({ a: { type: 'string', maxLength: 5 }, b: { type: 'integer' } });
  const live = reversed(required) as object;
  const shared = sharingSchemas(live, readDefinition(required, 36));
  expect(rootOf(shared)).toBe(rootOf(required));
  expect(shared).toEqual(live);
});

test('of a schema that differs the parts that are the same are shared, and it stays as it is', () => {
  const required = widget({ a: { type: 'string', maxLength: 5 }, b: { type: 'integer' } });
  const live = reversed(widget({ a: { type: 'string', maxLength: 4 }, b: { type: 'integer' } })) as object;
  const before = structuredClone(live);
  const shared = sharingSchemas(live, readDefinition(required, 36));
  expect(rootOf(shared)).not.toBe(rootOf(required));
  expect(shared).toEqual(before);
  expect(live).toEqual(before);
});

test.each([
  [{}],
  [{ spec: null }],
  [{ spec: { versions: 'v1' } }],
  [{ spec: { versions: [null, 1, { name: 'v1' }] } }],
])('what is no definition is left as it is: %j', (crd) => {
  const required = widget({ a: { type: 'string' } });
  expect(sharingSchemas(crd, readDefinition(required, 36))).toEqual(crd);
});
