/** The API proxy as a sidecar: what a pod needs for its containers to reach private groups under standard names. */
export { SidecarError } from './errors.js';
export type { SidecarErrorCode } from './errors.js';
export { sidecarPatch, takesSidecar, withSidecar } from './inject.js';
export type { InjectOptions } from './inject.js';
export { isRole, privateRole } from './roles.js';
export { proxySidecar, SIDECAR_KUBECONFIG, SIDECAR_NAME } from './sidecar.js';
export type { Sidecar, SidecarOptions, SidecarPort } from './sidecar.js';
