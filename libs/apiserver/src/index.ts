/** The embedded Kubernetes API server. */
export { parseAuditPolicy } from './audit/index.js';
export type { AuditEvent, AuditOptions, AuditPolicy, AuditSink } from './audit/index.js';
export type { Journal, JournalFailure } from './durability/journal.js';
export { RbacIndex } from './auth/rbac.js';
export type { ServiceAccountOptions } from './auth/service-account-tokens.js';
export type { BackendRequest, KubeletAddress, NodeConnector, PodAddress, PodConnector, Ways } from './connect/index.js';
export { BadSnapshot, BrokenInvariant } from './errors.js';
export { ConnectionLost, FaultInjector, type Fault, type FaultAction, type FaultMatch } from './faults/faults.js';
export { DEFAULT_HTTP_LIMITS, SlowWatcher, kubeletConnector, podConnector, serveHttp } from './http/index.js';
export type {
  CertificateSubject,
  HttpLimits,
  HttpOptions,
  HttpServer,
  KubeletConnectorOptions,
  RequestHandler,
  TlsOptions,
} from './http/index.js';
export {
  PROTOBUF_TYPE,
  ProtobufError,
  jsonOfProtobuf,
  protobufOfJson,
  readEnvelope,
  writeEnvelope,
} from './protobuf/index.js';
export type { ComputedResource } from './catalogue/computed-resources.js';
export { ApiServer, type ApiServerOptions } from './server.js';
export {
  Store,
  type EncodedObject,
  type EncodedState,
  type HistoryLimits,
  type StoreEvent,
  type StoreSnapshot,
} from './store/index.js';
export {
  adminsOnly,
  tokenAuthenticator,
  type AccessAttributes,
  type Authenticator,
  type Authorizer,
  type Decision,
} from './auth/access.js';
export { KUBERNETES_VERSION } from './system/version.js';
export type {
  ServiceAddress,
  ServiceResolver,
  WebhookAnswer,
  WebhookCall,
  WebhookCaller,
  WebhookClientConfig,
  WebhookService,
} from './webhook/call.js';
export {
  DEFAULT_WEBHOOK_LIMITS,
  HttpsCaller,
  type HttpsCallerOptions,
  type WebhookLimits,
} from './webhook/https/https-caller.js';
