/** What the two APIs call things. */

/** The groups and versions that are written. */
export const MACHINE_API = 'machine.openshift.io/v1beta1';
export const MACHINE_API_V1 = 'machine.openshift.io/v1';
export const CLUSTER_API_GROUP = 'cluster.x-k8s.io';
export const CLUSTER_API = `${CLUSTER_API_GROUP}/v1beta2`;

/** Labels of Machine API. */
export const ROLE_LABEL = 'machine.openshift.io/cluster-api-machine-role';
export const TYPE_LABEL = 'machine.openshift.io/cluster-api-machine-type';
export const INSTANCE_TYPE_LABEL = 'machine.openshift.io/instance-type';
export const REGION_LABEL = 'machine.openshift.io/region';
export const ZONE_LABEL = 'machine.openshift.io/zone';
/** On templates: the set they were made for, so that they can be collected. */
export const TEMPLATE_OWNER_LABEL = 'machine.openshift.io/cluster-api-machineset';
/** Entries with this prefix are Machine API's own, and never meant for nodes. */
export const MACHINE_API_PREFIX = 'machine.openshift.io/';

/** Labels of Cluster API. */
export const CLUSTER_NAME_LABEL = 'cluster.x-k8s.io/cluster-name';
export const SET_NAME_LABEL = 'cluster.x-k8s.io/set-name';
export const DEPLOYMENT_NAME_LABEL = 'cluster.x-k8s.io/deployment-name';
export const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';
export const NODE_ROLE_PREFIX = 'node-role.kubernetes.io/';
export const CONTROL_PLANE_ROLE = 'master';
export const WORKER_ROLE = 'worker';

/** Annotations. */
export const PAUSED_ANNOTATION = 'cluster.x-k8s.io/paused';
/** Its value on health checks that are paused for being the copy that is not authoritative. Any value pauses. */
export const PAUSED_AS_COPY = 'copy';
export const INSTANCE_STATE_ANNOTATION = 'machine.openshift.io/instance-state';
export const CLUSTER_API_DATA_ANNOTATION = 'cluster.x-k8s.io/conversion-data';
/** On Cluster API objects: what of the Machine API object Cluster API has no place for. */
export const KEPT_ANNOTATION = 'machine.openshift.io/conversion-data';
/** On Machine API objects: the same the other way round. */
export const KEPT_CLUSTER_API_ANNOTATION = 'machine.openshift.io/cluster-api-conversion-data';
export const PRE_DRAIN_PREFIX = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/';
export const PRE_TERMINATE_PREFIX = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/';
