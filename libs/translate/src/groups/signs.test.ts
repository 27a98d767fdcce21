import { describe, expect, it } from 'vitest';
import { CLUSTER_API_RULES, GroupMapping } from './mapping.js';
import { Signs } from './signs.js';

describe('signs of groups', () => {
  const mapping = new GroupMapping(CLUSTER_API_RULES);

  it('are in all bytes that hold a name, in any order of asking', () => {
    const signs = new Signs(mapping);
    for (const name of [...mapping.needles, ...mapping.needles.toReversed()]) {
      expect(signs.areIn(Buffer.from(`x.${name}/v1`))).toBe(true);
      expect(signs.areIn(Buffer.from(name.slice(0, -1)))).toBe(false);
    }
  });

  it('are not in bytes of other groups', () => {
    const signs = new Signs(mapping);
    for (const group of ['apps/v1', 'gateway.x-k8s.io', 'cluster.x-k8s', 'shift.io']) {
      expect(signs.areIn(Buffer.from(group))).toBe(false);
    }
  });
});
