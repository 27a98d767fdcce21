/** Hosted clusters, as all operators that share them understand them. */
export {
  API_PRIORITY_CLASS_ANNOTATION,
  CLEANUP_ANNOTATION,
  CLUSTER_ANNOTATION,
  CLUSTER_API_IMAGE_ANNOTATION,
  CLUSTER_AUTOSCALER_IMAGE_ANNOTATION,
  CLUSTER_NAME_LABEL,
  CLUSTER_TAINT,
  COMPONENT_FINALIZER,
  COMPONENT_LABEL,
  CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION,
  CONTROL_PLANE_TAINT,
  CURRENT_CONFIG_ANNOTATION,
  DEBUG_DEPLOYMENTS_ANNOTATION,
  DESIRED_RELEASE_ANNOTATION,
  DISABLE_AUTOSCALER_ANNOTATION,
  DISABLE_MACHINES_ANNOTATION,
  ETCD_PRIORITY_CLASS_ANNOTATION,
  EXTERNALLY_MANAGED_ANNOTATION,
  FINALIZER,
  HOSTED_CONTROL_PLANE_LABEL,
  IGNITION_CONFIG_ANNOTATION,
  IGNITION_REACHED_ANNOTATION,
  MACHINE_APPROVER_IMAGE_ANNOTATION,
  MANAGED_BY_LABEL,
  MANAGEMENT_ACCESS_LABEL,
  MAX_UNAVAILABLE_ANNOTATION,
  NODE_POOL_ANNOTATION,
  PAUSED_ANNOTATION,
  PRIORITY_CLASS_ANNOTATION,
  RELEASE_IMAGE_ANNOTATION,
  RELEASE_VERSION_ANNOTATION,
  RESTART_ANNOTATION,
  TARGET_CONFIG_ANNOTATION,
} from './annotations/shared.js';
export {
  DESTROY_GRACE_ANNOTATION,
  FORCE_UPGRADE_ANNOTATION,
  HAS_BEEN_AVAILABLE_ANNOTATION,
  KEEP_NAMESPACE_ANNOTATION,
  MIRRORED_ANNOTATIONS,
  MIRRORED_PREFIXES,
  PASSED_RESTART_ANNOTATION,
  POD_SECURITY_ANNOTATION,
  SCOPE_ANNOTATION,
  SKIP_RELEASE_VALIDATION_ANNOTATION,
} from './annotations/hosted-clusters.js';
export {
  AUTOSCALER_MAX_ANNOTATION,
  AUTOSCALER_MIN_ANNOTATION,
  CAPACITY_CPU_ANNOTATION,
  CAPACITY_GPU_ANNOTATION,
  CAPACITY_LABELS_ANNOTATION,
  CAPACITY_MEMORY_ANNOTATION,
  CAPACITY_TAINTS_ANNOTATION,
  CORE_CONFIG_LABEL,
  CURRENT_CONFIG_ONLY_ANNOTATION,
  DRAIN_BLOCKED_ANNOTATION,
  HEALTH_MAX_UNHEALTHY_ANNOTATION,
  HEALTH_STARTUP_ANNOTATION,
  HEALTH_TIMEOUT_ANNOTATION,
  INTERRUPTIBLE_LABEL,
  MACHINE_TEMPLATE_ANNOTATION,
  MACHINE_TEMPLATE_SPEC_ANNOTATION,
  MANAGED_LABEL_PREFIX,
  PERFORMANCE_PROFILE_LABEL,
  TAINTS_ANNOTATION,
  TOKEN_EXPIRATION_ANNOTATION,
  TOKEN_TIME_ANNOTATION,
  TUNED_LABEL,
  TUNING_GENERATED_LABEL,
  UPGRADE_FAILURE_ANNOTATION,
  UPGRADE_PROGRESS_ANNOTATION,
  UPGRADE_TYPE_ANNOTATION,
} from './annotations/node-pools.js';
export {
  KEEP_UNTIL_ANNOTATION,
  LEGACY_SCOPE,
  MIGRATION_BASELINE,
  MIGRATION_COPIED_ANNOTATION,
  MIGRATION_COPIES,
  MIGRATION_ENDED_ANNOTATION,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_FAILURE_ANNOTATION,
  MIGRATION_IN_PROGRESS_ANNOTATION,
  MIGRATION_JOURNAL_ANNOTATION,
  MIGRATION_OPERATOR_IMAGE_ANNOTATION,
  MIGRATION_PAUSED_ANNOTATION,
  MIGRATION_REPLICAS_ANNOTATION,
  PRIVATE_CAPI_TYPES_ANNOTATION,
  PRIVATE_CAPI_TYPES_ENV,
  PRIVATE_CAPI_TYPES_LABEL,
  PROXY_IMAGE_ENV,
  PROXY_NATIVE_ENV,
} from './annotations/migration.js';
export { conditionsOf, LEGACY_VERSION_CONDITION } from './conditions/conditions.js';
export { ALL_IS_WELL, NODE_POOL_CONDITIONS, NODE_POOL_REASONS } from './conditions/node-pool.js';
export type { NodePoolConditionType } from './conditions/node-pool.js';
export { newComplaints } from './conditions/complaints.js';
export type { Complaint } from './conditions/complaints.js';
export { endpointText, publishedEndpoint, publishingOf, routedEndpoint } from './endpoints.js';
export type { Endpoint, PublishedEndpoint, PublishedServiceName, Publishing } from './endpoints.js';
export {
  CLUSTERS,
  CONTROL_PLANE_COMPONENTS,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  MACHINE_DEPLOYMENTS,
  MACHINE_HEALTH_CHECKS,
  MACHINE_SETS,
  MACHINES,
  NODE_POOLS,
} from './kinds.js';
export { boundedName, controlPlaneNamespace, hashBytes } from './names.js';
export { nodePoolPause, nodePoolReconciliationActive } from './pause/node-pool.js';
export type { PausablePool } from './pause/node-pool.js';
export { INVALID_PAUSE_REASON, pauseOf, reconciliationActive } from './pause/pause.js';
export type { Pause } from './pause/pause.js';
export { placeProblems } from './places.js';
export type { ClusterPlace } from './places.js';
export type { Problem } from './problem.js';
export {
  checkReleases,
  isRunning,
  payloadArch,
  releaseImages,
  runningVersion,
  upgradeProblem,
} from './releases/choice.js';
export type { ReleaseVerdict } from './releases/choice.js';
export { releaseRetryMs } from './releases/lookup.js';
export type { ReleaseLookup } from './releases/lookup.js';
export { ReleaseLookups } from './releases/lookups.js';
export { PinnedReleases } from './releases/pinned.js';
export { cpoSupport } from './releases/private-types.js';
export { allowedVersions, completedVersion } from './releases/skew.js';
export { isAtLeastMinor, nodePoolVersionProblem, versionProblem } from './releases/versions.js';
export type { ReleaseChoice } from './releases/versions.js';
export {
  acknowledgedLock,
  acknowledgement,
  controlPlaneLock,
  MIGRATION_IN_PROGRESS_REASON,
} from './migration/acknowledge.js';
export {
  CONTROL_PLANE_DEPLOYMENTS,
  FLEET_CONFIG_MAP,
  HELD,
  HELD_AFTER_NEXT,
  OPERATOR_DEPLOYMENTS,
} from './migration/fleet.js';
export {
  MIGRATION_CONDITION,
  MIGRATION_REASONS,
  migrationCondition,
  readStep,
  stepText,
  wasMigrated,
} from './migration/progress.js';
export type { ReportedStep } from './migration/progress.js';
export {
  annotated,
  committed,
  FOREIGN_LOCK,
  ineligibility,
  isPrivate,
  lockOf,
  MANUAL_ROLLBACK,
  phaseOf,
  reverted,
  rollbackOf,
  withLock,
  withoutLock,
  withRollback,
} from './migration/lock.js';
export { endOf, withEnd, withoutEnd } from './migration/ended.js';
export type { EndedMigration } from './migration/ended.js';
export type { Journal, Lock, Phase, RollbackCause } from './migration/lock.js';
export { clusterKeyOf, clusterOf, nodePoolOf } from './scope/owner.js';
export type { ObjectName } from './scope/owner.js';
export { correctionOf, isInBothGroups, reconcilerOf } from './scope/reconciler.js';
export type { AnnotationChanges, CapiEvidence, Correction, OneOperator, Reconciler } from './scope/reconciler.js';
export { isInScope } from './scope/scope.js';
export { isOwn, turnOf } from './scope/turn.js';
export type { OperatorMode, Turn } from './scope/turn.js';
export { ACCOUNT_UID_ANNOTATION, accountUid } from './workloads/accounts.js';
export { firstStatusDueMs } from './workloads/components.js';
export { availabilityOf, isRolledOut, ROLLOUT_STUCK_REASON, rolloutOf } from './workloads/rollout.js';
export type { Workload, WorkloadFinding } from './workloads/rollout.js';
