/** Converts private kinds with the converters of the standard ones. */
export { readDelegates } from './delegates/delegate.js';
export type { Delegate } from './delegates/delegate.js';
export { BadConfiguration } from './errors.js';
export { DEFAULT_LIMITS } from './limits.js';
export type { ShimLimits } from './limits.js';
export { ShimMetrics } from './metrics.js';
export { buildShim, startShim } from './shim.js';
export type { RunningShim, Shim, ShimOptions } from './shim.js';
