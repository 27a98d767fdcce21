import { Counter, Histogram, renderMetrics } from '@capstan/meta';
import type { CounterDeclaration, HistogramDeclaration, MetricDeclaration } from '@capstan/meta';

/** Requests the proxy has answered. */
export const proxyRequests = {
  type: 'counter',
  name: 'hypershift_api_proxy_requests_total',
  help: 'Requests answered by the API proxy, by method, resource and status code.',
  labels: ['method', 'resource', 'code'],
} as const satisfies CounterDeclaration;

/** How long requests took, the API server's part included. */
export const proxyDuration = {
  type: 'histogram',
  name: 'hypershift_api_proxy_request_duration_seconds',
  help: 'Seconds until a request was answered whole; watches and upgrades are measured to their headers.',
  labels: ['method', 'resource'],
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
} as const satisfies HistogramDeclaration;

/** The proxy's own part of that time. Its bounds lie around the one millisecond that the proxy may add. */
export const proxyOverhead = {
  type: 'histogram',
  name: 'hypershift_api_proxy_overhead_duration_seconds',
  help: 'Seconds of a request that the API proxy itself took, without the wait for the API server.',
  labels: ['method', 'resource'],
  buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1],
} as const satisfies HistogramDeclaration;

/** Requests and answers that could not be translated. */
export const proxyTranslationErrors = {
  type: 'counter',
  name: 'hypershift_api_proxy_translation_errors_total',
  help: 'Translations that failed in the API proxy, by kind of error.',
  labels: ['error_type'],
} as const satisfies CounterDeclaration;

/** Every metric of the proxy. */
export const proxyMetricDeclarations: readonly MetricDeclaration[] = [
  proxyRequests,
  proxyDuration,
  proxyOverhead,
  proxyTranslationErrors,
];

/** The kinds of translation error there are; each is on the page from the start, so that its first one is an increase. */
export const TRANSLATION_ERROR_TYPES = [
  'invalid-json',
  'invalid-protobuf',
  'invalid-yaml',
  'too-large',
  'unsupported-resource',
] as const;

/** Why a translation failed. */
export type TranslationErrorType = (typeof TRANSLATION_ERROR_TYPES)[number];

/** What the proxy counts. Whoever observes keeps the values of labels few: they are kept for the life of the process. */
export class ProxyMetrics {
  readonly requests = Counter.of(proxyRequests);
  readonly duration = Histogram.of(proxyDuration);
  readonly overhead = Histogram.of(proxyOverhead);
  readonly translationErrors = Counter.of(proxyTranslationErrors);

  constructor() {
    for (const type of TRANSLATION_ERROR_TYPES) this.translationErrors.add([type], 0);
  }

  /** The page in the text format of Prometheus. */
  render(): string {
    return renderMetrics([this.requests, this.duration, this.overhead, this.translationErrors]);
  }
}
