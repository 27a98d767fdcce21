/** Groups in protobuf bodies of built-in kinds, renamed on the wire. */
export type { ProtobufRoute } from './naming.js';
export { EVENT_LIMIT_BYTES, ProtobufBody, ProtobufWatch, REQUEST_LIMIT_BYTES } from './streams.js';
export { ProtobufTranslator } from './translator.js';
export type { ProtobufOptions } from './translator.js';
