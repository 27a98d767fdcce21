/** The words Machine API writes into objects. */

export const GROUP = 'machine.openshift.io';

export const MACHINE_FINALIZER = 'machine.machine.openshift.io';
export const CONTROL_PLANE_FINALIZER = 'controlplanemachineset.machine.openshift.io';

/** Labels. */
export const CLUSTER_LABEL = `${GROUP}/cluster-api-cluster`;
export const ROLE_LABEL = `${GROUP}/cluster-api-machine-role`;
export const INSTANCE_TYPE_LABEL = `${GROUP}/instance-type`;
export const REGION_LABEL = `${GROUP}/region`;
export const ZONE_LABEL = `${GROUP}/zone`;
export const INTERRUPTIBLE_LABEL = `${GROUP}/interruptible-instance`;

/** Annotations. */
export const INSTANCE_STATE_ANNOTATION = `${GROUP}/instance-state`;
export const DELETE_MACHINE_ANNOTATION = `${GROUP}/delete-machine`;
/** What the annotation above was called before. */
export const OLD_DELETE_MACHINE_ANNOTATION = `${GROUP}/cluster-api-delete-machine`;
export const EXCLUDE_DRAIN_ANNOTATION = `${GROUP}/exclude-node-draining`;
/** On a Node: the machine behind it, as `namespace/name`. */
export const MACHINE_ANNOTATION = `${GROUP}/machine`;
export const PAUSED_ANNOTATION = 'cluster.x-k8s.io/paused';
export const REMEDIATION_STRATEGY_ANNOTATION = `${GROUP}/remediation-strategy`;
export const EXTERNAL_REMEDIATION_ANNOTATION = 'host.metal3.io/external-remediation';

/** The state of an instance that cannot be found. */
export const UNKNOWN_STATE = 'Unknown';

/** The tag that names the cluster of an instance. */
export const clusterTag = (cluster: string): string => `kubernetes.io/cluster/${cluster}`;
