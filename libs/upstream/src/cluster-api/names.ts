/** The words of Cluster API that clients and providers see. */

export const CORE_GROUP = 'cluster.x-k8s.io';
/** The version that the controllers work in, whatever the server serves. */
export const CORE_API_VERSION = 'cluster.x-k8s.io/v1beta2';
export const TEMPLATE_SUFFIX = 'Template';

export const finalizers = {
  cluster: 'cluster.cluster.x-k8s.io',
  machine: 'machine.cluster.x-k8s.io',
  machineSet: 'cluster.x-k8s.io/machineset',
  machineDeployment: 'cluster.x-k8s.io/machinedeployment',
} as const;

export const labels = {
  clusterName: 'cluster.x-k8s.io/cluster-name',
  controlPlane: 'cluster.x-k8s.io/control-plane',
  controlPlaneName: 'cluster.x-k8s.io/control-plane-name',
  deploymentName: 'cluster.x-k8s.io/deployment-name',
  drain: 'cluster.x-k8s.io/drain',
  interruptible: 'cluster.x-k8s.io/interruptible',
  machinePoolName: 'cluster.x-k8s.io/pool-name',
  setName: 'cluster.x-k8s.io/set-name',
  templateHash: 'machine-template-hash',
  watchFilter: 'cluster.x-k8s.io/watch-filter',
} as const;

export const annotations = {
  annotationsFromMachine: 'cluster.x-k8s.io/annotations-from-machine',
  certificatesExpiry: 'machine.cluster.x-k8s.io/certificates-expiry',
  clonedFromGroupKind: 'cluster.x-k8s.io/cloned-from-groupkind',
  clonedFromName: 'cluster.x-k8s.io/cloned-from-name',
  clusterName: 'cluster.x-k8s.io/cluster-name',
  clusterNamespace: 'cluster.x-k8s.io/cluster-namespace',
  conversionData: 'cluster.x-k8s.io/conversion-data',
  deleteMachine: 'cluster.x-k8s.io/delete-machine',
  desiredReplicas: 'machinedeployment.clusters.x-k8s.io/desired-replicas',
  disableMachineCreate: 'cluster.x-k8s.io/disable-machine-create',
  excludeNodeDraining: 'machine.cluster.x-k8s.io/exclude-node-draining',
  excludeVolumeDetach: 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach',
  labelsFromMachine: 'cluster.x-k8s.io/labels-from-machine',
  lastApplied: 'kubectl.kubernetes.io/last-applied-configuration',
  machine: 'cluster.x-k8s.io/machine',
  maxReplicas: 'machinedeployment.clusters.x-k8s.io/max-replicas',
  mirrorPod: 'kubernetes.io/config.mirror',
  ownerKind: 'cluster.x-k8s.io/owner-kind',
  ownerName: 'cluster.x-k8s.io/owner-name',
  paused: 'cluster.x-k8s.io/paused',
  preDrainHook: 'pre-drain.delete.hook.machine.cluster.x-k8s.io',
  preTerminateHook: 'pre-terminate.delete.hook.machine.cluster.x-k8s.io',
  remediateMachine: 'cluster.x-k8s.io/remediate-machine',
  revision: 'machinedeployment.clusters.x-k8s.io/revision',
  revisionHistory: 'machinedeployment.clusters.x-k8s.io/revision-history',
  skipPreflightChecks: 'machineset.cluster.x-k8s.io/skip-preflight-checks',
  skipRemediation: 'cluster.x-k8s.io/skip-remediation',
  taintsFromMachine: 'cluster.x-k8s.io/taints-from-machine',
} as const;

/** Who owns which fields of what is applied. */
export const fieldOwners = {
  machineDeployment: 'capi-machinedeployment',
  machineSet: 'capi-machineset',
  machineSetMetadata: 'capi-machineset-metadata',
} as const;

export const nodeTaints = {
  uninitialized: { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' },
  outdatedRevision: { key: 'node.cluster.x-k8s.io/outdated-revision', effect: 'PreferNoSchedule' },
} as const;

/** The condition message when the controller itself failed. */
export const CHECK_LOGS = 'Please check controller logs for errors';
