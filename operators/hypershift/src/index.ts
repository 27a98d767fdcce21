/** HostedCluster and NodePool: hosted clusters on a management cluster. */
export { HYPERSHIFT_FLAGS, LEASE } from './config.js';
export type { HypershiftSettings } from './config.js';
export { addHostedClusterController } from './hosted-cluster/controller.js';
export type { HostedClusterControllerOptions } from './hosted-cluster/controller.js';
export { hypershiftOperator } from './operator.js';
export type { HypershiftOptions } from './operator.js';
export { CACHE } from './selections.js';
export { nodePoolWebhookConfiguration } from './node-pool/admission/manifests.js';
export type { WebhookPlace } from './node-pool/admission/manifests.js';
export { addNodePoolController } from './node-pool/controller.js';
export type { NodePoolControllerOptions } from './node-pool/dependencies.js';
export { registerHostedClusterMetrics } from './metrics/hosted-clusters.js';
export type { HostedClusterSource } from './metrics/hosted-clusters.js';
export { NodePoolMetrics } from './metrics/node-pools.js';
export type { NodePoolSource } from './metrics/node-pools.js';
