import type { HostingPlatform, PolicyRule } from '@capstan/provider';

const ALL = ['*'];
const READ = ['get', 'list', 'watch'];
const CLUSTER_API = [
  'bootstrap.cluster.x-k8s.io',
  'controlplane.cluster.x-k8s.io',
  'infrastructure.cluster.x-k8s.io',
  'machines.cluster.x-k8s.io',
  'exp.infrastructure.cluster.x-k8s.io',
  'addons.cluster.x-k8s.io',
  'exp.cluster.x-k8s.io',
  'cluster.x-k8s.io',
];
const LEASES: PolicyRule = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ALL };

/** The groups of Cluster API and of a platform's infrastructure. */
export function clusterApiGroups({ cluster, machineTemplate }: HostingPlatform): readonly string[] {
  const own = [cluster?.kind.group, machineTemplate?.kind.group].filter((group) => group !== undefined);
  return [...new Set([...CLUSTER_API, ...own])];
}

/** What the Cluster API manager may do in the control plane namespace. */
export function clusterApiRules(platform: HostingPlatform): PolicyRule[] {
  return [
    { apiGroups: clusterApiGroups(platform), resources: ALL, verbs: ALL },
    {
      apiGroups: ['hypershift.openshift.io'],
      resources: ['hostedcontrolplanes', 'hostedcontrolplanes/status'],
      verbs: [...READ, 'delete', 'patch', 'update'],
    },
    { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: READ },
    { apiGroups: [''], resources: ['events'], verbs: ['create', 'update', 'patch'] },
    LEASES,
  ];
}

/** What the program of a platform may do there, with what it asks for itself. */
export function providerRules(platform: HostingPlatform, own: readonly PolicyRule[]): PolicyRule[] {
  return [
    { apiGroups: [''], resources: ['events', 'secrets', 'configmaps'], verbs: ALL },
    { apiGroups: clusterApiGroups(platform), resources: ALL, verbs: ALL },
    { apiGroups: ['hypershift.openshift.io'], resources: ALL, verbs: ALL },
    LEASES,
    ...own,
  ];
}

/** What the control plane operator may do there: all it makes, and all it grants to what it makes. */
export function controlPlaneOperatorRules(platform: HostingPlatform, granted: readonly PolicyRule[]): PolicyRule[] {
  return [
    { apiGroups: ['hypershift.openshift.io', 'certificates.hypershift.openshift.io'], resources: ALL, verbs: ALL },
    {
      apiGroups: [...clusterApiGroups(platform), 'monitoring.coreos.com', 'monitoring.rhobs'],
      resources: ALL,
      verbs: ALL,
    },
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['roles', 'rolebindings'],
      verbs: [...READ, 'create', 'update', 'patch', 'delete'],
    },
    { apiGroups: ['route.openshift.io', 'image.openshift.io'], resources: ALL, verbs: ALL },
    {
      apiGroups: [''],
      resources: [
        'events',
        'configmaps',
        'configmaps/finalizers',
        'persistentvolumeclaims',
        'pods',
        'pods/log',
        'secrets',
        'serviceaccounts',
        'services',
        'endpoints',
      ],
      verbs: ALL,
    },
    { apiGroups: ['apps'], resources: ['deployments', 'replicasets', 'statefulsets'], verbs: ALL },
    { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'], verbs: ALL },
    { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: ALL },
    { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: ALL },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices', 'endpointslices/restricted'], verbs: ALL },
    LEASES,
    ...granted,
  ];
}

/** Reading CRDs, which concerns the whole cluster. */
export const DEFINITION_RULES: readonly PolicyRule[] = [
  { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: READ },
];
