/** On a NodePool: the hash of the configuration of its machines without the version. */
export const CURRENT_CONFIG_ONLY_ANNOTATION: string = 'hypershift.openshift.io/nodePoolCurrentConfig';
/** On a NodePool: the template that its machines were created from. */
export const MACHINE_TEMPLATE_ANNOTATION: string = 'hypershift.openshift.io/nodePoolPlatformMachineTemplate';
/** On a machine template: the hash of the spec that the platform asked for. */
export const MACHINE_TEMPLATE_SPEC_ANNOTATION: string = 'hypershift.openshift.io/machine-template-spec';
/** On a Machine and in the template of a MachineSet: the taints that its node gets, as JSON. */
export const TAINTS_ANNOTATION: string = 'hypershift.openshift.io/nodePoolTaints';
/** Prefix of labels of a Machine; its node gets the label without the prefix. */
export const MANAGED_LABEL_PREFIX = 'managed.hypershift.openshift.io.';
/** On a MachineSet: progress of an in-place upgrade, and why it has stopped. */
export const UPGRADE_PROGRESS_ANNOTATION: string = 'hypershift.openshift.io/nodePoolUpgradeInProgressTrue';
export const UPGRADE_FAILURE_ANNOTATION: string = 'hypershift.openshift.io/nodePoolUpgradeInProgressFalse';
/** On a MachineSet: which node of an in-place upgrade cannot be drained, why, and what to do. */
export const DRAIN_BLOCKED_ANNOTATION = 'capstan.dev/in-place-drain-blocked';
/** On a token Secret: upgrade type of the NodePool, when the token was generated, and when it expires. */
export const UPGRADE_TYPE_ANNOTATION: string = 'hypershift.openshift.io/node-pool-upgrade-type';
export const TOKEN_TIME_ANNOTATION: string = 'hypershift.openshift.io/last-token-generation-time';
export const TOKEN_EXPIRATION_ANNOTATION: string = 'hypershift.openshift.io/ignition-token-expiration-timestamp';
/** Label of spot machines, which the cloud may terminate at any time. */
export const INTERRUPTIBLE_LABEL: string = 'hypershift.openshift.io/interruptible-instance';
/** On a NodePool, or on a HostedCluster for all its NodePools. */
export const HEALTH_MAX_UNHEALTHY_ANNOTATION: string = 'hypershift.openshift.io/machine-health-check-max-unhealthy';
export const HEALTH_TIMEOUT_ANNOTATION: string = 'hypershift.openshift.io/machine-health-check-timeout';
export const HEALTH_STARTUP_ANNOTATION: string = 'hypershift.openshift.io/machine-health-check-node-startup-timeout';
/** Label of ConfigMaps in the control plane namespace with configuration for every node. */
export const CORE_CONFIG_LABEL: string = 'hypershift.openshift.io/core-ignition-config';
/** Labels of ConfigMaps in the control plane namespace that the node tuning operator reads or writes. */
export const TUNED_LABEL: string = 'hypershift.openshift.io/tuned-config';
export const PERFORMANCE_PROFILE_LABEL: string = 'hypershift.openshift.io/performanceprofile-config';
export const TUNING_GENERATED_LABEL: string = 'hypershift.openshift.io/nto-generated-machine-config';

/** Bounds of the cluster autoscaler; both "0" where a node group is not autoscaled. */
export const AUTOSCALER_MIN_ANNOTATION = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size';
export const AUTOSCALER_MAX_ANNOTATION = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size';
/** What nodes of a node group would have, which the autoscaler needs while the group is empty. */
export const CAPACITY_LABELS_ANNOTATION = 'capacity.cluster-autoscaler.kubernetes.io/labels';
export const CAPACITY_TAINTS_ANNOTATION = 'capacity.cluster-autoscaler.kubernetes.io/taints';
export const CAPACITY_CPU_ANNOTATION = 'machine.openshift.io/vCPU';
export const CAPACITY_MEMORY_ANNOTATION = 'machine.openshift.io/memoryMb';
export const CAPACITY_GPU_ANNOTATION = 'machine.openshift.io/GPU';
