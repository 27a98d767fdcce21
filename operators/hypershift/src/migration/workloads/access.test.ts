import type { KubeObject } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { describe, expect, it } from 'vitest';
import { withoutPrivateRules, withPrivateRules } from './access.js';

const MAPPING = new GroupMapping(CLUSTER_API_RULES);
const STANDARD = 'cluster.x-k8s.io';
const PRIVATE = 'cluster.hypershift.openshift.io';
const EVENTS = { apiGroups: [''], resources: ['events'], verbs: ['create'] };
const machines = (apiGroup: string): object => ({ apiGroups: [apiGroup], resources: ['machines'], verbs: ['get'] });

function role(...rules: readonly object[]): KubeObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'r' }, rules };
}

describe('The rules of a Role', () => {
  it.each<[string, KubeObject, KubeObject]>([
    ['stay where none is about Cluster API', role(EVENTS), role(EVENTS)],
    [
      'are there for both groups',
      role(machines(STANDARD), EVENTS),
      role(machines(STANDARD), EVENTS, machines(PRIVATE)),
    ],
    ['are added once', role(machines(STANDARD), machines(PRIVATE)), role(machines(STANDARD), machines(PRIVATE))],
  ])('%s before the migration copies', (_, before, after) => {
    expect(withPrivateRules(before, MAPPING)).toEqual(after);
  });

  it.each<[string, KubeObject, KubeObject]>([
    ['stay where none is private', role(EVENTS, machines(STANDARD)), role(EVENTS, machines(STANDARD))],
    [
      'lose their private copies',
      role(machines(STANDARD), EVENTS, machines(PRIVATE)),
      role(machines(STANDARD), EVENTS),
    ],
    ['are about the standard group again', role(machines(PRIVATE), EVENTS), role(EVENTS, machines(STANDARD))],
  ])('%s after a rollback', (_, before, after) => {
    expect(withoutPrivateRules(before, MAPPING)).toEqual(after);
  });
});
