/** Machine API and Cluster API kept in step, and the handover of authority between them. */
export { MACHINE_API_FLAGS } from './config.js';
export {
  CAPI_HEALTH_CHECKS,
  CAPI_MACHINE_SETS,
  CAPI_MACHINES,
  CLUSTERS,
  CONTROL_PLANE_MACHINE_SETS,
  INFRASTRUCTURES,
  MAPI_HEALTH_CHECKS,
  MAPI_MACHINE_SETS,
  MAPI_MACHINES,
} from './kinds.js';
export {
  CLUSTER_API_FINALIZER,
  CLUSTER_API_NAMESPACE,
  CLUSTER_API_SET_FINALIZER,
  FEATURE_GATE,
  MACHINE_API_FINALIZER,
  MACHINE_API_NAMESPACE,
  MIGRATION_CONTROLLER,
  SYNC_CONTROLLER,
  SYNC_FINALIZER,
} from './names.js';
export { creationOf, firstDifference, readyStatus } from './new-cluster/existing.js';
export { planNewCluster } from './new-cluster/plan.js';
export type { NewCluster, NewClusterInputs } from './new-cluster/plan.js';
export { machineApiSyncOperator } from './operator.js';
export type { MachineApiOptions } from './operator.js';
export { definitionOf, fieldsAt } from './served.js';
export { HANDOVER, PAUSED, SYNCHRONIZED } from './shared/conditions.js';
export { HANDOVER_REASONS } from './handover/reasons.js';
export { REASONS } from './resource/reasons.js';
export { machineApiMetrics } from './metrics/metrics.js';
export type { MetricSource } from './metrics/metrics.js';
