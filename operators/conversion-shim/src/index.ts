export { ShimMetrics } from './metrics.js';
export type { AnsweredReview } from './metrics.js';
