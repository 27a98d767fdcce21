export { installDefinitions } from './definitions.js';
export { clusterObjects, HOME, poolObject } from './objects.js';
export { applyAll, hostedSnapshot, hostedSimulation, hostIn, prepare } from './fixture.js';
export type { Hosted } from './fixture.js';
export {
  CLUSTER_API_MAPPING,
  installPrivateKinds,
  LEGACY_OPERATOR,
  PRIVATE_OPERATOR,
  privateSnapshot,
  throughProxy,
} from './private.js';
