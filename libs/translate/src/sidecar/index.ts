/** The API proxy as a sidecar: what a pod needs for its containers to reach private groups under standard names. */
export { addSidecar } from './add.js';
export type { AddOptions } from './add.js';
export { COMPONENTS } from './components.js';
export type { ComponentAccess, ComponentName } from './components.js';
export { SidecarError } from './errors.js';
export type { SidecarErrorCode } from './errors.js';
export { proxyHealthPort, proxyNetworkPolicy, proxyPodMonitor } from './monitor.js';
export type { NetworkPolicyOptions, PodMonitorOptions } from './monitor.js';
export type { PodSpec, PodTemplate } from './pod.js';
export { RECORD_ANNOTATION } from './record.js';
export { removeSidecar } from './remove.js';
export { isRole, privateRole } from './roles.js';
export { hasNativeSidecars, proxySidecar, SIDECAR_KUBECONFIG, SIDECAR_NAME } from './sidecar.js';
export type { Sidecar, SidecarOptions, SidecarPort } from './sidecar.js';
export { sidecarPatch, takesSidecar, withoutSidecar, withSidecar } from './workload.js';
