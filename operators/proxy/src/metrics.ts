import { memoryUsage } from 'node:process';
import { Counter, Histogram, LiveGauge, renderMetrics } from '@capstan/meta/metrics';
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
      LiveGauge.of(proxyRequestsOpen, () => [[[], live.open()]]),
      LiveGauge.of(proxyUpstreamConnections, () => [[[], live.wires()]]),
      LiveGauge.of(residentMemory, () => [[[], memoryUsage.rss()]]),
      LiveGauge.of(heapMemory, () => [[[], memoryUsage().heapUsed]]),
      LiveGauge.of(externalMemory, () => [[[], memoryUsage().external]]),
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
