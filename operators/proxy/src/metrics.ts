import { memoryUsage } from 'node:process';
import { Counter, Histogram, LiveGauge, renderMetrics } from '@capstan/meta/metrics';
import type { CounterSeries, HistogramSeries } from '@capstan/meta/metrics';
import type { Route } from '@capstan/translate';
import {
  TRANSLATION_ERROR_TYPES,
  externalMemory,
  heapMemory,
  proxyDuration,
  proxyOverhead,
  proxyRequests,
  proxyRequestsOpen,
  proxyTranslationErrors,
  proxyUpstreamConnections,
  residentMemory,
} from './metric-declarations.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const RESOURCE = /^[a-z][a-z0-9]{0,62}$/;
/** Clients choose the paths: what they can make us remember must stay bounded. */
const MAX_RESOURCES = 256;

/** What is counted of requests with one method for one resource. */
interface RequestSeries {
  readonly labels: readonly [method: string, resource: string];
  readonly duration: HistogramSeries;
  readonly overhead: HistogramSeries;
  readonly byStatus: Map<number, CounterSeries>;
}

/** How a request went. */
export interface Outcome {
  readonly status: number;
  readonly durationMs: number;
  readonly workedMs: number;
}

/** What is counted. */
export class ProxyMetrics {
  readonly requests = Counter.of(proxyRequests);
  readonly duration = Histogram.of(proxyDuration);
  readonly overhead = Histogram.of(proxyOverhead);
  readonly translationErrors = Counter.of(proxyTranslationErrors);
  readonly #resources = new Map<string, string>();
  /** By method, then by resource. */
  readonly #series = new Map<string, Map<string, RequestSeries>>();
  readonly #gauges: readonly LiveGauge[];

  constructor(live: { readonly open: () => number; readonly wires: () => number }) {
    this.#gauges = [
      LiveGauge.of(proxyRequestsOpen, () => [[[], live.open()]]),
      LiveGauge.of(proxyUpstreamConnections, () => [[[], live.wires()]]),
      LiveGauge.of(residentMemory, () => [[[], memoryUsage.rss()]]),
      LiveGauge.of(heapMemory, () => [[[], memoryUsage().heapUsed]]),
      LiveGauge.of(externalMemory, () => [[[], memoryUsage().external]]),
    ];
    for (const type of TRANSLATION_ERROR_TYPES) this.translationErrors.add([type], 0);
  }

  /** Counts a request. */
  request(method: string, route: Route | undefined, { status, durationMs, workedMs }: Outcome): void {
    const { labels, duration, overhead, byStatus } = this.#seriesOf(methodLabel(method), this.#resource(route));
    let count = byStatus.get(status);
    if (count === undefined) byStatus.set(status, (count = this.requests.series([...labels, String(status)])));
    count.add();
    duration.observe(durationMs / 1000);
    overhead.observe(workedMs / 1000);
  }

  #seriesOf(method: string, resource: string): RequestSeries {
    let ofMethod = this.#series.get(method);
    if (ofMethod === undefined) this.#series.set(method, (ofMethod = new Map()));
    let series = ofMethod.get(resource);
    if (series === undefined) {
      const labels = [method, resource] as const;
      const [duration, overhead] = [this.duration.series(labels), this.overhead.series(labels)];
      ofMethod.set(resource, (series = { labels, duration, overhead, byStatus: new Map() }));
    }
    return series;
  }

  /** The resource as a label: its singular name, where there is one. */
  #resource(route: Route | undefined): string {
    const plural = route?.path?.resource;
    if (plural === undefined)
      return route?.class === 'discovery' ? 'discovery' : route?.class === 'openapi' ? 'openapi' : 'other';
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

/** The method as a label. */
const methodLabel = (method: string): string => (METHODS.has(method) ? method : 'other');

/** `machines` → `machine`, `policies` → `policy`, `ipaddresses` → `ipaddress`. */
export function singularOf(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(plural)) return plural.slice(0, -2);
  return plural.endsWith('s') && !plural.endsWith('ss') ? plural.slice(0, -1) : plural;
}
