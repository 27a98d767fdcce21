/** Machines in Machine API and in Cluster API: what is the same on every platform, and what a platform has to say. */
export type {
  Equivalence,
  FailureDomainConversion,
  MachineContext,
  MachinePlatform,
  MachineRule,
  MachineTraits,
  PlatformKind,
  ProviderSpecProblem,
  RefusedPlatform,
  TypedRecord,
} from './platform.js';
export { apiVersionOf, providerFields, providerMap, specFields } from './provider-rules.js';
export {
  credentials,
  fromProviderId,
  machineParts,
  ofCluster,
  optionalFlag,
  optionalNumber,
  optionalText,
  providerIdOf,
  userData,
} from './rules.js';
export type { ClusterValue, MachineParts } from './rules.js';
export {
  MachineConverter,
  healthCheckToClusterApi,
  healthCheckToMachineApi,
  objectName,
  providerSpecIn,
} from './converter.js';
export { CLUSTER_API_MEMBER, MACHINE_API_MEMBER } from './control-plane.js';
export { healthCheckMap } from './health-check.js';
export { machineMap } from './machine.js';
export { machineSetMap } from './machine-set.js';
export { controlPlaneMap } from './control-plane.js';
export { KEPT_ANNOTATION } from './names.js';
export type { ClusterApiParts, Conversion, ConversionIssue, ObjectName } from './converter.js';
