import type { CounterDeclaration, HistogramDeclaration, MetricDeclaration } from '@capstan/meta';

/** Conversion reviews the shim has answered. */
export const conversionRequests = {
  type: 'counter',
  name: 'hypershift_conversion_webhook_requests_total',
  help: 'Conversion reviews answered by the shim, by versions, resource and result.',
  labels: ['from_version', 'to_version', 'resource', 'result'],
} as const satisfies CounterDeclaration;

/** How long reviews took, the delegate's part included. */
export const conversionDuration = {
  type: 'histogram',
  name: 'hypershift_conversion_webhook_duration_seconds',
  help: 'Seconds until a conversion review was answered, the delegate included.',
  labels: ['from_version', 'to_version', 'resource'],
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5],
} as const satisfies HistogramDeclaration;

/** Conversion reviews that failed. */
export const conversionErrors = {
  type: 'counter',
  name: 'hypershift_conversion_webhook_errors_total',
  help: 'Conversion reviews that failed, by kind of error.',
  labels: ['error_type'],
} as const satisfies CounterDeclaration;

/** Every metric of the shim. */
export const shimMetricDeclarations: readonly MetricDeclaration[] = [
  conversionRequests,
  conversionDuration,
  conversionErrors,
];

/** The kinds of conversion error there are; each is on the page from the start, so that its first one is an increase. */
export const CONVERSION_ERROR_TYPES = [
  'conversion-failed',
  'invalid-review',
  'overloaded',
  'translation-failed',
  'upstream-webhook-invalid',
  'upstream-webhook-unavailable',
] as const;

/** Why a conversion review failed. */
export type ConversionErrorType = (typeof CONVERSION_ERROR_TYPES)[number];
