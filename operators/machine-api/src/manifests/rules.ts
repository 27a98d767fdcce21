/** What the operator may do, and where. */
import type { RoleRule } from '@capstan/kube/manifests';

const READ = ['get', 'list', 'watch'];
const WRITE = [...READ, 'create', 'update', 'patch', 'delete'];
const MAPI = 'machine.openshift.io';
const CAPI = 'cluster.x-k8s.io';
const MIRRORED = ['machines', 'machinesets', 'machinehealthchecks'];
const CONTROL_PLANES = ['controlplanemachinesets'];

const statusOf = (plurals: readonly string[]): string[] => plurals.map((plural) => `${plural}/status`);
const SECRETS: RoleRule = {
  apiGroups: [''],
  resources: ['secrets'],
  verbs: [...READ, 'create', 'patch', 'delete'],
};
const EVENTS: RoleRule = { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] };

/** Cluster-wide: what decides whether there is anything to do, and the report. */
export const CLUSTER_RULES: readonly RoleRule[] = [
  { apiGroups: ['config.openshift.io'], resources: ['infrastructures', 'featuregates'], verbs: READ },
  // Health checks of Cluster API are completed by the nodes of machines.
  { apiGroups: [''], resources: ['nodes'], verbs: READ },
  { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: READ },
  {
    apiGroups: ['config.openshift.io'],
    resources: ['clusteroperators'],
    resourceNames: ['machine-api'],
    verbs: ['get', 'list', 'watch'],
  },
  {
    apiGroups: ['config.openshift.io'],
    resources: ['clusteroperators/status'],
    resourceNames: ['machine-api'],
    verbs: ['patch'],
  },
];

/** In the namespace of Machine API. Hosts are those of machines on bare metal, which follow the authority. */
export const MACHINE_API_RULES: readonly RoleRule[] = [
  { apiGroups: [MAPI], resources: [...MIRRORED, ...CONTROL_PLANES], verbs: WRITE },
  { apiGroups: [MAPI], resources: statusOf([...MIRRORED, ...CONTROL_PLANES]), verbs: ['update', 'patch'] },
  // Owner references with blockOwnerDeletion need it where the server checks them, as OpenShift does.
  { apiGroups: [MAPI], resources: ['machinesets/finalizers', 'controlplanemachinesets/finalizers'], verbs: ['update'] },
  { apiGroups: ['metal3.io'], resources: ['baremetalhosts'], verbs: ['get', 'patch'] },
  SECRETS,
  EVENTS,
];

/** In the namespace of Cluster API, which is its own. Kinds of a platform are those of its provider. */
export const CLUSTER_API_RULES: readonly RoleRule[] = [
  { apiGroups: [CAPI], resources: MIRRORED, verbs: WRITE },
  { apiGroups: [CAPI], resources: statusOf(MIRRORED), verbs: ['update', 'patch'] },
  // Sets of control planes are of one group in both namespaces.
  { apiGroups: [MAPI], resources: CONTROL_PLANES, verbs: WRITE },
  { apiGroups: [MAPI], resources: statusOf(CONTROL_PLANES), verbs: ['update', 'patch'] },
  { apiGroups: [MAPI], resources: ['controlplanemachinesets/finalizers'], verbs: ['update'] },
  { apiGroups: [CAPI], resources: ['clusters'], verbs: READ },
  // Its flags decide what of a machine reaches its node.
  { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['capi-controller-manager'], verbs: ['get'] },
  { apiGroups: [CAPI], resources: ['machinesets/finalizers', 'clusters/finalizers'], verbs: ['update'] },
  { apiGroups: ['infrastructure.cluster.x-k8s.io'], resources: ['*'], verbs: WRITE },
  SECRETS,
  EVENTS,
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update', 'patch'] },
];
