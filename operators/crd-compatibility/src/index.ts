/** Refuses changes of custom resource definitions that would break those who stated what they need. */
export { buildChecker } from './checker.js';
export type { Checker, CheckerOptions } from './checker.js';
export { CHECKER_FLAGS } from './config.js';
export { DEFINITIONS, REQUIREMENTS, VALIDATING_WEBHOOKS } from './kinds.js';
export { CheckerMetrics } from './metrics.js';
export { crdCompatibilityOperator } from './operator.js';
