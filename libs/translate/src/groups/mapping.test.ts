import { describe, expect, it } from 'vitest';
import { CLUSTER_API_RULES, GroupMapping } from './mapping.js';

const mapping = new GroupMapping(CLUSTER_API_RULES);

describe('the names of groups', () => {
  it.each([
    ['cluster.x-k8s.io', 'cluster.hypershift.openshift.io'],
    ['infrastructure.cluster.x-k8s.io', 'infrastructure.cluster.hypershift.openshift.io'],
    ['a.b.cluster.x-k8s.io', 'a.b.cluster.hypershift.openshift.io'],
    ['capi-provider.agent-install.openshift.io', 'capi-provider.agent-install.private.hypershift.openshift.io'],
  ])('%s is %s, and back', (standard, hidden) => {
    expect(mapping.swap(standard)).toBe(hidden);
    expect(mapping.swap(hidden)).toBe(standard);
    expect([mapping.side(standard), mapping.side(hidden)]).toEqual(['standard', 'private']);
  });

  it.each([
    '',
    'apps',
    'x-k8s.io',
    'multicluster.x-k8s.io',
    'cluster.x-k8s.io.example.com',
    'a.capi-provider.agent-install.openshift.io',
  ])('%s has one name', (group) => {
    expect(mapping.swap(group)).toBe(group);
    expect(mapping.side(group)).toBeUndefined();
  });

  it('shares groups that the rules name so, under both names', () => {
    const sharing = new GroupMapping({ ...CLUSTER_API_RULES, shared: ['ipam.cluster.x-k8s.io'] });
    for (const group of ['ipam.cluster.x-k8s.io', 'ipam.cluster.hypershift.openshift.io']) {
      expect(sharing.swap(group)).toBe(group);
      expect(sharing.side(group)).toBeUndefined();
    }
    expect(sharing.swap('cluster.x-k8s.io')).toBe('cluster.hypershift.openshift.io');
    expect(sharing.hash).not.toBe(mapping.hash);
  });

  it.each([
    [[], 'there are no rules: name at least one pair of groups'],
    [[{ standard: 'Nope', private: 'b.io' }], '"Nope" is not the name of an API group'],
    [[{ standard: 'a.io', private: 'x.a.io' }], 'a.io and x.a.io overlap: a group could have two names'],
    [
      [
        { standard: 'a.io', private: 'b.io' },
        { standard: 'x.b.io', private: 'c.io' },
      ],
      'b.io and x.b.io overlap: a group could have two names',
    ],
  ])('refuses rules that are no swap %#', (rules, message) => {
    expect(() => new GroupMapping({ rules })).toThrow(message);
  });

  it('refuses to share what no rule renames', () => {
    expect(() => new GroupMapping({ ...CLUSTER_API_RULES, shared: ['apps.io'] })).toThrow(
      'apps.io is shared already: no rule renames it',
    );
  });
});
