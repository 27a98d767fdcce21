/** Words between the NodePool controller, the nodes' side of it and Cluster API. */

const PREFIX = 'hypershift.openshift.io';

function own<const T extends string>(name: T): `${typeof PREFIX}/${T}` {
  return `${PREFIX}/${name}`;
}

/** On a NodePool: the configuration its machines have, the version left out. */
export const CURRENT_CONFIG_ONLY_ANNOTATION: string = own('nodePoolCurrentConfig');
/** On a NodePool: the template its machines were made from. */
export const MACHINE_TEMPLATE_ANNOTATION: string = own('nodePoolPlatformMachineTemplate');
/** On a Machine, and in the template of a MachineSet: the taints its node gets, as JSON. */
export const TAINTS_ANNOTATION: string = own('nodePoolTaints');
/** Prefix of the labels of a Machine that its node gets, without the prefix. */
export const MANAGED_LABEL_PREFIX = 'managed.hypershift.openshift.io.';
/** On a MachineSet: how far an upgrade in place is, and why it does not go on. */
export const UPGRADE_PROGRESS_ANNOTATION: string = own('nodePoolUpgradeInProgressTrue');
export const UPGRADE_FAILURE_ANNOTATION: string = own('nodePoolUpgradeInProgressFalse');
/** On a MachineSet: which node of an upgrade in place cannot be drained, why, and what to do. */
export const DRAIN_BLOCKED_ANNOTATION = 'capstan.dev/in-place-drain-blocked';
/** On a token Secret: how the pool is upgraded, when the token was made, and when it no longer counts. */
export const UPGRADE_TYPE_ANNOTATION: string = own('node-pool-upgrade-type');
export const TOKEN_TIME_ANNOTATION: string = own('last-token-generation-time');
export const TOKEN_EXPIRATION_ANNOTATION: string = own('ignition-token-expiration-timestamp');
/** Label of machines that the cloud may take back at any time. */
export const INTERRUPTIBLE_LABEL: string = own('interruptible-instance');
/** On a NodePool, or on the HostedCluster for all its pools. */
export const HEALTH_MAX_UNHEALTHY_ANNOTATION: string = own('machine-health-check-max-unhealthy');
export const HEALTH_TIMEOUT_ANNOTATION: string = own('machine-health-check-timeout');
export const HEALTH_STARTUP_ANNOTATION: string = own('machine-health-check-node-startup-timeout');
/** Label of ConfigMaps of the control plane namespace with configuration that every node gets. */
export const CORE_CONFIG_LABEL: string = own('core-ignition-config');
/** Labels of ConfigMaps of the control plane namespace for and from the node tuning operator. */
export const TUNED_LABEL: string = own('tuned-config');
export const PERFORMANCE_PROFILE_LABEL: string = own('performanceprofile-config');
export const TUNING_GENERATED_LABEL: string = own('nto-generated-machine-config');
/** On a HostedCluster: releases are not compared with what is supported. */
export const SKIP_RELEASE_VALIDATION_ANNOTATION: string = own('skip-release-image-validation');

/** Bounds of the cluster autoscaler; both "0" where a group is not its business. */
export const AUTOSCALER_MIN_ANNOTATION = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size';
export const AUTOSCALER_MAX_ANNOTATION = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size';
/** What the nodes of a group would have, for as long as there are none to look at. */
export const CAPACITY_LABELS_ANNOTATION = 'capacity.cluster-autoscaler.kubernetes.io/labels';
export const CAPACITY_TAINTS_ANNOTATION = 'capacity.cluster-autoscaler.kubernetes.io/taints';
export const CAPACITY_CPU_ANNOTATION = 'machine.openshift.io/vCPU';
export const CAPACITY_MEMORY_ANNOTATION = 'machine.openshift.io/memoryMb';
export const CAPACITY_GPU_ANNOTATION = 'machine.openshift.io/GPU';
