/** The operators of hosted clusters as objects to install. */
export {
  CAPI_TYPES_LABEL,
  LEASE,
  LEGACY_OPERATOR_NAME,
  OPERATOR_NAME,
  PRIVATE_LEASE,
  PRIVATE_NAMESPACE_LABEL,
  shardLease,
} from '../names.js';
export { privateTypesGuard } from './guard.js';
export { GUARD_NAME, operatorName, servingSecretOf } from './names.js';
export type { OperatorMode } from './names.js';
export { operatorManifests, priorityClasses } from './operator.js';
export type { OperatorManifestOptions } from './operator.js';
export { platformGroups } from './rules.js';
export { recordOf, VERSION_ANNOTATION } from '../private-crds/record.js';
