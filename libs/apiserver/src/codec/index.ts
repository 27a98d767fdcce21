/** Decoding of built-in objects as the Go server does it, from the type tables. */
export { isNamedText } from './named-texts.js';
export { decodeMeta, decodeTyped, readBodyKind } from './decode.js';
export type { BodyKind, DecodeContext, Decoded } from './decode.js';
export { TypedDecodeError, describeValue } from './errors.js';
export { explainConversion } from './explain-conversion.js';
export { htmlEscaped, typedText } from './go-json.js';
export { LEAF_TEXTS, type LeafTexts } from './leaf-texts.js';
export { patchSchemaOf } from './patch-schema.js';
export type { StructPatchField, StructPatchSchema } from './patch-schema.js';
