/** The operators of hosted clusters as objects to install. */
export { privateTypesGuard } from './guard.js';
export {
  CAPI_TYPES_LABEL,
  GUARD_NAME,
  LEGACY_OPERATOR_NAME,
  OPERATOR_NAME,
  operatorName,
  PRIVATE_NAMESPACE_LABEL,
  servingSecretOf,
} from './names.js';
export type { OperatorMode } from './names.js';
export { operatorManifests, priorityClasses } from './operator.js';
export type { OperatorManifestOptions } from './operator.js';
export { platformGroups } from './rules.js';
