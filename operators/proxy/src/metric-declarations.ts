import type { CounterDeclaration, GaugeDeclaration, HistogramDeclaration, MetricDeclaration } from '@capstan/meta';

/** Requests the proxy has answered. */
export const proxyRequests = {
  type: 'counter',
  name: 'hypershift_api_proxy_requests_total',
  help: 'Requests answered, by method, resource and status code.',
  labels: ['method', 'resource', 'code'],
} as const satisfies CounterDeclaration;

/** How long requests took, the API server's part included. */
export const proxyDuration = {
  type: 'histogram',
  name: 'hypershift_api_proxy_request_duration_seconds',
  help: 'Time until the last byte of a response; of watches and upgrades until their headers.',
  labels: ['method', 'resource'],
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
} as const satisfies HistogramDeclaration;

/** The proxy's own part of that time. Its bounds lie around the one millisecond that the proxy may add. */
export const proxyOverhead = {
  type: 'histogram',
  name: 'hypershift_api_proxy_overhead_seconds',
  help: 'Share of that time in which the proxy itself was at work.',
  labels: ['method', 'resource'],
  buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05],
} as const satisfies HistogramDeclaration;

/** Requests and answers that could not be translated. */
export const proxyTranslationErrors = {
  type: 'counter',
  name: 'hypershift_api_proxy_translation_errors_total',
  help: 'What could not be translated, by the kind of error.',
  labels: ['error_type'],
} as const satisfies CounterDeclaration;

/** Requests that have begun and not ended. */
export const proxyRequestsOpen = {
  type: 'gauge',
  name: 'hypershift_api_proxy_requests_open',
  help: 'Requests, watches and tunnels under way.',
  labels: [],
} as const satisfies GaugeDeclaration;

/** Connections to the API server. */
export const proxyUpstreamConnections = {
  type: 'gauge',
  name: 'hypershift_api_proxy_upstream_connections',
  help: 'Connections to the API server.',
  labels: [],
} as const satisfies GaugeDeclaration;

/** Memory of the process, as the machine counts it. */
export const residentMemory = {
  type: 'gauge',
  name: 'process_resident_memory_bytes',
  help: 'Memory of the process.',
  labels: [],
} as const satisfies GaugeDeclaration;

/** Memory of objects. */
export const heapMemory = {
  type: 'gauge',
  name: 'nodejs_heap_size_used_bytes',
  help: 'Memory of objects.',
  labels: [],
} as const satisfies GaugeDeclaration;

/** Memory of bytes that pass, among others. */
export const externalMemory = {
  type: 'gauge',
  name: 'nodejs_external_memory_bytes',
  help: 'Memory of bytes outside of the heap.',
  labels: [],
} as const satisfies GaugeDeclaration;

/** Every metric of the proxy. */
export const proxyMetricDeclarations: readonly MetricDeclaration[] = [
  proxyRequests,
  proxyDuration,
  proxyOverhead,
  proxyTranslationErrors,
  proxyRequestsOpen,
  proxyUpstreamConnections,
  residentMemory,
  heapMemory,
  externalMemory,
];

/** The kinds of translation error there are; each is on the page from the start, so that its first one is an increase. */
export const TRANSLATION_ERROR_TYPES = [
  'bad-rules',
  'hidden-resource',
  'invalid-json',
  'invalid-protobuf',
  'invalid-yaml',
  'too-large',
  'unsupported-encoding',
  'unsupported-resource',
] as const;

/** Why a translation failed. */
export type TranslationErrorType = (typeof TRANSLATION_ERROR_TYPES)[number];
