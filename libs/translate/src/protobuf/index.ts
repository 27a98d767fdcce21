/** Groups in protobuf bodies of built-in kinds, renamed on the wire. */
export { protobufBodies } from './bodies.js';
export type { Direction, ProtobufRoute } from './naming.js';
export { EVENT_LIMIT_BYTES, ProtobufBody, ProtobufWatch, RESPONSE_LIMIT_BYTES } from './streams.js';
export { ProtobufTranslator } from './translator.js';
export type { ProtobufOptions } from './translator.js';
