/** Types of the conditions of a NodePool. */
export const NODE_POOL_CONDITIONS = {
  autoscaling: 'AutoscalingEnabled',
  management: 'UpdateManagementEnabled',
  releaseImage: 'ValidReleaseImage',
  ignitionEndpoint: 'IgnitionEndpointAvailable',
  architecture: 'ValidArchPlatform',
  active: 'ReconciliationActive',
  skew: 'SupportedVersionSkew',
  machineConfig: 'ValidMachineConfig',
  tuningConfig: 'ValidTuningConfig',
  updatingConfig: 'UpdatingConfig',
  updatingVersion: 'UpdatingVersion',
  payload: 'ValidGeneratedPayload',
  reachedIgnition: 'ReachedIgnitionEndpoint',
  machinesReady: 'AllMachinesReady',
  nodesHealthy: 'AllNodesHealthy',
  networkConflict: 'ClusterNetworkCIDRConflict',
  platformConfig: 'ValidPlatformConfig',
  machineTemplate: 'ValidMachineTemplate',
  updatingTemplate: 'UpdatingPlatformMachineTemplate',
  autorepair: 'AutorepairEnabled',
  ready: 'Ready',
} as const;

/** Type of a condition of a NodePool. */
export type NodePoolConditionType = (typeof NODE_POOL_CONDITIONS)[keyof typeof NODE_POOL_CONDITIONS];

/** Reasons of conditions of a NodePool, as HyperShift has them. */
export const NODE_POOL_REASONS = {
  asExpected: 'AsExpected',
  failed: 'ValidationFailed',
  notFound: 'NotFound',
} as const;

/** The message of a condition that reports on many objects and is true, as HyperShift has it. */
export const ALL_IS_WELL = 'All is well';
