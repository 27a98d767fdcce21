/** The operators of a hosted control plane: the one that creates it, and the one that reconciles the inside of its cluster. */
export { COMPONENTS } from './component/catalogue/components.js';
export type { ComponentDefinition, ComponentInputs } from './component/definition.js';
export { releaseImages } from './component/selection.js';
export { configOperator } from './config-operator/operator.js';
export { componentVersions } from './control-plane-version/components.js';
export type { KnownComponents } from './control-plane-version/components.js';
export { controlPlaneVersion } from './control-plane-version/compute.js';
export type { ComponentVersion, VersionInputs } from './control-plane-version/compute.js';
export { ControlPlaneError } from './errors.js';
export type { ControlPlaneErrorReason } from './errors.js';
export { controlPlaneOperator } from './operator.js';
export type { ControlPlaneOptions } from './operator.js';
export type { Settings } from './settings.js';
