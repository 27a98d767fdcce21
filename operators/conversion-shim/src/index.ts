export { ShimMetrics, shimMetricDeclarations } from './metrics.js';
export type { AnsweredReview, ConversionErrorType } from './metrics.js';
