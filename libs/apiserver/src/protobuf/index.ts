/** Protobuf bodies of the built-in kinds, byte for byte as the Go server writes them. */
export { jsonOfProtobuf, protobufOfJson } from './body.js';
export { decodeProtobuf } from './decode.js';
export { encodeProtobuf } from './encode.js';
export {
  PROTOBUF_TYPE,
  encodeMessage,
  protobufStruct,
  readEnvelope,
  writeEnvelope,
  listEnvelopeParts,
  partSize,
  writeWatchFrame,
} from './envelope.js';
export type { Envelope } from './envelope.js';
export { ProtobufError } from './errors.js';
