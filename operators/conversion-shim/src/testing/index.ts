/** For tests and benchmarks; no program loads it. */
export { instantShim } from './instant-shim.js';
export type { Answer } from './instant-shim.js';
export { convertedBy, reviewOf } from './reviews.js';
