/** What the core may ask of a platform. */
export { listed } from './hosting/create.js';
export type { CreateFlag, CreateOptions, CreateRequest, CreatedCluster, CreatePublishing } from './hosting/create.js';
export { GUEST_KUBECONFIG, platformFieldManager } from './hosting/platform.js';
export type {
  ComponentContainer,
  HostingPlatform,
  ImageSource,
  InfrastructureCluster,
  MachineCapacity,
  MachineTemplate,
  NamedBy,
  NodePoolRules,
  PlatformComponent,
  PolicyRule,
  ProviderContainer,
  ProviderProgram,
} from './hosting/platform.js';
export { HostingPlatforms } from './hosting/registry.js';
export { bootImagesOf, fieldAt, textAt } from './hosting/boot-images.js';
export { copiedSecret, opaqueSecret, secretText } from './hosting/secrets.js';
export { said } from './hosting/said.js';
export { isAtLeast } from './hosting/versions.js';
export { hasSettings, missingSettings, settingsOf } from './hosting/settings.js';
export type { OfPlatform } from './hosting/settings.js';
export type {
  ControlPlaneInputs,
  HostedClusterInputs,
  NodePoolInputs,
  Problem,
  ReleaseView,
} from './hosting/inputs.js';
export { ACCOUNT_UID_ANNOTATION, accountUid } from './vocabulary/accounts.js';
export {
  CLEANUP_ANNOTATION,
  CLUSTER_ANNOTATION,
  CLUSTER_NAME_LABEL,
  COMPONENT_FINALIZER,
  COMPONENT_LABEL,
  CURRENT_CONFIG_ANNOTATION,
  DEBUG_DEPLOYMENTS_ANNOTATION,
  DESIRED_RELEASE_ANNOTATION,
  DISABLE_AUTOSCALER_ANNOTATION,
  DISABLE_MACHINES_ANNOTATION,
  EXTERNALLY_MANAGED_ANNOTATION,
  FINALIZER,
  HOSTED_CONTROL_PLANE_LABEL,
  IGNITION_CONFIG_ANNOTATION,
  IGNITION_REACHED_ANNOTATION,
  MANAGED_BY_LABEL,
  MANAGEMENT_ACCESS_LABEL,
  MAX_UNAVAILABLE_ANNOTATION,
  NODE_POOL_ANNOTATION,
  PAUSED_ANNOTATION,
  RELEASE_IMAGE_ANNOTATION,
  RELEASE_VERSION_ANNOTATION,
  RESTART_ANNOTATION,
  TARGET_CONFIG_ANNOTATION,
} from './vocabulary/annotations.js';
export { BYGONE_VERSION_CONDITION } from './vocabulary/conditions.js';
export { endpointText, publishedEndpoint, publishingOf, routedEndpoint } from './vocabulary/endpoints.js';
export type { Endpoint, PublishedEndpoint, PublishedServiceName, Publishing } from './vocabulary/endpoints.js';
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
} from './vocabulary/kinds.js';
export { componentTokenMinter, programTokenMinter, TOKEN_FOLDER } from './hosting/token-minter.js';
export type { MintedFor } from './hosting/token-minter.js';
export { firstStatusDueMs } from './vocabulary/components.js';
export { availabilityOf, isRolledOut, ROLLOUT_STUCK_REASON, rolloutOf } from './vocabulary/rollout.js';
export type { Workload, WorkloadFinding } from './vocabulary/rollout.js';
export { boundedName, controlPlaneNamespace, hashBytes } from './vocabulary/names.js';
export { pauseOf, reconciliationActive } from './vocabulary/pause.js';
export type { Pause } from './vocabulary/pause.js';
export { placeProblems } from './vocabulary/places.js';
export type { ClusterPlace } from './vocabulary/places.js';
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
  MANAGED_LABEL_PREFIX,
  PERFORMANCE_PROFILE_LABEL,
  SKIP_RELEASE_VALIDATION_ANNOTATION,
  TAINTS_ANNOTATION,
  TOKEN_EXPIRATION_ANNOTATION,
  TOKEN_TIME_ANNOTATION,
  TUNED_LABEL,
  TUNING_GENERATED_LABEL,
  UPGRADE_FAILURE_ANNOTATION,
  UPGRADE_PROGRESS_ANNOTATION,
  UPGRADE_TYPE_ANNOTATION,
} from './vocabulary/node-pools.js';
export { ConversionPlatforms } from './conversion/registry.js';
export type { ConversionPlatform } from './conversion/registry.js';
