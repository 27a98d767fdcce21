/** Kubernetes vocabulary, pure: no clock, no network, no product. */
export type { Clock, Random, Timer } from './capabilities.js';
export { turnsOf } from './turns.js';
export type { TurnParts, Turns } from './turns.js';
export { ipText, readCertificateRequest, rememberCertificateRequest } from './certificates/certificate-request.js';
export type { CertificateRequest } from './certificates/certificate-request.js';
export { CertificateRequestError, readDer } from './certificates/der.js';
export type { DerValue } from './certificates/der.js';
export { pemBlocks } from './certificates/pem.js';
export type { PemBlock } from './certificates/pem.js';
export {
  getCondition,
  isConditionFalse,
  isConditionTrue,
  removeCondition,
  setCondition,
} from './conditions/conditions.js';
export type { Condition, ConditionStatus, ConditionUpdate } from './conditions/conditions.js';
export { cutList, cutText, MAX_CONDITION_MESSAGE } from './conditions/messages.js';
export {
  GroupVersionError,
  compareVersionPriority,
  formatApiVersion,
  formatGroupKind,
  formatGroupResource,
  formatGvk,
  formatGvr,
  gvkOf,
  looseGvk,
  parseApiVersion,
  parseGroupKind,
  parseGroupResource,
  sameGroupKind,
} from './gvk/gvk.js';
export type { GroupKind, GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource } from './gvk/gvk.js';
export { compareBytes } from './json/compare-bytes.js';
export { copyMembers, extended } from './json/copies.js';
export { isDeeperThan, isTooDeep, maxContentDepth, maxJsonDepth, maxObjectDepth, maxTextDepth } from './json/depth.js';
export { equalJson } from './json/equal-json.js';
export { JsonSyntaxError } from './json/errors.js';
export type { DuplicateField, JsonNotes, JsonTextNotes } from './json/exact-reader.js';
export { goFormat, goTypeName } from './json/go-format.js';
export { hashText } from './hash.js';
export { decodeKeepingBytes, goQuote } from './json/go-text.js';
export { indentJson } from './json/indent.js';
export { WholeFloat, plainFloat } from './json/whole-float.js';
export { duplicateFieldMessage, parseJson, readJsonNotes, readKeyPaths } from './json/parse.js';
export type { ParseJsonOptions, ParsedJson } from './json/parse.js';
export { getOwn, lookUp, setOwn } from './json/set-own.js';
export { maxOf, minOf, pushAll } from './lists.js';
export { canonicalHash, canonicalJson, stringifyJson } from './json/stringify.js';
export type { StringifyJsonOptions } from './json/stringify.js';
export { adoptJson, cloneJson, deepEqual, deepFreeze } from './json/values.js';
export type {
  CounterDeclaration,
  GaugeDeclaration,
  HistogramDeclaration,
  MetricDeclaration,
} from './metrics/declaration.js';
export { Counter, Gauge, Histogram, LiveGauge, renderMetrics } from './metrics/registry.js';
export type { CounterSeries, HistogramSeries, MetricFamily } from './metrics/registry.js';
export {
  AlreadyOwnedError,
  OwnerScopeError,
  controllerOf,
  dedupeOwnerReferences,
  duplicateOwnersWarning,
  hasOwner,
  isControlledBy,
  sameOwner,
  sameOwnerKind,
  setControllerReference,
  setOwnerReference,
  withControllerReference,
} from './owners/owners.js';
export { OwnerCycle, ownerLevels, remapOwnerReferences } from './owners/graph.js';
export type { DedupedOwners } from './owners/owners.js';
export { createJsonPatch } from './patch/create-json-patch.js';
export { JsonPatchError, StrategicMergePatchError } from './patch/errors.js';
export { applyJsonPatch, decodeJsonPatch, readJsonPatch } from './patch/json-patch.js';
export type { JsonPatchOperation, JsonPatchOptions } from './patch/json-patch.js';
export { applyMergePatch, createMergePatch } from './patch/merge-patch.js';
export type { PatchField, PatchSchema } from './patch/patch-schema.js';
export { applyStrategicMergePatch } from './patch/strategic-merge-patch.js';
export { readQuery } from './query.js';
export type { QueryParameter, ReadQuery } from './query.js';
export { Recent } from './recent.js';
export { trimEndOf, trimStartOf } from './trim.js';
export { QuantityError } from './quantity/parse-parts.js';
export {
  addQuantity,
  canonicalQuantity,
  compareQuantity,
  formatQuantity,
  parseQuantity,
  quantityFromJson,
  scaledQuantity,
  subQuantity,
} from './quantity/quantity.js';
export type { Quantity, QuantityFormat } from './quantity/quantity.js';
export { FieldMatcher, escapeFieldValue, parseFieldSelector, unescapeFieldValue } from './selector/field-selector.js';
export type { FieldGetter, FieldRequirement } from './selector/field-selector.js';
export { LabelMatcher } from './selector/label-matcher.js';
export {
  compileLabelSelector,
  formatLabelSelector,
  matcherFromSet,
  validateLabelSelector,
} from './selector/label-selector.js';
export type { LabelSelector, LabelSelectorRequirement } from './selector/label-selector.js';
export { parseLabelSelector } from './selector/parse-label-selector.js';
export { SelectorError, labelRequirement } from './selector/requirement.js';
export type { LabelOperator, LabelRequirement, Labels } from './selector/requirement.js';
export {
  ApiError,
  apiErrorOf,
  fromStatus,
  fromUnknown,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNamespaceTerminating,
  isNotAcceptable,
  ignoreNotFound,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isStatus,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
  reasonOf,
  retryAfterSeconds,
  statusCause,
} from './status/api-error.js';
export { apiErrors } from './status/catalogue.js';
export { deleteSuccess, managerText } from './status/object-errors.js';
export type { ApplyConflict } from './status/object-errors.js';
export { failure, isKnownReason, statusDetails } from './status/status.js';
export type { Status, StatusCause, StatusDetails, StatusReason } from './status/status.js';
export { formatDuration, humanDuration, parseDuration, shortHumanDuration } from './time/duration.js';
export { TimeParseError } from './time/errors.js';
export {
  canonicalMicroTime,
  canonicalTime,
  formatMicroTime,
  formatTime,
  instantToMs,
  parseMicroTime,
  parseTime,
} from './time/rfc3339.js';
export type { Instant } from './time/rfc3339.js';
export {
  RawValue,
  duplicate,
  fieldErrorBody,
  fieldErrorMessage,
  fieldErrorReason,
  fieldErrors,
  fieldErrorsMessage,
  MAX_LISTED_ERRORS,
  forbidden,
  indexField,
  internalError,
  invalid,
  joinField,
  keyField,
  notFound,
  notSupported,
  omitValue,
  required,
  tooFew,
  tooLong,
  tooLongCharacters,
  tooMany,
  tooShort,
  typeInvalid,
} from './validation/field-error.js';
export type { FieldError, FieldErrorReason, FieldErrorType } from './validation/field-error.js';
export { goJson, goStringSlice, utf8Length } from './validation/go-format.js';
export {
  checkConfigMapKey,
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  checkPathSegment,
  checkQualifiedName,
  dnsLabelMaxLength,
  dnsSubdomainMaxLength,
  labelMaxLength,
  maxBytesMessage,
  maxLengthMessage,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDeclaredLong,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  regexMessage,
} from './validation/names.js';
export type { Complaints, NameValidator } from './validation/names.js';
export { validateObjectMetaUpdate } from './validation/object-meta-update.js';
export {
  annotationsMaxBytes,
  fieldImmutable,
  fieldManagerMaxBytes,
  validateAnnotations,
  validateBuiltInFinalizers,
  validateFieldManager,
  validateFinalizers,
  validateLabels,
  validateManagedFields,
  validateNoNewFinalizers,
  validateObjectMeta,
  validateOwnerReferences,
} from './validation/object-meta.js';
export type { ObjectMetaRules } from './validation/object-meta.js';
export type { JsonObject, KubeObject, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object.js';
export type {
  ApiRequest,
  ApiResponse,
  EmptyBody,
  PayloadBody,
  RequestBody,
  ResponseBody,
  StreamBody,
  Transport,
  UpgradeBody,
  UserInfo,
  WatchBody,
  WatchEventType,
  WatchFrame,
  WatchSink,
} from './wire.js';
