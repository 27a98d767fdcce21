import type { ResourceKind } from '@capstan/kube';

function builtIn(group: string, kind: string, plural: string): ResourceKind {
  return { group, version: 'v1', plural, namespaced: true, kind };
}

const RBAC = 'rbac.authorization.k8s.io';

/** Kinds of Kubernetes that a control plane is made of. */
export const CONFIG_MAPS: ResourceKind = builtIn('', 'ConfigMap', 'configmaps');
export const DEPLOYMENTS: ResourceKind = builtIn('apps', 'Deployment', 'deployments');
export const NETWORK_POLICIES: ResourceKind = builtIn('networking.k8s.io', 'NetworkPolicy', 'networkpolicies');
export const POD_DISRUPTION_BUDGETS: ResourceKind = builtIn('policy', 'PodDisruptionBudget', 'poddisruptionbudgets');
export const ROLE_BINDINGS: ResourceKind = builtIn(RBAC, 'RoleBinding', 'rolebindings');
export const ROLES: ResourceKind = builtIn(RBAC, 'Role', 'roles');
export const SECRETS: ResourceKind = builtIn('', 'Secret', 'secrets');
export const SERVICE_ACCOUNTS: ResourceKind = builtIn('', 'ServiceAccount', 'serviceaccounts');
export const SERVICES: ResourceKind = builtIn('', 'Service', 'services');
export const STATEFUL_SETS: ResourceKind = builtIn('apps', 'StatefulSet', 'statefulsets');

/** Of OpenShift: not every management cluster has it. */
export const ROUTES: ResourceKind = builtIn('route.openshift.io', 'Route', 'routes');
