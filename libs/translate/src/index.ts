export { BODY_LIMIT, WholeBody } from './body.js';
export type { BodyRewriter } from './body.js';
export { TranslationError } from './errors.js';
export type { TranslationErrorCode } from './errors.js';
export { CLUSTER_API_RULES, GroupMapping } from './groups/mapping.js';
export type { Side } from './groups/mapping.js';
export type { GroupRule, GroupRules } from './groups/rules.js';
export { HOLD_LIMIT } from './json/output.js';
export { JsonRewriter } from './json/rewriter.js';
export type { Shape, TextChange, Verdict } from './json/shape.js';
export type { Headers } from './requests/headers.js';
export { refusalOf } from './requests/refusal.js';
export type { Refusal } from './requests/refusal.js';
export type { Route } from './requests/routes.js';
export { translate } from './requests/translator.js';
export type {
  Body,
  EncodedBody,
  Encodings,
  RequestHead,
  TranslatedRequest,
  TranslatedResponse,
  Translator,
} from './requests/types.js';
export type { RouteClass } from './surfaces/catalog.js';
export { fieldsOf } from './surfaces/fields.js';
export type { Fields } from './surfaces/fields.js';
export { rewriteJsonPatch } from './surfaces/json-patch.js';
export { embeddedObject } from './surfaces/objects.js';
export { admissionReviewShape, conversionReviewShape } from './surfaces/reviews.js';
