import type { ResourceKind } from '@capstan/kube';

const kind = (group: string, version: string, name: string, plural: string): ResourceKind => ({
  group,
  version,
  plural,
  namespaced: true,
  kind: name,
});
const MAPI = 'machine.openshift.io';
const CAPI = 'cluster.x-k8s.io';

/** Kinds of Machine API. */
export const MAPI_MACHINES = kind(MAPI, 'v1beta1', 'Machine', 'machines');
export const MAPI_MACHINE_SETS = kind(MAPI, 'v1beta1', 'MachineSet', 'machinesets');
export const MAPI_HEALTH_CHECKS = kind(MAPI, 'v1beta1', 'MachineHealthCheck', 'machinehealthchecks');
export const CONTROL_PLANE_MACHINE_SETS = kind(MAPI, 'v1', 'ControlPlaneMachineSet', 'controlplanemachinesets');

/** Kinds of Cluster API. */
export const CAPI_MACHINES = kind(CAPI, 'v1beta2', 'Machine', 'machines');
export const CAPI_MACHINE_SETS = kind(CAPI, 'v1beta2', 'MachineSet', 'machinesets');
export const CAPI_HEALTH_CHECKS = kind(CAPI, 'v1beta2', 'MachineHealthCheck', 'machinehealthchecks');
export const CLUSTERS = kind(CAPI, 'v1beta2', 'Cluster', 'clusters');

export const DEPLOYMENTS = kind('apps', 'v1', 'Deployment', 'deployments');
export const SECRETS = kind('', 'v1', 'Secret', 'secrets');
export const NODES: ResourceKind = { ...kind('', 'v1', 'Node', 'nodes'), namespaced: false };
export const INFRASTRUCTURES: ResourceKind = {
  ...kind('config.openshift.io', 'v1', 'Infrastructure', 'infrastructures'),
  namespaced: false,
};
export const FEATURE_GATES: ResourceKind = {
  ...kind('config.openshift.io', 'v1', 'FeatureGate', 'featuregates'),
  namespaced: false,
};
export const DEFINITIONS: ResourceKind = {
  ...kind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', 'customresourcedefinitions'),
  namespaced: false,
};
