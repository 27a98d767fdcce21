/** Installs the platform's Cluster API CRDs, or states what it needs of those it does not manage. */
export { CAPI_OPERATOR_FLAGS } from './config.js';
export { CapiMetrics } from './cluster-api/metrics.js';
export { capiOperator } from './operator.js';
export { readTransport } from './transport/read.js';
