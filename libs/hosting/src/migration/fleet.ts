/** The ConfigMap in the namespace of the operator by which users hold the migration of a fleet, and order it. */
export const FLEET_CONFIG_MAP = 'private-capi-migration-fleet';
/** Values of `hold` in it: no further cluster is migrated, or one more and then none. */
export const HELD = 'true';
export const HELD_AFTER_NEXT = 'after-next';
/** Deployments that read Cluster API on the management cluster: those of the operator of hosted clusters. */
export const OPERATOR_DEPLOYMENTS: readonly string[] = ['control-plane-operator', 'cluster-api', 'capi-provider'];
/** Those of the control plane operator, to which it adds sidecars itself. */
export const CONTROL_PLANE_DEPLOYMENTS: readonly string[] = [
  'cluster-autoscaler',
  'machine-approver',
  'hosted-cluster-config-operator',
  'karpenter-operator',
];
