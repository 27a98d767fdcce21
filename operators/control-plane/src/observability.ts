import { controllerPanels, HOSTED_CLUSTERS_DASHBOARD, runtimeMetrics, targetUp } from '@capstan/observability';
import type { AlertRule, Observability } from '@capstan/observability';

const containers = 'container=~"control-plane-operator|hosted-cluster-config-operator"';

/** Where no cluster is hosted there are none of them, so nobody is missed whom nobody scrapes. */
const down: AlertRule = {
  alert: 'HyperShiftControlPlaneOperatorDown',
  expr: `max by (namespace, container) (${targetUp.name}{${containers}}) == 0`,
  for: '10m',
  severity: 'warning',
  summary: 'The {{ $labels.container }} of {{ $labels.namespace }} does not answer.',
  description:
    'For ten minutes the {{ $labels.container }} of {{ $labels.namespace }} has not answered its scraper. The control plane in that namespace keeps running, but it is not upgraded, certificates are not renewed, and nodes are not upgraded in place.',
  runbook: 'hosted-cluster-operators-down',
};

/** What there is to see of the operators of control planes, and when to be woken for them. */
export const controlPlaneObservability: Observability = {
  component: 'control-plane',
  metricsAt:
    '`/metrics` on `--metrics-addr` (control-plane-operator) and `--metrics-bind-address` (hosted-cluster-config-operator), in the namespace of each control plane',
  metrics: [],
  external: [...runtimeMetrics, targetUp],
  ruleGroups: [{ name: 'hypershift-control-plane-operators', rules: [down] }],
  rows: [
    {
      dashboard: HOSTED_CLUSTERS_DASHBOARD,
      row: 'Operators of Control Planes',
      panels: controllerPanels(['hosted-control-plane', 'hosted-cluster', 'in-place-upgrader', 'node-labels']),
    },
  ],
  logs: [
    {
      message: 'the hosted cluster does not accept CRDs yet',
      level: 'info',
      meaning: 'the API server of a hosted cluster refuses CRDs, which is tried again; `error` names the cause',
    },
  ],
};
