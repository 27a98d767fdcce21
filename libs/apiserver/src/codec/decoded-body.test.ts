import { structOf } from '@capstan/api/kubernetes';
import { describe, expect, test } from 'vitest';
import { decodeTyped } from './decode.js';
import { LEAF_TEXTS } from './leaf-texts.js';

function hasExtra(kind: string, body: unknown): boolean {
  const struct = structOf('', 'v1', kind);
  if (struct === undefined) throw new Error(`no struct for ${kind}`);
  return decodeTyped(struct, body, { texts: LEAF_TEXTS }).hasExtra;
}

describe('a body has more than is read of it', () => {
  test.each([
    ['a list', 'Pod', { spec: { containers: [] } }],
    ['a list of texts', 'Pod', { metadata: { finalizers: [] } }],
    ['a map of texts', 'Pod', { metadata: { labels: {} } }],
    ['a map', 'Node', { status: { capacity: {} } }],
    ['a struct', 'Pod', { spec: { containers: [{ name: 'a', securityContext: {} }] } }],
    ['bytes', 'Secret', { data: { a: [] } }],
  ])('with %s that is empty', (_what, kind, body) => {
    expect(hasExtra(kind, body)).toBe(true);
  });

  test('with a field that is not known', () => {
    expect(hasExtra('Pod', { spec: { colour: 'red' } })).toBe(true);
  });

  test('and else does not', () => {
    const metadata = { name: 'a', labels: { b: 'c' }, finalizers: ['d/e'] };
    expect(hasExtra('Pod', { metadata, spec: { containers: [{ name: 'a', args: [''] }] } })).toBe(false);
    expect(hasExtra('Secret', { metadata, data: { a: '' } })).toBe(false);
  });
});
