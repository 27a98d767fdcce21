import { humanDuration } from '@capstan/meta';
import { controllerPanels, HOSTED_CLUSTERS_DASHBOARD, isAlert, runtimeMetrics, targetUp } from '@capstan/observability';
import type { AlertRule, Observability, Panel, RecordingRule } from '@capstan/observability';
import {
  clusterAvailable,
  clusterCount,
  clusterDeleting,
  clusterFailures,
  clusterUpgrading,
  controlPlaneVersionInfo,
  controlPlaneVersionStart,
  controlPlaneVersionState,
  hypershiftMetricDeclarations,
  poolAvailable,
  poolFailures,
  poolRollingOut,
  poolSize,
  poolUpdating,
} from './metrics/declarations.js';
import { migrationMetricDeclarations } from './migration/metrics.js';
import { migrationLogs, migrationPanels, migrationRules } from './migration/observability.js';

/** Each replica of the operator reports every cluster, so the maximum counts. */
const unavailable: AlertRule = {
  alert: 'HyperShiftHostedClusterUnavailable',
  expr: `max by (namespace, name) (${clusterAvailable.name}) == 0`,
  for: '30m',
  severity: 'critical',
  summary: 'The hosted cluster {{ $labels.namespace }}/{{ $labels.name }} is not available.',
  description:
    'For half an hour the hosted cluster {{ $labels.namespace }}/{{ $labels.name }} has not been available: it has not come up yet, or its control plane has failed. Its API may not answer; workloads on its nodes keep running.',
  runbook: 'hosted-cluster-unavailable',
};

/** A large pool takes long, so the limit is generous; a pool that stands still stays so. */
const MOST_SECONDS = 2 * 3600;

const notAtVersion: AlertRule = {
  alert: 'HyperShiftNodePoolNotAtVersion',
  expr: `max by (namespace, name, cluster_name) (${poolUpdating.name} or ${poolRollingOut.name}) > ${MOST_SECONDS}`,
  for: '5m',
  severity: 'warning',
  summary: 'The node pool {{ $labels.namespace }}/{{ $labels.name }} does not complete its upgrade.',
  description:
    'For {{ $value | humanizeDuration }} the node pool {{ $labels.namespace }}/{{ $labels.name }} of {{ $labels.cluster_name }} has been upgrading to its desired version, where two hours are the limit. Nodes that were not replaced or upgraded stay on the old version, or there are none yet.',
  runbook: 'node-pool-not-at-version',
};

/** As the ServiceMonitor of the operator calls its targets. */
const job = 'job="operator"';

/** An operator that is down reports nothing, and its scrape fails; without any operator there is no scrape. */
const down: AlertRule = {
  alert: 'HyperShiftOperatorDown',
  expr: `sum by (namespace) (${targetUp.name}{${job}}) == 0 or absent(${targetUp.name}{${job}})`,
  for: '5m',
  severity: 'critical',
  summary: 'The operator of hosted clusters does not answer.',
  description:
    'For five minutes no replica of the operator has answered its scraper; where the labels name no namespace, there is none at all, or it is not scraped. Hosted clusters and node pools are not created, changed or deleted; those that run are not affected.',
  runbook: 'hosted-cluster-operators-down',
};

const clusters: readonly Panel[] = [
  {
    title: 'Hosted Clusters',
    description: 'How many there are by platform.',
    kind: 'timeseries',
    unit: 'short',
    queries: [{ expr: `max by (platform) (${clusterCount.name})`, legend: '{{platform}}' }],
  },
  {
    title: 'Clusters Not Available',
    description: 'Hosted clusters that are not available now.',
    kind: 'timeseries',
    unit: 'short',
    queries: [
      { expr: `max by (namespace, name) (1 - ${clusterAvailable.name}) > 0`, legend: '{{namespace}}/{{name}}' },
    ],
  },
  {
    title: 'Cluster Failure Conditions',
    description: 'Hosted clusters whose condition does not have its healthy status.',
    kind: 'timeseries',
    unit: 'short',
    queries: [{ expr: `max by (platform, condition) (${clusterFailures.name})`, legend: '{{platform}} {{condition}}' }],
  },
  {
    title: 'Clusters Upgrading and Being Deleted',
    description: 'How long upgrades and deletions of hosted clusters have been in progress.',
    kind: 'timeseries',
    unit: 's',
    queries: [
      { expr: `max by (namespace, name) (${clusterUpgrading.name})`, legend: '{{namespace}}/{{name}} upgrades' },
      { expr: `max by (namespace, name) (${clusterDeleting.name})`, legend: '{{namespace}}/{{name}} goes' },
    ],
  },
];

/** Each NodePool once, however many replicas report it. */
function perCluster(metric: string): string {
  return `sum by (namespace, cluster_name) (max by (namespace, cluster_name, name) (${metric}))`;
}

