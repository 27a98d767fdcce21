import { memoryUsage } from 'node:process';
import { Counter, Histogram, LiveGauge, renderMetrics } from '@capstan/meta/metrics';
import type { Route } from '@capstan/translate';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const RESOURCE = /^[a-z][a-z0-9]{0,62}$/;
/** Clients choose the paths: what they can make us remember must stay bounded. */
const MAX_RESOURCES = 256;
const DURATION_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1];
const OVERHEAD_BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05];

/** What is counted. */
export class ProxyMetrics {
  readonly requests = new Counter(
    'hypershift_api_proxy_requests_total',
    'Requests answered, by method, resource and status code.',
    ['method', 'resource', 'code'],
  );
  readonly duration = new Histogram(
    'hypershift_api_proxy_request_duration_seconds',
    'Time until the last byte of a response; of watches and upgrades until their headers.',
    ['method', 'resource'],
    DURATION_BOUNDS,
  );
  readonly overhead = new Histogram(
    'hypershift_api_proxy_overhead_seconds',
    'Share of that time in which the proxy itself was at work.',
    ['method', 'resource'],
    OVERHEAD_BOUNDS,
  );
  readonly translationErrors = new Counter(
    'hypershift_api_proxy_translation_errors_total',
    'What could not be translated, by the kind of error.',
    ['error_type'],
  );
  readonly #resources = new Map<string, string>();
  readonly #gauges: readonly LiveGauge[];

  constructor(live: { readonly open: () => number; readonly wires: () => number }) {
    this.#gauges = [
      new LiveGauge('hypershift_api_proxy_requests_open', 'Requests, watches and tunnels under way.', [], () => [
        [[], live.open()],
      ]),
      new LiveGauge('hypershift_api_proxy_upstream_connections', 'Connections to the API server.', [], () => [
        [[], live.wires()],
      ]),
      new LiveGauge('process_resident_memory_bytes', 'Memory of the process.', [], () => [[[], memoryUsage.rss()]]),
      new LiveGauge('nodejs_heap_size_used_bytes', 'Memory of objects.', [], () => [[[], memoryUsage().heapUsed]]),
      new LiveGauge('nodejs_external_memory_bytes', 'Memory of bytes outside of the heap.', [], () => [
        [[], memoryUsage().external],
      ]),
    ];
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
