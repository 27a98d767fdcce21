const PREFIX = 'hypershift.openshift.io';

function own<const T extends string>(name: T): `${typeof PREFIX}/${T}` {
  return `${PREFIX}/${name}`;
}

/** `namespace/name` of the HostedCluster something was made for. */
export const CLUSTER_ANNOTATION: string = own('cluster');
/** `namespace/name` of the NodePool something was made for; on nodes a label with its name. */
export const NODE_POOL_ANNOTATION: string = own('nodePool');
/** Keeps a HostedCluster, NodePool or HostedControlPlane until everything made for it is gone. */
export const FINALIZER: string = own('finalizer');
/** Keeps the Deployments of Cluster API until there is nothing left for them to delete. */
export const COMPONENT_FINALIZER: string = own('component-finalizer');
/** Label of the pods and Deployments of a component. */
export const COMPONENT_LABEL: string = own('control-plane-component');
export const MANAGED_BY_LABEL: string = own('managed-by');
export const MANAGEMENT_ACCESS_LABEL: string = own('need-management-kas-access');
export const HOSTED_CONTROL_PLANE_LABEL: string = own('hosted-control-plane');
export const RELEASE_IMAGE_ANNOTATION: string = own('release-image');
export const RESTART_ANNOTATION: string = own('restart-date');
/** On the HostedControlPlane: no pool is autoscaled. */
export const DISABLE_AUTOSCALER_ANNOTATION: string = own('disable-cluster-autoscaler');
export const DISABLE_MACHINES_ANNOTATION: string = own('disable-machine-management');
/** Names of workloads, separated by commas, that are scaled to none. */
export const DEBUG_DEPLOYMENTS_ANNOTATION: string = own('debug-deployments');
/** What the guest has made in its cloud is deleted before the control plane is. */
export const CLEANUP_ANNOTATION: string = own('cleanup-cloud-resources');
/** The release a node is to run: on the Node. */
export const DESIRED_RELEASE_ANNOTATION: string = own('desired-release');
/** Configuration of a pool that machines have, and that they are to have: on its MachineSet or MachineDeployment. */
export const CURRENT_CONFIG_ANNOTATION: string = own('nodePoolCurrentConfigVersion');
export const TARGET_CONFIG_ANNOTATION: string = own('nodePoolTargetConfigVersion');
export const MAX_UNAVAILABLE_ANNOTATION: string = own('nodePoolMaxUnavailable');
/** On a Machine: the release its node runs. */
export const RELEASE_VERSION_ANNOTATION: string = own('release-version');
/** On a token Secret: an instance has fetched its configuration with it. */
export const IGNITION_REACHED_ANNOTATION: string = own('ignition-reached');
/** On a token Secret: says that it is one. */
export const IGNITION_CONFIG_ANNOTATION: string = own('ignition-config');

/** Group of Cluster API; prefix of its labels and annotations. */
export const CLUSTER_NAME_LABEL = 'cluster.x-k8s.io/cluster-name';
export const EXTERNALLY_MANAGED_ANNOTATION = 'cluster.x-k8s.io/managed-by';
export const PAUSED_ANNOTATION = 'cluster.x-k8s.io/paused';
