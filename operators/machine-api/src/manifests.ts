/** What the operator is installed with. */
export { autoscalerAccounts, DEFAULT_NAMESPACES, exemptAccounts, PROGRAM_NAME } from './admission/accounts.js';
export type { ExemptAccount, Namespaces } from './admission/accounts.js';
export { admissionPolicies, MIRRORED, POLICY_PREFIX } from './admission/policies.js';
export type { MirroredPlural, PolicyOptions } from './admission/policies.js';
