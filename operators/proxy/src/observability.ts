import type { MetricDeclaration } from '@capstan/meta';
import { PRIVATE_TYPES_DASHBOARD, targetUp } from '@capstan/observability';
import type { AlertRule, Observability, Panel } from '@capstan/observability';
import {
  proxyDuration,
  proxyMetricDeclarations,
  proxyOverhead,
  proxyRequests,
  proxyTranslationErrors,
} from './metric-declarations.js';

/** The labels of the kubelet's container metrics. */
const CONTAINER_LABELS = ['namespace', 'pod', 'container', 'node', 'image', 'name', 'id'];
const containerMemory = {
  type: 'gauge',
  name: 'container_memory_working_set_bytes',
  help: 'Working set of the memory of a container.',
  labels: CONTAINER_LABELS,
} as const satisfies MetricDeclaration;
const containerCpu = {
  type: 'counter',
  name: 'container_cpu_usage_seconds_total',
  help: 'Seconds of processor time a container has used.',
  labels: CONTAINER_LABELS,
} as const satisfies MetricDeclaration;

const requests = `rate(${proxyRequests.name}[5m])`;
const failed = `rate(${proxyRequests.name}{code=~"5.."}[5m])`;
const sidecar = 'container="kube-apiserver-proxy"';

/** Per sidecar: among hundreds of them, one slow proxy would not show in the quantile of all. */
const highLatency: AlertRule = {
  alert: 'HyperShiftAPIProxyHighLatency',
  expr: `histogram_quantile(0.95, sum by (namespace, pod, le) (rate(${proxyDuration.name}_bucket[5m]))) > 0.1`,
  for: '10m',
  severity: 'warning',
  summary: 'Requests through the API proxy of {{ $labels.namespace }}/{{ $labels.pod }} are slow.',
  description:
    'For ten minutes one request in twenty through the API proxy of {{ $labels.namespace }}/{{ $labels.pod }} has taken {{ $value | humanizeDuration }} or longer, where 100ms is the limit. Reconciliation of Cluster API objects in that namespace is late; workloads are not affected.',
  runbook: 'api-proxy-sidecar-failure',
};

/** A proxy that is down exports nothing, but its scraper knows. Without any proxy there is no target either. */
const down: AlertRule = {
  alert: 'HyperShiftAPIProxyDown',
  expr: `max by (namespace, pod) (${targetUp.name}{${sidecar}}) == 0 or absent(${targetUp.name}{${sidecar}})`,
  for: '5m',
  severity: 'warning',
  summary: 'An API proxy does not answer.',
  description:
    'For five minutes the API proxy of the pod that the labels name has not answered its scraper; where they name no pod, there is no API proxy at all, or none is scraped. The containers of its pod cannot reach the API server, so Cluster API objects of that namespace are not reconciled; workloads are not affected.',
  runbook: 'api-proxy-sidecar-failure',
};

function percentiles(of: string): Panel['queries'] {
  return [0.5, 0.95, 0.99].map((share) => ({
    expr: `histogram_quantile(${share}, sum by (le) (rate(${of}_bucket[5m])))`,
    legend: `p${share * 100}`,
  }));
}

const performance: readonly Panel[] = [
  {
    title: 'Request Rate',
    description: 'Requests per second by method and resource.',
    kind: 'timeseries',
    unit: 'reqps',
    queries: [{ expr: `sum by (method, resource) (${requests})`, legend: '{{method}} {{resource}}' }],
  },
  {
    title: 'Latency Percentiles',
    description: 'How long requests take, the API server included; watches and upgrades to their headers.',
    kind: 'timeseries',
    unit: 's',
    queries: percentiles(proxyDuration.name),
  },
  {
    title: 'Error Rate',
    description: 'Share of requests that were answered with a server error.',
    kind: 'timeseries',
    unit: 'percentunit',
    // Before the first error there is no series of errors, which must show as none and not as nothing.
    queries: [{ expr: `(sum(${failed}) or 0 * sum(${requests})) / sum(${requests})`, legend: 'failed' }],
  },
  {
    title: 'Added Latency',
    description: "The proxy's own part of the time of requests.",
    kind: 'timeseries',
    unit: 's',
    queries: percentiles(proxyOverhead.name),
  },
  {
    title: 'Translation Errors',
    description: 'Translations that failed, per second, by kind of error.',
    kind: 'timeseries',
    unit: 'short',
    queries: [{ expr: `sum by (error_type) (rate(${proxyTranslationErrors.name}[5m]))`, legend: '{{error_type}}' }],
  },
];

const resources: readonly Panel[] = [
  {
    title: 'Proxy Container Memory',
    description: 'Memory of each proxy sidecar.',
    kind: 'timeseries',
    unit: 'bytes',
    queries: [
      { expr: `sum by (namespace, pod) (${containerMemory.name}{${sidecar}})`, legend: '{{namespace}}/{{pod}}' },
    ],
  },
  {
    title: 'Proxy Container CPU',
    description: 'CPU usage of each proxy sidecar.',
    kind: 'timeseries',
    unit: 'short',
    queries: [
      { expr: `sum by (namespace, pod) (rate(${containerCpu.name}{${sidecar}}[5m]))`, legend: '{{namespace}}/{{pod}}' },
    ],
  },
];

/** What there is to see of the proxy, and when to be woken for it. */
export const proxyObservability: Observability = {
  component: 'proxy',
  metricsAt: '`/metrics` on `--health-listen`; the default is a port of the loopback that no scraper reaches',
  metrics: proxyMetricDeclarations,
  external: [containerMemory, containerCpu, targetUp],
  ruleGroups: [{ name: 'hypershift-api-proxy', rules: [highLatency, down] }],
  rows: [
    { dashboard: PRIVATE_TYPES_DASHBOARD, row: 'API Proxy Performance', panels: performance },
    { dashboard: PRIVATE_TYPES_DASHBOARD, row: 'Resource Utilization', panels: resources },
  ],
  logs: [
    { message: 'Translation error', level: 'error', meaning: 'a request or an answer could not be translated' },
    { message: 'Proxy request failed', level: 'warn', meaning: 'the API server did not answer, or not to the end' },
    { message: 'Internal error', level: 'error', meaning: 'the proxy itself is at fault' },
    { message: 'Unsupported resource type', level: 'warn', meaning: 'a resource was asked for that is not translated' },
  ],
};
