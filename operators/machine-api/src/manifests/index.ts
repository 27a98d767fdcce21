/** What the operator is installed with. */
export { autoscalerAccounts, DEFAULT_NAMESPACES, exemptAccounts, PROGRAM_NAME } from '../admission/accounts.js';
export type { ExemptAccount, Namespaces } from '../admission/accounts.js';
export { admissionPolicies } from '../admission/policies.js';
export { POLICY_PREFIX } from '../admission/policy.js';
export { MAPI_MACHINE_SETS, MAPI_MACHINES } from '../kinds.js';
export { SYNC_FINALIZER } from '../names.js';
export { MIRRORED, mirroredKinds } from '../served.js';
export type { MirroredPlural } from '../served.js';
export type { PolicyOptions } from '../admission/policies.js';
export { machineApiGuards, machineApiManifests } from './program.js';
export type { MachineApiManifestOptions } from './program.js';
