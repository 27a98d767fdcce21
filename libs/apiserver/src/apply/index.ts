/** Server-side apply and managed fields: a pure engine, without clock, store or transport. */
export { managedFieldsAfterAdmission, managedFieldsProblem } from './admission.js';
export { atomicType, deducedType, listType, mapType, scalarType } from './apply-type.js';
export type { ApplyField, ApplyList, ApplyMap, ApplyType, ScalarKind } from './apply-type.js';
export { compareValues, isSame } from './compare.js';
export type { Comparison } from './compare.js';
export { ConversionFailed } from './conversion-failed.js';
export { ANY_ELEMENT, excludeFields, includeFields } from './field-filter.js';
export type { FieldFilter } from './field-filter.js';
export { applyPatch, trackUpdate } from './field-manager.js';
export type { ApplyRequest, ApplyResult, TrackedUpdate } from './field-manager.js';
export { EMPTY_SET, FieldSet } from './field-node.js';
export {
  difference,
  equalSets,
  forEachPath,
  hasPath,
  intersection,
  isEmptySet,
  isSubset,
  leaves,
  pathText,
  recursiveDifference,
  setOfPaths,
  union,
} from './field-set.js';
export { fieldSetOf } from './field-set-of.js';
export { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.js';
export { ManagedFieldsError, decodeManaged, encodeManaged } from './managed.js';
export type { ManagerIdentity, ManagerOperation, ManagerState, ManagerTable } from './managed.js';
export { managerOrUserAgent } from './manager-name.js';
export { mergeValues } from './merge.js';
export { fieldElement, keyElement, valueElement } from './path-element.js';
export { extractItems, removeItems } from './remove.js';
export { builtinFieldFilter, customFieldFilter } from './reset-fields.js';
export { managersAfterScale, managersOfScale } from './scale-managers.js';
export type { ReplicasPaths } from './scale-managers.js';
export { applyTypeOfSchema } from './schema-type.js';
export type { ApplySchema } from './schema-type.js';
export { oncePerVersion, singleVersionScope } from './scope.js';
export type { ApplyScope, ApplyScopeOptions } from './scope.js';
export { applyTypeOfStruct, emptyObjectOf } from './struct-type.js';
export { settledManagedFields } from './timestamps.js';
export { ApplyTypeError } from './type-error.js';
export { fitsType } from './validate.js';
