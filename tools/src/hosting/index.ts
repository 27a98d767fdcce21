export { installDefinitions } from './definitions.js';
export { clusterObjects, HOME, poolObject } from './objects.js';
export { applyAll, hostedSnapshot, hostedSimulation, hostIn, prepare } from './fixture.js';
export type { Hosted } from './fixture.js';
