/** HostedCluster and NodePool: hosted clusters on a management cluster. */
export { addNodePoolController } from './node-pool/controller.js';
export type { NodePoolParts } from './node-pool/parts.js';
