import type { MetricDeclaration } from '@capstan/meta';
import type { Panel } from './model.js';

const reconciles = {
  type: 'counter',
  name: 'controller_runtime_reconcile_total',
  help: 'Reconciliations by controller and result.',
  labels: ['controller', 'result'],
} as const satisfies MetricDeclaration;
const failures = {
  type: 'counter',
  name: 'controller_runtime_reconcile_errors_total',
  help: 'Reconciliations that failed.',
  labels: ['controller'],
} as const satisfies MetricDeclaration;
const seconds = {
  type: 'histogram',
  name: 'controller_runtime_reconcile_time_seconds',
  help: 'How long reconciliations took.',
  labels: ['controller'],
  buckets: [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75,
    2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
  ],
} as const satisfies MetricDeclaration;
const depth = {
  type: 'gauge',
  name: 'workqueue_depth',
  help: 'Keys ready to be taken.',
  labels: ['name', 'controller', 'priority'],
} as const satisfies MetricDeclaration;

/** What every operator shows that runs on the controller runtime, as far as panels ask for it. */
export const runtimeMetrics: readonly MetricDeclaration[] = [reconciles, failures, seconds, depth];

/** What controllers do, under the names they have. */
export function controllerPanels(controllers: readonly string[]): readonly Panel[] {
  const own = `{controller=~"${controllers.join('|')}"}`;
  return [
    {
      title: 'Reconciliations',
      description: 'Reconciliations per second by controller and result.',
      kind: 'timeseries',
      unit: 'reqps',
      queries: [
        {
          expr: `sum by (controller, result) (rate(${reconciles.name}${own}[5m]))`,
          legend: '{{controller}} {{result}}',
        },
      ],
    },
    {
      title: 'Failed Reconciliations',
      description: 'Reconciliations that failed, per second, by controller.',
      kind: 'timeseries',
      unit: 'short',
      queries: [{ expr: `sum by (controller) (rate(${failures.name}${own}[5m]))`, legend: '{{controller}}' }],
    },
    {
      title: 'Time of Reconciliations',
      description: 'How long one reconciliation in twenty takes at least.',
      kind: 'timeseries',
      unit: 's',
      queries: [
        {
          expr: `histogram_quantile(0.95, sum by (controller, le) (rate(${seconds.name}_bucket${own}[5m])))`,
          legend: '{{controller}} p95',
        },
      ],
    },
    {
      title: 'Waiting',
      description: 'Objects waiting to be reconciled, by controller.',
      kind: 'timeseries',
      unit: 'short',
      queries: [{ expr: `sum by (controller) (${depth.name}${own})`, legend: '{{controller}}' }],
    },
  ];
}
