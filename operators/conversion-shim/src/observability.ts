import type { MetricDeclaration } from '@capstan/meta';
import { PRIVATE_TYPES_DASHBOARD, targetUp } from '@capstan/observability';
import type { AlertRule, Observability, Panel } from '@capstan/observability';
import {
  conversionDuration,
  conversionErrors,
  conversionRequests,
  shimMetricDeclarations,
} from './metric-declarations.js';
import { SHIM_NAME } from './manifests.js';

/** What the API server counts of its webhooks: the only one to see a shim that is gone. */
const seenByServer = {
  type: 'histogram',
  name: 'apiserver_crd_conversion_webhook_duration_seconds',
  help: 'Seconds that conversions of custom resources by webhook took.',
  labels: ['crd_name', 'from_version', 'to_version', 'succeeded'],
  buckets: Array.from({ length: 15 }, (_, at) => 0.001 * 2 ** at),
} as const satisfies MetricDeclaration;

const requests = `rate(${conversionRequests.name}[5m])`;
const errors = `rate(${conversionErrors.name}[5m])`;

/**
 * Errors and requests have no label in common but where they come from, so both sides are sums. Requests that did not
 * grow are left out: an error without them is the first one of a new series, and would be a division by zero.
 */
const unavailable: AlertRule = {
  alert: 'HyperShiftConversionWebhookUnavailable',
  expr: `sum by (namespace) (${errors}) / (sum by (namespace) (${requests}) > 0) > 0.05`,
  for: '5m',
  severity: 'warning',
  summary: 'The conversion webhook in {{ $labels.namespace }} fails.',
  description:
    'For five minutes {{ $value | humanizePercentage }} of the conversions asked of the webhook in {{ $labels.namespace }} have failed, where 5% is the limit. Cluster API objects whose stored version is not the one asked for cannot be read, written or collected.',
  runbook: 'conversion-webhook-shim-failure',
};

/** As the ServiceMonitor of the shim calls its targets. */
const job = `job="${SHIM_NAME}"`;

/** A shim that is down exports nothing, but its scraper knows. Without any shim there is no target either. */
const down: AlertRule = {
  alert: 'HyperShiftConversionWebhookDown',
  expr: `sum by (namespace) (${targetUp.name}{${job}}) == 0 or absent(${targetUp.name}{${job}})`,
  for: '5m',
  severity: 'critical',
  summary: 'No conversion webhook answers.',
  description:
    'For five minutes none of the conversion webhooks of the namespace that the labels name has answered its scraper; where they name none, there is no conversion webhook at all, or none is scraped. Cluster API objects whose stored version is not the one asked for cannot be read, written or collected.',
  runbook: 'conversion-webhook-shim-failure',
};

const performance: readonly Panel[] = [
  {
    title: 'Conversion Request Rate',
    description: 'Conversion reviews per second by versions.',
    kind: 'timeseries',
    unit: 'reqps',
    queries: [{ expr: `sum by (from_version, to_version) (${requests})`, legend: '{{from_version}} → {{to_version}}' }],
  },
  {
    title: 'Conversion Latency',
    description: 'How long conversion reviews take, the delegate included.',
    kind: 'timeseries',
    unit: 's',
    queries: [0.5, 0.95, 0.99].map((share) => ({
      expr: `histogram_quantile(${share}, sum by (le) (rate(${conversionDuration.name}_bucket[5m])))`,
      legend: `p${share * 100}`,
    })),
  },
  {
    title: 'Conversion Error Rate',
    description: 'Share of conversion reviews that failed.',
    kind: 'timeseries',
    unit: 'percentunit',
    queries: [{ expr: `sum(${errors}) / sum(${requests})`, legend: 'failed' }],
  },
  {
    title: 'Conversion Errors',
    description: 'Conversion reviews that failed, per second, by kind of error.',
    kind: 'timeseries',
    unit: 'short',
    queries: [{ expr: `sum by (error_type) (${errors})`, legend: '{{error_type}}' }],
  },
  {
    title: 'Conversions Seen by the API Server',
    description:
      'Conversions of private kinds per second as the API server counts them, including those that a deleted shim answered.',
    kind: 'timeseries',
    unit: 'reqps',
    queries: [
      {
        expr: `sum by (succeeded) (rate(${seenByServer.name}_count{crd_name=~".+[.]hypershift[.]openshift[.]io"}[5m]))`,
        legend: 'succeeded: {{succeeded}}',
      },
    ],
  },
];

/** What there is to see of the shim, and when to be woken for it. */
export const shimObservability: Observability = {
  component: 'conversion-shim',
  metricsAt: '`/metrics` on `--health-port`, 8081 by default',
  metrics: shimMetricDeclarations,
  external: [seenByServer, targetUp],
  ruleGroups: [{ name: 'hypershift-conversion-webhook', rules: [unavailable, down] }],
  rows: [{ dashboard: PRIVATE_TYPES_DASHBOARD, row: 'Conversion Webhook Performance', panels: performance }],
  logs: [
    { message: 'Conversion request failed', level: 'error', meaning: 'objects could not be converted' },
    {
      message: 'Upstream webhook unavailable',
      level: 'error',
      meaning: 'the webhook that converts the standard kind does not answer',
    },
    {
      message: 'Invalid conversion review request',
      level: 'warn',
      meaning: 'a client sent a body that is no ConversionReview',
    },
    {
      message: 'the trusted CAs could not be read',
      level: 'error',
      meaning: 'the file of CAs could not be read again; those read before are used; `error` names the cause',
    },
  ],
};
