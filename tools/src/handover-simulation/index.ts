export { isGone, SET, SyncFixture } from './cluster.js';
export type { SyncOptions } from './cluster.js';
export { OPERATOR } from './processes.js';
export type { ProcessSettings } from './processes.js';
export { SECRETS, syncSnapshot } from './snapshot.js';
export { drawnFaults, tryHandover } from './run.js';
export type { HandoverResult, HandoverStart, HandoverTrial } from './run.js';
export { HANDOVERS } from './variants.js';
export type { HandoverVariant } from './variants.js';
