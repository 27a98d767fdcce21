import { targetUp } from '@capstan/observability';
import type { AlertRule, Dashboard, Observability, Panel } from '@capstan/observability';
import { CAPI_OPERATOR_NAME } from './manifests.js';
import { capiMetricDeclarations, definitionCounts, operatorConditions, operatorWrites } from './metric-declarations.js';

const job = `job="${CAPI_OPERATOR_NAME}"`;
const runbook = 'cluster-api-operator';
/** During a rollout two pods export it; the maximum avoids counting both. */
const condition = (type: string): string => `max by (namespace) (${operatorConditions.name}{type="${type}"})`;
const definitions = (state: string): string => `max by (namespace) (${definitionCounts.name}{state="${state}"})`;

/** An operator that is down exports nothing; its scraper notices. */
const down: AlertRule = {
  alert: 'ClusterAPIOperatorDown',
  expr: `sum by (namespace) (${targetUp.name}{${job}}) == 0 or absent(${targetUp.name}{${job}})`,
  for: '10m',
  severity: 'warning',
  summary: 'No Cluster API operator answers.',
  description:
    'For ten minutes the Cluster API operator has not answered its scraper, or is not scraped. CRDs of Cluster API are not installed or repaired, and changes of spec.unmanagedCustomResourceDefinitions have no effect; existing requirements stay enforced.',
  runbook,
};

const degraded: AlertRule = {
  alert: 'ClusterAPIOperatorDegraded',
  expr: `${condition('Degraded')} == 1`,
  for: '10m',
  severity: 'warning',
  summary: 'The Cluster API operator cannot do its work.',
  description:
    'For ten minutes the ClusterOperator cluster-api has been Degraded: a transport ConfigMap cannot be used, something could not be written, or a CRD that the platform does not manage is not what its controllers need.',
  runbook,
};

const notUpgradeable: AlertRule = {
  alert: 'ClusterAPINotUpgradeable',
  expr: `${condition('Upgradeable')} == 0`,
  for: '1h',
  severity: 'info',
  summary: 'CRDs of Cluster API keep the cluster from being upgraded.',
  description:
    'For an hour the ClusterOperator cluster-api has not been Upgradeable: a CRD of Cluster API is neither managed nor listed, or is not what the next release needs.',
  runbook,
};

const failing: AlertRule = {
  alert: 'ClusterAPIOperatorWritesFailing',
  expr: `sum by (namespace, kind) (rate(${operatorWrites.name}{outcome="failed"}[10m])) > 0`,
  for: '15m',
  severity: 'warning',
  summary: 'The Cluster API operator cannot write a {{ $labels.kind }}.',
  description:
    'For fifteen minutes writes of the Cluster API operator have failed: the API server or an admission webhook refuses a {{ $labels.kind }} again and again.',
  runbook,
};

const DASHBOARD: Dashboard = {
  uid: 'cluster-api-operator',
  title: 'Cluster API operator',
  description: "State of the platform's Cluster API CRDs, and the writes of their operator.",
  rows: ['State', 'Writes'],
};

const statePanels: readonly Panel[] = [
  {
    title: 'Conditions',
    description: 'Which conditions of the ClusterOperator cluster-api are True.',
    kind: 'timeseries',
    unit: 'short',
    queries: ['Degraded', 'Progressing', 'Upgradeable'].map((type) => ({ expr: condition(type), legend: type })),
  },
  {
    title: 'Definitions',
    description: 'CRDs of the releases by state.',
    kind: 'timeseries',
    unit: 'short',
    queries: ['install', 'required', 'incompatible', 'unclaimed', 'unknown'].map((state) => ({
      expr: definitions(state),
      legend: state,
    })),
  },
];

const writePanels: readonly Panel[] = [
  {
    title: 'Writes',
    description: 'Writes of CRDs and requirements per second, by kind and outcome.',
    kind: 'timeseries',
    unit: 'reqps',
    queries: [{ expr: `sum by (kind, outcome) (rate(${operatorWrites.name}[5m]))`, legend: '{{kind}} {{outcome}}' }],
  },
];

/** Metrics, alerts and panels of the operator. */
export const capiObservability: Observability = {
  component: 'capi',
  metricsAt: '`/metrics` on `--metrics-bind-address`, port 8080 in the manifests',
  metrics: capiMetricDeclarations,
  external: [targetUp],
  ruleGroups: [{ name: 'cluster-api-operator', rules: [down, degraded, failing, notUpgradeable] }],
  rows: [
    { dashboard: DASHBOARD, row: 'State', panels: statePanels },
    { dashboard: DASHBOARD, row: 'Writes', panels: writePanels },
  ],
  logs: [],
};
