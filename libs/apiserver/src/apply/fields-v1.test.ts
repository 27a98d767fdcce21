import { describe, expect, it } from 'vitest';
import { setOfPaths } from './field-set.js';
import { encodeFieldsV1 } from './fields-v1.js';

describe('the written form of a set', () => {
  it('is one for equal sets, however often they are built', () => {
    const build = () => setOfPaths(['f:spec', 'f:shared'], ['f:spec', 'f:other'], ['f:status']);
    expect(encodeFieldsV1(build())).toBe(encodeFieldsV1(build()));
    expect(encodeFieldsV1(build())).toEqual({ 'f:spec': { 'f:other': {}, 'f:shared': {} }, 'f:status': {} });
  });

  it.each([
    ['members above others', [['f:a'], ['f:a', 'f:b']], [['f:a', 'f:b']]],
    ['depth', [['f:a', 'f:b']], [['f:a'], ['f:b']]],
    ['names that look like the marks between them', [['f:a'], ['f:b']], [['f:a3:f:b']]],
    ['brackets in names', [['f:a', 'f:b']], [['f:a('], ['f:b']]],
  ])('keeps sets apart that differ in %s', (_, one, other) => {
    const [a, b] = [setOfPaths(...one), setOfPaths(...other)];
    expect(encodeFieldsV1(a)).not.toEqual(encodeFieldsV1(b));
  });
});
