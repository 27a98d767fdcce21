/** On objects created for a HostedCluster: its `namespace/name`. */
export const CLUSTER_ANNOTATION: string = 'hypershift.openshift.io/cluster';
/** On objects created for a NodePool: its `namespace/name`. On Nodes a label with its name. */
export const NODE_POOL_ANNOTATION: string = 'hypershift.openshift.io/nodePool';
/** Keeps a HostedCluster, NodePool or HostedControlPlane until everything created for it is deleted. */
export const FINALIZER: string = 'hypershift.openshift.io/finalizer';
/** Keeps the Deployments of Cluster API until they have nothing left to delete. */
export const COMPONENT_FINALIZER: string = 'hypershift.openshift.io/component-finalizer';
/** Label of the pods and Deployments of a component. */
export const COMPONENT_LABEL: string = 'hypershift.openshift.io/control-plane-component';
export const MANAGED_BY_LABEL: string = 'hypershift.openshift.io/managed-by';
export const MANAGEMENT_ACCESS_LABEL: string = 'hypershift.openshift.io/need-management-kas-access';
export const HOSTED_CONTROL_PLANE_LABEL: string = 'hypershift.openshift.io/hosted-control-plane';
export const RELEASE_IMAGE_ANNOTATION: string = 'hypershift.openshift.io/release-image';
export const RESTART_ANNOTATION: string = 'hypershift.openshift.io/restart-date';
/** On a HostedControlPlane: no NodePool is autoscaled. */
export const DISABLE_AUTOSCALER_ANNOTATION: string = 'hypershift.openshift.io/disable-cluster-autoscaler';
export const DISABLE_MACHINES_ANNOTATION: string = 'hypershift.openshift.io/disable-machine-management';
/** Names of workloads, separated by commas, that are scaled to zero. */
export const DEBUG_DEPLOYMENTS_ANNOTATION: string = 'hypershift.openshift.io/debug-deployments';
/** `true`: what the hosted cluster created in its cloud is deleted before the control plane is. */
export const CLEANUP_ANNOTATION: string = 'hypershift.openshift.io/cleanup-cloud-resources';
/** On a Node: the release it is to run. */
export const DESIRED_RELEASE_ANNOTATION: string = 'hypershift.openshift.io/desired-release';
/** On a MachineSet or MachineDeployment: the configuration that its machines have, and the one they are to have. */
export const CURRENT_CONFIG_ANNOTATION: string = 'hypershift.openshift.io/nodePoolCurrentConfigVersion';
export const TARGET_CONFIG_ANNOTATION: string = 'hypershift.openshift.io/nodePoolTargetConfigVersion';
export const MAX_UNAVAILABLE_ANNOTATION: string = 'hypershift.openshift.io/nodePoolMaxUnavailable';
/** On a Machine: the release that its node runs. */
export const RELEASE_VERSION_ANNOTATION: string = 'hypershift.openshift.io/release-version';
/** On a token Secret: an instance has fetched its configuration with it. */
export const IGNITION_REACHED_ANNOTATION: string = 'hypershift.openshift.io/ignition-reached';
/** Marks a token Secret. */
export const IGNITION_CONFIG_ANNOTATION: string = 'hypershift.openshift.io/ignition-config';
/** Images of single components that the user of a HostedCluster may replace. */
export const CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION: string = 'hypershift.openshift.io/control-plane-operator-image';
export const CLUSTER_API_IMAGE_ANNOTATION: string = 'hypershift.openshift.io/capi-manager-image';
export const CLUSTER_AUTOSCALER_IMAGE_ANNOTATION: string = 'hypershift.openshift.io/cluster-autoscaler-image';
export const MACHINE_APPROVER_IMAGE_ANNOTATION: string = 'hypershift.openshift.io/machine-approver-image';

/** Priority classes of the pods of a control plane: of most, of kube-apiserver, and of etcd. */
export const PRIORITY_CLASS_ANNOTATION: string = 'hypershift.openshift.io/control-plane-priority-class';
export const API_PRIORITY_CLASS_ANNOTATION: string = 'hypershift.openshift.io/api-critical-priority-class';
export const ETCD_PRIORITY_CLASS_ANNOTATION: string = 'hypershift.openshift.io/etcd-priority-class';
/** Taints of nodes of the management cluster: reserved for control planes, and for the one whose namespace is the value. */
export const CONTROL_PLANE_TAINT = 'hypershift.openshift.io/control-plane';
export const CLUSTER_TAINT = 'hypershift.openshift.io/cluster';

/** Labels and annotations of Cluster API. */
export const CLUSTER_NAME_LABEL = 'cluster.x-k8s.io/cluster-name';
export const EXTERNALLY_MANAGED_ANNOTATION = 'cluster.x-k8s.io/managed-by';
export const PAUSED_ANNOTATION = 'cluster.x-k8s.io/paused';
