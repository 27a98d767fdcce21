/** A proxy as a container beside others. */
export { mappingFrom } from '../config.js';
export { sidecarPatch, takesSidecar, withSidecar } from './inject.js';
export type { InjectOptions } from './inject.js';
export { isRole, privateRole } from './roles.js';
export { proxySidecar, SIDECAR_NAME } from './sidecar.js';
export type { Sidecar, SidecarOptions, SidecarPort } from './sidecar.js';
