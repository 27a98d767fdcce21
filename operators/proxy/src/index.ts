export { ProxyMetrics, proxyMetricDeclarations } from './metrics.js';
export type { TranslationErrorType } from './metrics.js';
