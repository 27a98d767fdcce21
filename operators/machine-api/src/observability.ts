import { targetUp } from '@capstan/observability';
import type { AlertRule, Dashboard, Observability, Panel } from '@capstan/observability';
import { PROGRAM_NAME } from './admission/accounts.js';
import { machineApiMetricDeclarations, pendingSeconds, resources, unsynchronized } from './metrics/declarations.js';

const job = `job="${PROGRAM_NAME}"`;
const runbook = 'machine-api-migration';
const PENDING_SECONDS = 1_800;

/** An operator that is down exports nothing; its scraper notices. */
const down: AlertRule = {
  alert: 'MachineAPIMigrationDown',
  expr: `sum by (namespace) (${targetUp.name}{${job}}) == 0 or absent(${targetUp.name}{${job}})`,
  for: '10m',
  severity: 'warning',
  summary: 'No operator of Machine API and Cluster API answers.',
  description:
    'For ten minutes the operator that synchronizes Machine API and Cluster API has not answered its scraper, or nobody scrapes it. Machines go on as they are and scale; copies grow stale, and authority does not move.',
  runbook,
};

/** Counted by one replica: the leader alone has filled caches, and during a rollout two export them. */
const failing: AlertRule = {
  alert: 'MachineAPISynchronizationFailing',
  expr: `max by (namespace, kind, reason) (${unsynchronized.name}) > 0`,
  for: '30m',
  severity: 'warning',
  summary: '{{ $labels.kind }} resources cannot be synchronized: {{ $labels.reason }}.',
  description:
    'For thirty minutes the copies of a {{ $labels.kind }} have not agreed. The authoritative API goes on with it; authority cannot be handed over.',
  runbook,
};

const notFulfilled: AlertRule = {
  alert: 'MachineAPIAuthorityNotChanged',
  expr: `max by (namespace, kind, name, reason) (${pendingSeconds.name}) > ${PENDING_SECONDS}`,
  for: '5m',
  severity: 'warning',
  summary: '{{ $labels.kind }} {{ $labels.name }} has not changed its authoritative API: {{ $labels.reason }}.',
  description:
    'More than thirty minutes ago another authoritative API was asked for in spec.authoritativeAPI of {{ $labels.kind }} {{ $labels.name }}, and it has not taken over. The instance is untouched.',
  runbook,
};

const DASHBOARD: Dashboard = {
  uid: 'machine-api-migration',
  title: 'Machine API and Cluster API',
  description: 'Machines in both APIs: who is authoritative, what does not agree, and what waits.',
  rows: ['Machines'],
};

const panels: readonly Panel[] = [
  {
    title: 'Authority',
    description: 'Resources by the API that is authoritative.',
    kind: 'timeseries',
    unit: 'short',
    queries: [
      {
        expr: `sum by (kind, authority) (max by (namespace, kind, authority, synchronized) (${resources.name}))`,
        legend: '{{kind}} {{authority}}',
      },
    ],
  },
  {
    title: 'Not synchronized',
    description: 'Resources whose copies do not agree, by reason.',
    kind: 'timeseries',
    unit: 'short',
    queries: [{ expr: `max by (namespace, kind, reason) (${unsynchronized.name})`, legend: '{{kind}} {{reason}}' }],
  },
  {
    title: 'Waiting for authority',
    description: 'How long changes of authority have been waited for.',
    kind: 'timeseries',
    unit: 's',
    queries: [
      {
        expr: `max by (namespace, kind, name, reason) (${pendingSeconds.name})`,
        legend: '{{kind}} {{name}}: {{reason}}',
      },
    ],
  },
];

/** Metrics, alerts and panels of the operator. */
export const machineApiObservability: Observability = {
  component: 'machine-api',
  metricsAt: '`/metrics` on `--metrics-bind-address`, port 8442 in the manifests',
  metrics: machineApiMetricDeclarations,
  external: [targetUp],
  ruleGroups: [{ name: 'machine-api-migration', rules: [down, failing, notFulfilled] }],
  rows: [{ dashboard: DASHBOARD, row: 'Machines', panels }],
  logs: [
    { level: 'info', message: 'idle', meaning: 'there is nothing to synchronize; `reason` names why' },
    {
      level: 'warn',
      message: 'cannot report on ClusterOperator machine-api',
      meaning: 'its condition may be outdated; it is tried again every minute',
    },
    {
      level: 'warn',
      message: 'cannot read the manager of Cluster API',
      meaning:
        'warnings of what reaches nodes go by the flags that it had when it was last read; it is tried again in a minute',
    },
    {
      level: 'warn',
      message: 'cannot read what decides whether to synchronize',
      meaning:
        'at the start, the feature gate, the platform or a CRD could not be read; it is tried again for a minute',
    },
  ],
};
