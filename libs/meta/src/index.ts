/** Kubernetes vocabulary, pure: no clock, no network, no product. */
export type { Clock, Random, Timer } from './capabilities.js';
export type { JsonObject, KubeObject, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object.js';
export type {
  ApiRequest,
  ApiResponse,
  EmptyBody,
  PayloadBody,
  RequestBody,
  ResponseBody,
  Transport,
  UserInfo,
  WatchBody,
  WatchEventType,
  WatchFrame,
  WatchSink,
} from './wire.js';
