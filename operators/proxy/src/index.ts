/** Shows private API groups under their standard names. */
export { mappingFrom, proxyOptionsFrom } from './config.js';
export type { Listen, ProxyFlags, ProxyNetwork, ProxyOptions } from './config.js';
export { ProxyError } from './errors.js';
export type { ProxyErrorCode } from './errors.js';
export { startProxy } from './main.js';
export type { RunningProxy } from './main.js';
export { ProxyMetrics } from './metrics.js';
