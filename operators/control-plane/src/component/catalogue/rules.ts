import type { PolicyRule } from '@capstan/provider';

/** Read access to resources of a group. */
export const read = (apiGroup: string, ...resources: string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs: ['get', 'list', 'watch'],
});

/** Every verb on resources of a group. */
export const all = (apiGroup: string, ...resources: string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs: ['*'],
});

/** RBAC of the namespace. Not `*`: it includes `escalate` and `bind`, with which a component could grant itself anything. */
export const ROLES: PolicyRule = {
  apiGroups: ['rbac.authorization.k8s.io'],
  resources: ['roles', 'rolebindings'],
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
};

/** Leader election. */
export const LEASES: PolicyRule = all('coordination.k8s.io', 'leases');

/** Emitting events. */
export const EVENTS: PolicyRule = { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch', 'update'] };

/** Reading the HostedControlPlane of the namespace. */
export const CONTROL_PLANE: PolicyRule = read(
  'hypershift.openshift.io',
  'hostedcontrolplanes',
  'hostedcontrolplanes/status',
);
