export {
  AWS_CLUSTERS,
  AWS_MACHINES,
  AWS_TEMPLATES,
  CLUSTER,
  INFRASTRUCTURES,
  isGone,
  SECRETS,
  SyncFixture,
  syncSnapshot,
} from './cluster.js';
export { drawnFaults, tryHandover } from './run.js';
export type { HandoverResult, HandoverStart, HandoverTrial } from './run.js';
export { HANDOVERS } from './variants.js';
export type { HandoverVariant } from './variants.js';
