import type { MetricDeclaration } from '@capstan/meta';
import { targetUp } from '@capstan/observability';
import type { AlertRule, Dashboard, Observability, Panel } from '@capstan/observability';
import {
  checkerMetricDeclarations,
  definitionReviews,
  objectReviews,
  objectReviewSeconds,
  requirementConditions,
} from './metric-declarations.js';
import { CHECKER_NAME, WEBHOOKS } from './names.js';

/** What the API server counts of its webhooks: the only one to see a checker that is gone. */
const seenByServer = {
  type: 'counter',
  name: 'apiserver_admission_webhook_rejection_count',
  help: 'Writes that admission webhooks have denied, or failed to review.',
  labels: ['name', 'type', 'operation', 'error_type', 'rejection_code'],
} as const satisfies MetricDeclaration;

const OWN_HOOKS = `name=~"(${[WEBHOOKS.definitions, WEBHOOKS.requirements, WEBHOOKS.objects].join('|').replaceAll('.', '[.]')})"`;
const condition = (type: string): string => `max by (requirement, crd) (${requirementConditions.name}{type="${type}"})`;

const job = `job="${CHECKER_NAME}"`;

/** A checker that is down exports nothing, which its scraper notices. Where none is installed there is no target. */
const down: AlertRule = {
  alert: 'CRDCompatibilityCheckerDown',
  expr: `sum by (namespace) (${targetUp.name}{${job}}) == 0 or absent(${targetUp.name}{${job}})`,
  for: '5m',
  severity: 'critical',
  summary: 'No CRD compatibility checker answers.',
  description:
    'For five minutes no CRD compatibility checker has answered its scraper, or none is scraped. As long as its webhook configurations are there, no CustomResourceDefinition can be created, changed or deleted, nor any object whose requirement denies.',
  runbook: 'crd-compatibility-checker-down',
};

const failing: AlertRule = {
  alert: 'CRDCompatibilityWebhookFailing',
  expr: `sum by (name) (rate(${seenByServer.name}{${OWN_HOOKS},error_type!="no_error"}[5m])) > 0`,
  for: '5m',
  severity: 'warning',
  summary: 'The API server cannot ask the webhook {{ $labels.name }}.',
  description:
    'For five minutes the API server has refused writes because the webhook {{ $labels.name }} of the CRD compatibility checker could not be asked or did not answer in time.',
  runbook: 'crd-compatibility-checker-down',
};

const notMet: AlertRule = {
  alert: 'CRDCompatibilityRequirementNotMet',
  expr: `${condition('Compatible')} == 0`,
  for: '10m',
  severity: 'warning',
  summary: '{{ $labels.crd }} is not what requirement {{ $labels.requirement }} needs.',
  description:
    'For ten minutes the CustomResourceDefinition {{ $labels.crd }} has been missing or has not met the requirement {{ $labels.requirement }}. The controllers of its owner may fail on objects of this kind.',
  runbook: 'crd-compatibility-requirement',
};

const notAdmitted: AlertRule = {
  alert: 'CRDCompatibilityRequirementNotAdmitted',
  expr: `${condition('Admitted')} == 0`,
  for: '10m',
  severity: 'warning',
  summary: 'Requirement {{ $labels.requirement }} is not enforced.',
  description:
    'For ten minutes the requirement {{ $labels.requirement }} has not been enforced: {{ $labels.crd }} may be changed in ways that break its owner.',
  runbook: 'crd-compatibility-requirement',
};

const DASHBOARD: Dashboard = {
  uid: 'crd-compatibility',
  title: 'CRD compatibility',
  description: 'Reviews of the CRD compatibility checker, and the state of its requirements.',
  rows: ['Requirements', 'Reviews'],
};

const requirementPanels: readonly Panel[] = ['Compatible', 'Admitted', 'Progressing'].map((type) => ({
  title: type,
  description: `Whether the condition ${type} of each requirement is True.`,
  kind: 'timeseries',
  unit: 'short',
  queries: [{ expr: condition(type), legend: '{{requirement}}' }],
}));

const reviewPanels: readonly Panel[] = [
  {
    title: 'CRDs Reviewed',
    description: 'Writes of CustomResourceDefinitions per second, by outcome.',
    kind: 'timeseries',
    unit: 'reqps',
    queries: [{ expr: `sum by (outcome) (rate(${definitionReviews.name}[5m]))`, legend: '{{outcome}}' }],
  },
  {
    title: 'Objects Reviewed',
    description: 'Writes of objects per second, by requirement and outcome.',
    kind: 'timeseries',
    unit: 'reqps',
    queries: [
      {
        expr: `sum by (requirement, outcome) (rate(${objectReviews.name}[5m]))`,
        legend: '{{requirement}} {{outcome}}',
      },
    ],
  },
  {
    title: 'Object Review Latency',
    description: 'How long it takes to review an object.',
    kind: 'timeseries',
    unit: 's',
    queries: [0.5, 0.95, 0.99].map((share) => ({
      expr: `histogram_quantile(${share}, sum by (le) (rate(${objectReviewSeconds.name}_bucket[5m])))`,
      legend: `p${share * 100}`,
    })),
  },
  {
    title: 'Refused by the API Server',
    description: 'Writes refused by the checker, or because it did not answer, as the API server counts them.',
    kind: 'timeseries',
    unit: 'reqps',
    queries: [
      {
        expr: `sum by (name, error_type) (rate(${seenByServer.name}{${OWN_HOOKS}}[5m]))`,
        legend: '{{name}} {{error_type}}',
      },
    ],
  },
];

/** What there is to see of the checker, and when to be woken for it. */
export const checkerObservability: Observability = {
  component: 'crd-compatibility',
  metricsAt: '`/metrics` on `--metrics-bind-address`, port 8080 in the manifests',
  metrics: checkerMetricDeclarations,
  external: [seenByServer, targetUp],
  ruleGroups: [{ name: 'crd-compatibility', rules: [down, failing, notMet, notAdmitted] }],
  rows: [
    { dashboard: DASHBOARD, row: 'Requirements', panels: requirementPanels },
    { dashboard: DASHBOARD, row: 'Reviews', panels: reviewPanels },
  ],
  logs: [],
};
