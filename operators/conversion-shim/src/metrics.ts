import { Counter, Histogram, renderMetrics } from '@capstan/meta';
import type { MetricFamily } from '@capstan/meta';
import {
  CONVERSION_ERROR_TYPES,
  conversionDuration,
  conversionErrors,
  conversionRequests,
} from './metric-declarations.js';
import type { ConversionErrorType } from './metric-declarations.js';

export type { ConversionErrorType } from './metric-declarations.js';

/** A review that was answered. Versions and resource must be of few values: they are kept for the life of the process. */
export interface AnsweredReview {
  readonly fromVersion: string;
  readonly toVersion: string;
  readonly resource: string;
  readonly seconds: number;
  /** Undefined when every object was converted. */
  readonly error: ConversionErrorType | undefined;
}

/** What the shim counts. */
export class ShimMetrics {
  readonly requests = Counter.of(conversionRequests);
  readonly duration = Histogram.of(conversionDuration);
  readonly errors = Counter.of(conversionErrors);

  constructor() {
    for (const type of CONVERSION_ERROR_TYPES) this.errors.add([type], 0);
  }

  /** Counts one review, and its one error if it failed: errors divided by requests stays the share that failed. */
  answered({ fromVersion, toVersion, resource, seconds, error }: AnsweredReview): void {
    this.requests.add([fromVersion, toVersion, resource, error === undefined ? 'success' : 'failure']);
    this.duration.observe([fromVersion, toVersion, resource], seconds);
    if (error !== undefined) this.errors.add([error]);
  }

  /** All of it. */
  get families(): readonly MetricFamily[] {
    return [this.requests, this.duration, this.errors];
  }

  /** The page in the text format of Prometheus. */
  render(): string {
    return renderMetrics(this.families);
  }
}
