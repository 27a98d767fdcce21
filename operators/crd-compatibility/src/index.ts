/** Refuses changes of custom resource definitions that would break those who stated what they need. */
export { buildChecker } from './checker.js';
export type { Checker, CheckerOptions } from './checker.js';
export { settingsFrom } from './config.js';
export type { CheckerSettings } from './config.js';
export type { Verdict } from './definitions/decide.js';
export { checkWrite, refusalOf } from './definitions/check.js';
export { DEFINITIONS, REQUIREMENTS, VALIDATING_WEBHOOKS } from './kinds.js';
export { CheckerMetrics } from './metrics.js';
export { crdCompatibilityOperator } from './operator.js';
export { requirementText } from './requirement-cache/owner.js';
export { readRequiredCrd, readRequirement } from './requirement-cache/read.js';
export type { Reading, ReadRequirement } from './requirement-cache/read.js';
export { serverRelease } from './server-release.js';
