import type { ResourceKind } from '@capstan/kube';

/** Kinds of Kubernetes that the scenarios read. */
export const DEPLOYMENTS: ResourceKind = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
  kind: 'Deployment',
};
export const STATEFUL_SETS: ResourceKind = { ...DEPLOYMENTS, plural: 'statefulsets', kind: 'StatefulSet' };
export const ROLES: ResourceKind = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'roles',
  namespaced: true,
  kind: 'Role',
};
export const SECRETS: ResourceKind = { group: '', version: 'v1', plural: 'secrets', namespaced: true, kind: 'Secret' };
export const SERVICES: ResourceKind = { ...SECRETS, plural: 'services', kind: 'Service' };
export const EVENTS: ResourceKind = { ...SECRETS, plural: 'events', kind: 'Event' };
export const NAMESPACES: ResourceKind = { ...SECRETS, plural: 'namespaces', kind: 'Namespace', namespaced: false };
export const NODES: ResourceKind = { ...NAMESPACES, plural: 'nodes', kind: 'Node' };
export const DEFINITIONS: ResourceKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
  kind: 'CustomResourceDefinition',
};
