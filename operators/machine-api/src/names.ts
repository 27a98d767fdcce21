/** Names that both controllers and their manifests use. */

export const MACHINE_API_NAMESPACE = 'openshift-machine-api';
export const CLUSTER_API_NAMESPACE = 'openshift-cluster-api';

/** The feature gate without which nothing is done. */
export const FEATURE_GATE = 'MachineAPIMigration';

/** The controllers of the specification, as events and log lines name them. */
export const SYNC_CONTROLLER = 'machine-api-sync-controller';
export const MIGRATION_CONTROLLER = 'machine-api-migration-controller';
/** Copies user data and credentials. */
export const SECRET_CONTROLLER = 'machine-api-secret-controller';
/** Completes health checks of Cluster API. */
export const HEALTH_CONTROLLER = 'machine-api-health-controller';

/** On every object that has a counterpart: nothing of a pair is deleted without the other. */
export const SYNC_FINALIZER = 'sync.machine.openshift.io/finalizer';
/** Finalizers of the machine controllers, moved with the authority. */
export const MACHINE_API_FINALIZER = 'machine.machine.openshift.io';
export const CLUSTER_API_FINALIZER = 'machine.cluster.x-k8s.io';
export const CLUSTER_API_SET_FINALIZER = 'cluster.x-k8s.io/machineset';
/** On a ControlPlaneMachineSet in either namespace: its operator lets the machines go before the set ends. */
export const CONTROL_PLANE_FINALIZER = 'controlplanemachineset.machine.openshift.io';
