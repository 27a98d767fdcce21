/** Kubernetes from the client's side: certificates, configuration, transport, client, informers, queues. */
export { Cache, withoutManagedFields } from './cache/cache.js';
export type { CacheOptions, Selection } from './cache/cache.js';
export { CertificateAuthority, createCa, keptCa, loadCa } from './certs/certificates.js';
export { BUNDLE_SPREADS_MS } from './certs/serving-secret.js';
export { ensureServingSecret } from './converge/ensure-serving.js';
export type { EnsuredServing, EnsureOptions, ServingPlace } from './converge/ensure-serving.js';
export type {
  CaOptions,
  CertificateOptions,
  ClientCertificateOptions,
  KeyPair,
  ServingCertificateOptions,
  SigningOptions,
} from './certs/options.js';
export { readIssued } from './certs/issued.js';
export type { IssuedTo } from './certs/issued.js';
export { createCertificateRequest } from './certs/request.js';
export type { CertificateRequestOptions } from './certs/request.js';
export { Client } from './client/client.js';
export type { RawRequest } from './client/client.js';
export type { ClientOptions } from './client/client-options.js';
export { Discovery } from './client/discovery.js';
export type { DiscoveryOptions, DiscoverySnapshot, KindQuery } from './client/discovery.js';
export type { ApiResource, ApiSubresource, DiscoveryFailure } from './client/discovery-documents.js';
export type {
  CallOptions,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  ObjectList,
  Patch,
  PatchOptions,
  PatchType,
  PropagationPolicy,
  ReducedList,
  ReducedListOptions,
  SelectOptions,
  WatchOptions,
  WriteOptions,
} from './client/options.js';
export { addFinalizer, hasFinalizer, removeFinalizer, withFinalizer, withoutFinalizer } from './client/finalizers.js';
export { apply, getScale, mergeFrom, patchFrom, setScale, updateStatus } from './client/patches.js';
export type { ApplyOptions, MergeFromOptions, PatchFromOptions, Scale } from './client/patches.js';
export type { LogOptions } from './client/logs.js';
export type { Reader } from './client/reader.js';
export { resourcePath } from './client/resource.js';
export type { ResourceKind, ResourceRef, ResourceTarget } from './client/resource.js';
export { retryOnConflict } from './client/retry.js';
export type { ConflictRetryOptions } from './client/retry.js';
export type { Connection, ServerTrust } from './config/connection.js';
export { anonymous, fixedCredentials } from './config/credentials.js';
export type { ClientCertificate, Credentials, CredentialSource } from './config/credentials.js';
export { ConfigError, UntrustedConfigError } from './config/fields.js';
export { inClusterConnection, loadConnection } from './config/load.js';
export type { FileReader } from './config/document.js';
export type { LoadOptions } from './config/load.js';
export { untrustedConnection, untrustedKubeconfig } from './config/untrusted.js';
export type { UntrustedKubeconfig, UntrustedOptions } from './config/untrusted.js';
export { syncDirectory, writeWholeFile } from './config/whole-file.js';
export { kubeconfigJson, kubeconfigText, writeKubeconfig } from './config/write.js';
export { readYamlDocuments } from './config/yaml.js';
export { loadYaml } from './config/yaml-library.js';
export type { WriteKubeconfigOptions } from './config/write.js';
export { changeTo, describeChange, performChange } from './converge/change.js';
export type { Change, PerformOptions } from './converge/change.js';
export { Converger, findObject } from './converge/converger.js';
export type { ConvergerOptions, ObjectReader } from './converge/converger.js';
export { SHARED } from './converge/desired.js';
export type { Desired, OwnerRule } from './converge/desired.js';
export { includesDesired } from './converge/includes.js';
export type { ListRule } from './converge/includes.js';
export { mergeDesired } from './converge/merge.js';
export type { Merge } from './converge/merge.js';
export { exactly, overlay } from './converge/overlay.js';
export { Controller } from './controller/controller.js';
export type { ControllerOptions, OwnsOptions, WatchedOptions } from './controller/controller.js';
export { LOW_PRIORITY } from './controller/events.js';
export type { ObjectEvent, Request } from './controller/events.js';
export { requestFor } from './controller/handlers.js';
export {
  and,
  annotationsChanged,
  changedOutsideStatus,
  changedExceptStatus,
  contentChanged,
  generationChanged,
  labelsChanged,
  matchesLabels,
  matchesObject,
  not,
  or,
  resourceVersionChanged,
} from './controller/predicates.js';
export { OptionalResource } from './controller/optional-resource.js';
export { OwnWrites } from './controller/own-writes.js';
export type { OwnWritesOptions } from './controller/own-writes.js';
export type { Predicate } from './controller/predicates.js';
export { TerminalError } from './controller/reconcile.js';
export type { Reconcile, ReconcileContext, Result } from './controller/reconcile.js';
export { cacheSource, EventChannel } from './controller/sources.js';
export type { Source } from './controller/sources.js';
export { EventRecorder } from './events/recorder.js';
export type { EventRecorderOptions, EventSubject, EventText } from './events/recorder.js';
export { eventSubject } from './events/subject.js';
export { HealthChecks } from './health/health.js';
export type { HealthCheck } from './health/health.js';
export { EndpointServer } from './http/endpoint-server.js';
export type {
  AttachServer,
  Endpoint,
  EndpointReply,
  EndpointRequest,
  EndpointServerOptions,
  ServingCertificate,
} from './http/endpoint-server.js';
export { Informer } from './informer/informer.js';
export type { InformerHandler } from './informer/delivery.js';
export type { HandlerRegistration, InformerOptions } from './informer/informer.js';
export { Reflector } from './informer/reflector.js';
export type { ReflectorOptions, ReflectorTarget } from './informer/reflector-options.js';
export { NAMESPACE_INDEX, objectKey } from './informer/store.js';
export type { Indexer, ReadonlyStore } from './informer/store.js';
export { LeaderElector } from './leader/elector.js';
export type { LeaderElectorOptions } from './leader/elector.js';
export { fencedTransport } from './leader/leadership.js';
export type { Leadership } from './leader/leadership.js';
export { Manager } from './manager/manager.js';
export type { ManagerOptions } from './manager/manager.js';
export type { Runnable, RunnableGroup } from './manager/runnable.js';
export { meteredTransport } from './metrics/metered-transport.js';
export { RuntimeMetrics } from './metrics/runtime-metrics.js';
export { electionOf, portOf } from './program/election.js';
export { parseFlags } from './program/flags.js';
export type { FlagKind, FlagKinds, FlagValues, ParsedFlags } from './program/flags.js';
export { BadUsage, COMMON_FLAGS, connectFile, connectOwnFile, defineOperator } from './program/operator.js';
export type { Carry, OperatorContext, OperatorDefinition } from './program/operator.js';
export { offAbort, onAbort } from './runtime/abort.js';
export { sleep, systemClock } from './runtime/clock.js';
export { RuntimeError } from './runtime/errors.js';
export type { RuntimeErrorCode } from './runtime/errors.js';
export { withoutRepeats } from './runtime/repeats.js';
export { errorText, silentLogger, withFields } from './runtime/logger.js';
export type { Logger } from './runtime/logger.js';
export { never, RUNTIME_HOOKS } from './runtime/sometimes.js';
export type { Sometimes } from './runtime/sometimes.js';
export { systemRandom } from './runtime/random.js';
export { timestamp } from './runtime/time.js';
export { uuid } from './runtime/uuid.js';
export { isAborted, isConnectionLost, neverReachedServer, TransportError } from './transport/errors.js';
export { HttpTransport } from './transport/http.js';
export type { HttpTransportOptions, Transfer } from './transport/http.js';
export { rateLimitedTransport } from './transport/rate-limited.js';
export type { RateLimit } from './transport/rate-limited.js';
export { PriorityQueue } from './workqueue/priority-queue.js';
export type { AddOptions, PriorityQueueOptions, QueueObserver, Taken } from './workqueue/priority-queue.js';
export { runWorkers } from './workqueue/worker.js';
export type { WorkerOptions, WorkResult } from './workqueue/worker.js';
export { WorkQueue } from './workqueue/workqueue.js';
export type { WorkQueueOptions } from './workqueue/workqueue.js';
export { AdmissionDenied, AdmissionUnavailable } from './webhook/admission-types.js';
export type {
  AdmissionContext,
  AdmissionRequest,
  ExpectedKind,
  MutatingWebhook,
  ReviewKind,
  ValidatingWebhook,
} from './webhook/admission-types.js';
export { CertificateFiles } from './webhook/certificate-files.js';
export type { CertificateFilesOptions } from './webhook/certificate-files.js';
export { convertObject } from './webhook/conversion.js';
export type { ConversionOptions, ConvertedKind, Spoke } from './webhook/conversion.js';
export { WebhookServer } from './webhook/webhook-server.js';
export type { WebhookServerOptions } from './webhook/webhook-server.js';
