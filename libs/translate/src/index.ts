/** Renames API groups wherever Kubernetes carries one. */
export { TranslationError } from './errors.js';
export type { TranslationErrorCode } from './errors.js';
export { CLUSTER_API_RULES, GroupMapping } from './groups/mapping.js';
export type { Side } from './groups/mapping.js';
export type { GroupRule, GroupRules } from './groups/rules.js';
