/** For tests and benchmarks; no program loads it. */
export { reconcileHostedCluster } from '../hosted-cluster/reconcile.js';
export type { HostedClusterDependencies } from '../hosted-cluster/state.js';
export { fakeReleases } from './fake-releases.js';
export type { FakeReleases } from './fake-releases.js';
export { Turns } from '../turns/turns.js';
export { sidecarInjection } from '../sidecar/injection.js';
export { renewCertificates } from '../certificates.js';