const pools: readonly Panel[] = [
  {
    title: 'Machines Desired and Available',
    description: 'Machines of all pools of a cluster.',
    kind: 'timeseries',
    unit: 'short',
    queries: [
      { expr: perCluster(poolSize.name), legend: '{{namespace}}/{{cluster_name}} wanted' },
      { expr: perCluster(poolAvailable.name), legend: '{{namespace}}/{{cluster_name}} available' },
    ],
  },
  {
    title: 'Pools Upgrading',
    description: 'How long upgrades of node pools have been in progress.',
    kind: 'timeseries',
    unit: 's',
    queries: [
      {
        expr: `max by (namespace, name) (${poolUpdating.name} or ${poolRollingOut.name})`,
        legend: '{{namespace}}/{{name}}',
      },
    ],
  },
  {
    title: 'Pool Failure Conditions',
    description: 'Node pools whose condition does not have its healthy status.',
    kind: 'timeseries',
    unit: 'short',
    queries: [{ expr: `max by (platform, condition) (${poolFailures.name})`, legend: '{{platform}} {{condition}}' }],
  },
];

/** Each control plane once, however many replicas report it. */
const newest = {
  version: `max by (namespace, name, version) (${controlPlaneVersionInfo.name})`,
  state: `max by (namespace, name, state) (${controlPlaneVersionState.name})`,
  isPartial: `max by (namespace, name) (${controlPlaneVersionState.name}{state="Partial"}) == 1`,
  seconds: `time() - max by (namespace, name) (${controlPlaneVersionStart.name})`,
} as const;

const fleet: readonly RecordingRule[] = [
  { record: 'version:hypershift_control_planes:count', expr: `count by (version) (${newest.version})` },
  { record: 'state:hypershift_control_planes:sum', expr: `sum by (state) (${newest.state})` },
  {
    record: 'namespace_name:hypershift_control_plane_upgrading:seconds',
    expr: `(${newest.seconds}) and (${newest.isPartial})`,
  },
];

/** By the start time rather than by `for`, which a restart of Prometheus would reset. */
function upgradeStuck(limitSeconds: number): AlertRule {
  const limit = humanDuration(limitSeconds * 1000);
  return {
    alert: 'HyperShiftControlPlaneUpgradeStuck',
    expr: `(${newest.seconds}) > ${limitSeconds} and (${newest.isPartial})`,
    for: '5m',
    severity: 'warning',
    summary: 'The control plane of {{ $labels.namespace }}/{{ $labels.name }} does not complete its upgrade.',
    description: `For {{ $value | humanizeDuration }} the control plane of the hosted cluster {{ $labels.namespace }}/{{ $labels.name }} has been upgrading to its desired version, where ${limit} is the limit. Some of its components may still run the version before, with what that version lacks, and node pools are held to the oldest of them. Its nodes have no part in this.`,
    runbook: 'control-plane-upgrade-stuck',
  };
}

const versions: readonly Panel[] = [
  {
    title: 'Control Planes by Version',
    description: 'How many control planes run a version or are upgrading to it.',
    kind: 'piechart',
    unit: 'short',
    queries: [{ expr: `count by (version) (${newest.version})`, legend: '{{version}}' }],
  },
  {
    title: 'Control Planes by State',
    description: 'How many control planes have completed the rollout of their version, and how many have not.',
    kind: 'timeseries',
    unit: 'short',
    queries: [{ expr: `sum by (state) (${newest.state})`, legend: '{{state}}' }],
  },
  {
    title: 'Control Plane Upgrades Under Way',
    description: 'How long upgrades of control planes have been in progress.',
    kind: 'timeseries',
    unit: 's',
    queries: [{ expr: `(${newest.seconds}) and (${newest.isPartial})`, legend: '{{namespace}}/{{name}}' }],
  },
];

/** What there is to see of hosted clusters and their operator, and when to be woken for them. */
export const hypershiftObservability: Observability = {
  component: 'hypershift',
  metricsAt: '`/metrics` on `--metrics-bind-address`; the targets are the job `operator`',
  metrics: [...hypershiftMetricDeclarations, ...migrationMetricDeclarations],
  external: [...runtimeMetrics, targetUp],
  ruleGroups: [
    { name: 'hypershift-hosted-clusters', rules: [unavailable, notAtVersion, down] },
    { name: 'hypershift-control-plane-versions', rules: [...fleet, upgradeStuck(MOST_SECONDS)] },
    migrationRules,
  ],
  rows: [
    migrationPanels,
    { dashboard: HOSTED_CLUSTERS_DASHBOARD, row: 'Hosted Clusters', panels: clusters },
    { dashboard: HOSTED_CLUSTERS_DASHBOARD, row: 'Control Plane Versions', panels: versions },
    { dashboard: HOSTED_CLUSTERS_DASHBOARD, row: 'Node Pools', panels: pools },
    {
      dashboard: HOSTED_CLUSTERS_DASHBOARD,
      row: 'Operator',
      panels: controllerPanels(['hostedcluster', 'nodepool']),
    },
  ],
  logs: migrationLogs,
};

/** The same with another limit for upgrades of control planes. */
export function withUpgradeLimit(observed: Observability, limitSeconds: number): Observability {
  const stuck = upgradeStuck(limitSeconds);
  const ruleGroups = observed.ruleGroups.map((group) => ({
    ...group,
    rules: group.rules.map((rule) => (isAlert(rule) && rule.alert === stuck.alert ? stuck : rule)),
  }));
  return { ...observed, ruleGroups };
}
