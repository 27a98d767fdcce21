import type { ResourceKind } from '@capstan/kube';

const GROUP = 'hypershift.openshift.io';
const CORE = 'cluster.x-k8s.io';

function hosted(kind: string, plural: string): ResourceKind {
  return { group: GROUP, version: 'v1beta1', plural, namespaced: true, kind };
}

function core(kind: string, plural: string): ResourceKind {
  return { group: CORE, version: 'v1beta2', plural, namespaced: true, kind };
}

export const HOSTED_CLUSTERS: ResourceKind = hosted('HostedCluster', 'hostedclusters');
export const NODE_POOLS: ResourceKind = hosted('NodePool', 'nodepools');
export const HOSTED_CONTROL_PLANES: ResourceKind = hosted('HostedControlPlane', 'hostedcontrolplanes');
export const CONTROL_PLANE_COMPONENTS: ResourceKind = hosted('ControlPlaneComponent', 'controlplanecomponents');

export const CLUSTERS: ResourceKind = core('Cluster', 'clusters');
export const MACHINES: ResourceKind = core('Machine', 'machines');
export const MACHINE_SETS: ResourceKind = core('MachineSet', 'machinesets');
export const MACHINE_DEPLOYMENTS: ResourceKind = core('MachineDeployment', 'machinedeployments');
export const MACHINE_HEALTH_CHECKS: ResourceKind = core('MachineHealthCheck', 'machinehealthchecks');
