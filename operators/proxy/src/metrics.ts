import { Counter, Histogram, LiveGauge, renderMetrics } from '@capstan/meta';
import type { CounterDeclaration, GaugeDeclaration, HistogramDeclaration, MetricDeclaration } from '@capstan/meta';
import type { Route } from '@capstan/translate';

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

/** What is under way. */
export const proxyOpenRequests = {
  type: 'gauge',
  name: 'hypershift_api_proxy_requests_open',
  help: 'Requests, watches and tunnels under way.',
  labels: [],
} as const satisfies GaugeDeclaration;

/** What the proxy holds open towards the API server. */
export const proxyUpstreamConnections = {
  type: 'gauge',
  name: 'hypershift_api_proxy_upstream_connections',
  help: 'Connections to the API server.',
  labels: [],
} as const satisfies GaugeDeclaration;

/** Every metric of the proxy. */
export const proxyMetricDeclarations: readonly MetricDeclaration[] = [
  proxyRequests,
  proxyDuration,
  proxyOverhead,
  proxyTranslationErrors,
  proxyOpenRequests,
  proxyUpstreamConnections,
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

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const RESOURCE = /^[a-z][a-z0-9]{0,62}$/;
/** Clients choose the paths: what they can make us remember must stay bounded. */
const MAX_RESOURCES = 256;

/** What is counted. */
export class ProxyMetrics {
  readonly requests = Counter.of(proxyRequests);
  readonly duration = Histogram.of(proxyDuration);
  readonly overhead = Histogram.of(proxyOverhead);
  readonly translationErrors = Counter.of(proxyTranslationErrors);
  readonly #resources = new Map<string, string>();
  readonly #gauges: readonly LiveGauge[];

  constructor(live: { readonly open: () => number; readonly wires: () => number }) {
    this.#gauges = [
      LiveGauge.of(proxyOpenRequests, () => [[[], live.open()]]),
      LiveGauge.of(proxyUpstreamConnections, () => [[[], live.wires()]]),
    ];
    for (const type of TRANSLATION_ERROR_TYPES) this.translationErrors.add([type], 0);
  }

  /** The method as a label. */
  method(method: string): string {
    return METHODS.has(method) ? method : 'other';
  }

  /** The resource as a label: its singular name, where there is one. */
  resource(route: Route | undefined): string {
    const plural = route?.path?.resource;
    if (plural === undefined) return route?.class === 'B' ? 'discovery' : route?.class === 'C' ? 'openapi' : 'other';
    const known = this.#resources.get(plural);
    if (known !== undefined) return known;
    if (!RESOURCE.test(plural) || this.#resources.size >= MAX_RESOURCES) return 'other';
    const singular = singularOf(plural);
    this.#resources.set(plural, singular);
    return singular;
  }

  /** All of it in the text format of Prometheus. */
  render(): string {
    return renderMetrics([this.requests, this.duration, this.overhead, this.translationErrors, ...this.#gauges]);
  }
}

/** `machines` → `machine`, `policies` → `policy`, `ipaddresses` → `ipaddress`. */
export function singularOf(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(plural)) return plural.slice(0, -2);
  return plural.endsWith('s') && !plural.endsWith('ss') ? plural.slice(0, -1) : plural;
}
