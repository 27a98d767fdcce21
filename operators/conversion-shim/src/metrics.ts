import { Counter, Gauge, Histogram } from '@capstan/meta';
import type { MetricFamily } from '@capstan/meta';

const BOUNDS_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5];
const VERSION = /^v\d{1,3}(?:(?:alpha|beta)\d{1,3})?$/;
/** Versions come from requests: the first ones are told apart, the others counted together. */
const MAX_VERSIONS = 16;
const OTHER = 'other';

/** What one review was about, as far as it is known. */
export interface ReviewLabels {
  readonly fromVersions: readonly string[];
  readonly toVersion: string;
  /** The plural; undefined for kinds without a private definition. */
  readonly resource: string | undefined;
}

/** What the shim counts, under the names its rules and dashboards know. */
export class ShimMetrics {
  readonly requests = new Counter(
    'hypershift_conversion_webhook_requests_total',
    'Conversion reviews by versions, resource and result.',
    ['from_version', 'to_version', 'resource', 'result'],
  );
  readonly seconds = new Histogram(
    'hypershift_conversion_webhook_duration_seconds',
    'How long conversion reviews took.',
    ['from_version', 'to_version', 'resource'],
    BOUNDS_SECONDS,
  );
  readonly inFlight = new Gauge('hypershift_conversion_webhook_in_flight', 'Conversion reviews under way.', []);
  readonly refused = new Counter(
    'hypershift_conversion_webhook_refused_total',
    'Conversion reviews that were not taken up, by reason.',
    ['reason'],
  );
  readonly #versions = new Set<string>();

  constructor() {
    this.inFlight.set([], 0);
    for (const reason of ['malformed', 'overloaded', 'unavailable']) this.refused.add([reason], 0);
  }

  get families(): readonly MetricFamily[] {
    return [this.requests, this.seconds, this.inFlight, this.refused];
  }

  /** Counts a review that was answered or could not be. */
  count({ fromVersions, resource = OTHER, toVersion }: ReviewLabels, result: 'success' | 'failure', ms: number): void {
    const distinct = new Set(fromVersions);
    const [first = OTHER] = distinct;
    const from = distinct.size > 1 ? 'several' : this.#version(first);
    const to = this.#version(toVersion);
    this.requests.add([from, to, resource, result]);
    this.seconds.observe([from, to, resource], ms / 1000);
  }

  #version(version: string): string {
    if (this.#versions.has(version)) return version;
    if (!VERSION.test(version) || this.#versions.size >= MAX_VERSIONS) return OTHER;
    this.#versions.add(version);
    return version;
  }
}
