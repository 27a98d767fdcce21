import { describe, expect, it } from 'vitest';
import { aggregatedRules } from './aggregate.js';
import type { ClusterRole } from './aggregate.js';

function role(
  name: string,
  labels: Record<string, string>,
  rules: unknown[],
  selected?: Record<string, string>[],
): ClusterRole {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, labels },
    rules,
    ...(selected === undefined
      ? {}
      : { aggregationRule: { clusterRoleSelectors: selected.map((matchLabels) => ({ matchLabels })) } }),
  };
}

const READ = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const WRITE = { apiGroups: [''], resources: ['pods'], verbs: ['update'] };
const OTHER = { apiGroups: ['x'], resources: ['y'], verbs: ['*'] };

describe('aggregatedRules', () => {
  it('takes each rule once, by selector and then by name, and never its own', () => {
    const all = role('all', { view: '1' }, [OTHER], [{ edit: '1' }, { view: '1' }]);
    const roles = [
      all,
      role('b', { view: '1' }, [READ]),
      role('a', { view: '1' }, [OTHER, READ]),
      role('z', { edit: '1' }, [WRITE]),
    ];
    expect(aggregatedRules(all, roles)).toEqual([WRITE, OTHER, READ]);
  });

  it('leaves a role alone that aggregates nothing', () => {
    expect(aggregatedRules(role('a', {}, [READ]), [])).toBeUndefined();
  });

  it('empties a role whose parts are gone', () => {
    expect(aggregatedRules(role('a', {}, [READ], [{ view: '1' }]), [])).toEqual([]);
  });
});
