import type { ResourceKind } from '@capstan/kube';
import { formatApiVersion, parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { UnknownKind } from './errors.js';

const RBAC = 'rbac.authorization.k8s.io';

function core(kind: string, plural: string, namespaced = true): ResourceKind {
  return { group: '', version: 'v1', plural, namespaced, kind };
}

function rbac(kind: string, plural: string, namespaced: boolean): ResourceKind {
  return { group: RBAC, version: 'v1', plural, namespaced, kind };
}

export const NAMESPACES: ResourceKind = core('Namespace', 'namespaces', false);
export const SECRETS: ResourceKind = core('Secret', 'secrets');
export const CONFIG_MAPS: ResourceKind = core('ConfigMap', 'configmaps');
export const PODS: ResourceKind = core('Pod', 'pods');
export const SERVICES: ResourceKind = core('Service', 'services');
export const SERVICE_ACCOUNTS: ResourceKind = core('ServiceAccount', 'serviceaccounts');
export const ROLES: ResourceKind = rbac('Role', 'roles', true);
export const ROLE_BINDINGS: ResourceKind = rbac('RoleBinding', 'rolebindings', true);
export const CLUSTER_ROLES: ResourceKind = rbac('ClusterRole', 'clusterroles', false);
export const CLUSTER_ROLE_BINDINGS: ResourceKind = rbac('ClusterRoleBinding', 'clusterrolebindings', false);
export const DEPLOYMENTS: ResourceKind = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
  kind: 'Deployment',
};
export const LEASES: ResourceKind = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  namespaced: true,
  kind: 'Lease',
};
export const DEFINITIONS: ResourceKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
  kind: 'CustomResourceDefinition',
};

export const VALIDATING_WEBHOOKS: ResourceKind = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
  kind: 'ValidatingWebhookConfiguration',
};

export const NETWORK_POLICIES: ResourceKind = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'networkpolicies',
  namespaced: true,
  kind: 'NetworkPolicy',
};

/** Of the Prometheus operator: not every management cluster has it. */
export const POD_MONITORS: ResourceKind = {
  group: 'monitoring.coreos.com',
  version: 'v1',
  plural: 'podmonitors',
  namespaced: true,
  kind: 'PodMonitor',
};

/** Of OpenShift: not every management cluster has it. */
export const ROUTES: ResourceKind = {
  group: 'route.openshift.io',
  version: 'v1',
  plural: 'routes',
  namespaced: true,
  kind: 'Route',
};

const BY_KIND: ReadonlyMap<string, ResourceKind> = new Map(
  [
    NAMESPACES,
    SECRETS,
    CONFIG_MAPS,
    SERVICES,
    SERVICE_ACCOUNTS,
    ROLES,
    ROLE_BINDINGS,
    CLUSTER_ROLES,
    CLUSTER_ROLE_BINDINGS,
    DEPLOYMENTS,
  ].map((kind) => [`${kind.group}/${kind.kind}`, kind]),
);

/** Whether every management cluster serves a kind, without a CRD. */
export function isBuiltIn({ group }: { readonly group: string }): boolean {
  return BUILT_IN_GROUPS.has(group);
}

const BUILT_IN_GROUPS: ReadonlySet<string> = new Set(['', 'apps', 'networking.k8s.io', RBAC]);

/** The resource of an object that a platform hands over: a built-in one, or one of those it names. */
export function kindOfObject({ apiVersion, kind }: KubeObject, companions: readonly ResourceKind[] = []): ResourceKind {
  const { group } = parseApiVersion(apiVersion);
  const known =
    BY_KIND.get(`${group}/${kind}`) ??
    companions.find((each) => each.kind === kind && formatApiVersion(each) === apiVersion);
  if (known === undefined) throw new UnknownKind(apiVersion, kind);
  return known;
}
