/** Machines in Machine API and in Cluster API: what is the same on every platform, and what a platform has to say. */
export type {
  CredentialsCopy,
  Equivalence,
  FailureDomainConversion,
  HostKind,
  MachineContext,
  MachinePlatform,
  MachineRule,
  MachineTraits,
  NodePropagation,
  PlatformKind,
  ProviderSpecProblem,
  RefusedPlatform,
  TypedRecord,
} from './platform.js';
export { ClusterFacts } from './cluster-facts.js';
export type { MasterFacts, NewInfrastructureCluster } from './cluster-facts.js';
export { stateWarnings } from './state-warnings.js';
export { nodePropagationOf, nodePropagationOfManager } from './node-propagation.js';
export { creationCondition } from './creation-condition.js';
export { apiVersionOf, providerFields, providerMap, specFields } from './provider-rules.js';
export { distinctTexts, oncePer, textMap, textOf, textProblem, wholeNumber } from './forms.js';
export type { TextForm } from './forms.js';
export {
  credentials,
  fromProviderId,
  machineParts,
  noMetadata,
  ofCluster,
  providerIdOf,
  sameProviderId,
  secretNamespace,
} from './rules.js';
export type { ClusterValue, MachineParts, ProviderIdForm } from './rules.js';
export {
  fixed,
  flag,
  numberBetween,
  oneOf,
  optionalFlag,
  optionalNumber,
  optionalText,
  refused,
  requiredText,
  isZeroValue,
  text,
  textList,
  translated,
  userData,
} from './values.js';
export {
  MachineConverter,
  healthCheckToClusterApi,
  healthCheckToMachineApi,
  objectName,
  providerSpecIn,
} from './converter.js';
export { CLUSTER_API_MEMBER, MACHINE_API_MEMBER, controlPlaneSide } from './control-plane.js';
export { controlPlaneStatus } from './control-plane-status.js';
export { healthCheckMap } from './health-check.js';
export { machineMap } from './machine.js';
export { machineSetMap } from './machine-set.js';
export { controlPlaneMap } from './control-plane.js';
export { KEPT_ANNOTATION, PAUSED_ANNOTATION, PAUSED_AS_COPY } from './names.js';
export type { ClusterApiParts, Conversion, ConversionIssue, ObjectName } from './converter.js';
export {
  StatusConverter,
  checkStatus,
  checkStatusToClusterApi,
  setStatusToClusterApi,
  setStatusToMachineApi,
} from './status.js';
export type { ConvertedStatus, MachineStatuses } from './status.js';
export { absentMeans, integerBetween } from './meanings.js';
export type { AbsentMeaning } from './meanings.js';
export { joint } from './joint.js';
export type { JointFields, Reading } from './joint.js';
export { runsControlPlane } from './runs-control-plane.js';
export { wholeFields } from './whole-fields.js';
export type { ConvertedKind } from './whole-fields.js';
export type { MachineKind } from './converter.js';
export { CounterpartComparison } from './counterpart/comparison.js';
export type { ComparedWith, SchemaLookup } from './counterpart/comparison.js';
export { differencesOf } from './counterpart/differences.js';
export type { Difference } from './counterpart/differences.js';
export { mergeStatus } from './counterpart/merge-status.js';
export type { StatusMerge } from './counterpart/merge-status.js';
export { keepInstanceValues } from './counterpart/instance-values.js';
export { retainOf } from './counterpart/retained.js';
export type { RetainOptions, Retained } from './counterpart/retained.js';
export type { MachineOwners, Owner } from './owners.js';
