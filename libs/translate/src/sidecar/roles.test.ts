import { expect, it } from 'vitest';
import { CLUSTER_API_RULES, GroupMapping } from '../groups/mapping.js';
import { privateRole } from './index.js';

it('A role is made one of private groups, and of the names of private CRDs', () => {
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'r', labels: { 'cluster.x-k8s.io/provider': 'cluster-api' } },
    rules: [
      { apiGroups: ['cluster.x-k8s.io', 'shared.cluster.x-k8s.io', 'apps'], resources: ['*'], verbs: ['*'] },
      {
        apiGroups: ['apiextensions.k8s.io'],
        resources: ['customresourcedefinitions'],
        resourceNames: ['machines.cluster.x-k8s.io'],
        verbs: ['get'],
      },
    ],
  };
  const [rule, definitions] = role.rules;
  expect(privateRole(role, new GroupMapping({ ...CLUSTER_API_RULES, shared: ['shared.cluster.x-k8s.io'] }))).toEqual({
    ...role,
    rules: [
      { ...rule, apiGroups: ['cluster.hypershift.openshift.io', 'shared.cluster.x-k8s.io', 'apps'] },
      { ...definitions, resourceNames: ['machines.cluster.hypershift.openshift.io'] },
    ],
  });
});

it('a role that names a private group itself is refused: it would be given the platform\u2019s', () => {
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'r' },
    rules: [{ apiGroups: ['cluster.hypershift.openshift.io'], resources: ['*'], verbs: ['*'] }],
  };
  expect(() => privateRole(role, new GroupMapping(CLUSTER_API_RULES))).toThrow(/is not served here/);
});

it.each([
  ['alone', ['*']],
  ['among others', ['apps', '*']],
])('a role for all groups is refused, %s: it would be given the platform\u2019s', (_case, apiGroups) => {
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'r' },
    rules: [
      { apiGroups: ['cluster.x-k8s.io'], resources: ['*'], verbs: ['*'] },
      { apiGroups, resources: ['machines'], verbs: ['get'] },
    ],
  };
  expect(() => privateRole(role, new GroupMapping(CLUSTER_API_RULES))).toThrow(
    'ClusterRole r: rules[1].apiGroups has "*", which grants the platform\'s own Cluster API as well; list the groups that the component needs',
  );
});
