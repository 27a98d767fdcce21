export { installDefinitions } from './definitions.js';
export { clusterObjects, HOME, poolObject } from './objects.js';
export { applyAll, hostedSnapshot, hostedWorld, hostIn, prepare } from './stage.js';
export type { Hosted } from './stage.js';
