export { buildRealKube } from './build.js';
export type { BuildOptions } from './build.js';
export { explainMissingRealKube, locateRealKube } from './locate.js';
export type { LocateOptions, RealKubeAssets } from './locate.js';
export { startRealKube } from './start.js';
export type { RealKube, StartOptions } from './start.js';
export { ETCD_VERSION, KUBECTL_VERSION, KUBE_VERSIONS } from './versions.js';
export type { KubeVersion } from './versions.js';
