import type { RoleRule } from '@capstan/kube/manifests';
import type { HostingPlatforms } from '@capstan/provider';
import { webhookNameOf } from './names.js';
import type { OperatorMode } from './names.js';

const READ = ['get', 'list', 'watch'];
const EDIT = [...READ, 'create', 'update', 'patch', 'delete'];
const ALL = ['*'];
/** The groups that Cluster API and its providers are known by: a namespace of a control plane may have objects in each. */
const CLUSTER_API = [
  'cluster.x-k8s.io',
  ...['addons', 'bootstrap', 'controlplane', 'exp', 'infrastructure', 'ipam', 'runtime'].map(
    (prefix) => `${prefix}.cluster.x-k8s.io`,
  ),
  'exp.infrastructure.cluster.x-k8s.io',
];
const RBAC = 'rbac.authorization.k8s.io';

/** What an operator may do is decided by its mode and by the groups of the platforms. */
export interface RuleOptions {
  readonly mode: OperatorMode;
  readonly scope?: string | undefined;
  readonly platforms: HostingPlatforms;
  /** Further groups that the cluster serves, by their standard names. */
  readonly groups?: readonly string[] | undefined;
  /** The private name of a group; the group itself where it has none. */
  readonly swap: (group: string) => string;
}

/**
 * The groups of Cluster API, of whatever else platforms have objects in, and of what is served besides, by their standard
 * names.
 */
export function platformGroups(platforms: HostingPlatforms, served: readonly string[] = []): readonly string[] {
  const groups = [...platforms].flatMap(({ cluster, companionKinds = [], leftovers = [], machineTemplate }) =>
    [cluster?.kind, machineTemplate?.kind, machineTemplate?.machine, ...companionKinds, ...leftovers].flatMap(
      (kind) => kind?.group ?? [],
    ),
  );
  return [...new Set([...CLUSTER_API, ...groups, ...served])];
}

/**
 * The cluster-wide rules of an operator. It creates Roles for the controllers of control planes, which grant permissions that
 * it does not use itself: for Roles in namespaces, and for nothing cluster-wide, it may grant more than it has. On private
 * types it needs both names of each group: the proxy asks under the private ones, the migration under both. Which types a
 * cluster is on is found out by listing every kind that is served, so all their groups are granted.
 */
export function operatorClusterRules({
  groups: served,
  mode,
  platforms,
  scope,
  swap,
}: RuleOptions): readonly RoleRule[] {
  const standard = platformGroups(platforms, served);
  const groups = mode === 'private' ? [...new Set([...standard, ...standard.map((group) => swap(group))])] : standard;
  return [
    { apiGroups: ['hypershift.openshift.io'], resources: ALL, verbs: ALL },
    { apiGroups: groups, resources: ALL, verbs: ALL },
    {
      apiGroups: [''],
      resources: ['namespaces', 'secrets', 'configmaps', 'serviceaccounts', 'services', 'pods'],
      verbs: EDIT,
    },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: EDIT },
    { apiGroups: [RBAC], resources: ['roles', 'rolebindings'], verbs: [...EDIT, 'bind', 'escalate'] },
    { apiGroups: [RBAC], resources: ['clusterroles', 'clusterrolebindings'], verbs: EDIT },
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: READ },
    { apiGroups: ['route.openshift.io'], resources: ['routes'], verbs: READ },
    ...(mode === 'legacy' ? [] : [certificateRule(scope)]),
    ...(mode === 'private' ? PRIVATE_RULES : []),
  ];
}

/** Certificates that install has created are renewed, and their CA is put where it is trusted. */
function certificateRule(scope: string | undefined): RoleRule {
  const own = [webhookNameOf('private'), webhookNameOf('legacy')];
  return {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['validatingwebhookconfigurations'],
    resourceNames: scope === undefined ? own : [webhookNameOf('standard', scope)],
    verbs: ['get', 'patch'],
  };
}

/**
 * What only the operator on private types does: the migration asks proxies whether they translate, and re-points what moved
 * objects own; private CRDs that were changed or deleted are restored; proxies of control planes are opened to those who ask
 * for their health, and scraped; the webhook of the legacy operator is deleted with it.
 */
const PRIVATE_RULES: readonly RoleRule[] = [
  { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['create', 'patch'] },
  { apiGroups: [''], resources: ['pods/proxy'], verbs: ['get'] },
  { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: EDIT },
  { apiGroups: ['monitoring.coreos.com'], resources: ['podmonitors'], verbs: EDIT },
  { apiGroups: ['apps'], resources: ['replicasets', 'statefulsets'], verbs: [...READ, 'patch'] },
  {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['validatingwebhookconfigurations'],
    resourceNames: [webhookNameOf('legacy')],
    verbs: ['delete'],
  },
];

/** What an operator may do in its own namespace: its lease, and its events. */
export const OPERATOR_RULES: readonly RoleRule[] = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: EDIT },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
];
