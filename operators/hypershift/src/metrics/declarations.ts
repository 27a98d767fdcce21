import type { GaugeDeclaration, HistogramDeclaration, MetricDeclaration } from '@capstan/meta';

/** Metrics of HostedClusters and NodePools under the names of HyperShift. Gauges are computed at every scrape. */

const OF_CLUSTER = ['namespace', 'name', '_id'] as const;
const OF_POOL = ['namespace', 'name', '_id', 'cluster_name', 'platform'] as const;

function gauge(name: string, help: string, labels: readonly string[]): GaugeDeclaration {
  return { type: 'gauge', name, help, labels };
}

/** HostedClusters by platform. */
export const clusterCount: GaugeDeclaration = gauge('hypershift_hostedclusters', 'HostedClusters of a platform.', [
  'platform',
]);

/** What is not as it should be, by platform. */
export const clusterFailures: GaugeDeclaration = gauge(
  'hypershift_hostedclusters_failure_conditions',
  'HostedClusters of a platform with a condition that is not as it should be.',
  ['platform', 'condition'],
);

/** Whether each can be used. */
export const clusterAvailable: GaugeDeclaration = gauge(
  'hypershift_cluster_available',
  'Whether a HostedCluster is available: 1 or 0; absent while it goes.',
  OF_CLUSTER,
);

/** How long each has been awaited. */
export const clusterWaiting: GaugeDeclaration = gauge(
  'hypershift_cluster_waiting_initial_availability_duration_seconds',
  'How long a HostedCluster has been there without ever having been available; absent once it was.',
  OF_CLUSTER,
);

/** How long each has been on its way to its first version. */
export const clusterRollingOut: GaugeDeclaration = gauge(
  'hypershift_cluster_initial_rolling_out_duration_seconds',
  'How long a HostedCluster has been there without its first version rolled out; absent once it is.',
  OF_CLUSTER,
);

/** How long each has been on its way to another version. */
export const clusterUpgrading: GaugeDeclaration = gauge(
  'hypershift_cluster_upgrading_duration_seconds',
  'How long a HostedCluster has been on its way to another version; absent while it is at one.',
  [...OF_CLUSTER, 'previous_version', 'new_version'],
);

/** How long each has been going. */
export const clusterDeleting: GaugeDeclaration = gauge(
  'hypershift_cluster_deleting_duration_seconds',
  'How long a HostedCluster has been going; absent while it stays.',
  OF_CLUSTER,
);

/** Which version each control plane is brought to, and which it had last. */
export const controlPlaneVersionInfo: GaugeDeclaration = gauge(
  'hypershift_control_plane_version_info',
  'Always 1; the version that the control plane of a HostedCluster is at or on its way to, and the last it was wholly at.',
  [...OF_CLUSTER, 'version', 'completed_version'],
);

/** Whether each control plane is there. */
export const controlPlaneVersionState: GaugeDeclaration = gauge(
  'hypershift_control_plane_version_state',
  'Whether the control plane of a HostedCluster is wholly at its version (Completed) or on its way (Partial): 1 or 0 for each.',
  [...OF_CLUSTER, 'state'],
);

/** Since when. */
export const controlPlaneVersionStart: GaugeDeclaration = gauge(
  'hypershift_control_plane_version_start_time_seconds',
  'When the control plane of a HostedCluster set out for its version, in seconds since 1970.',
  OF_CLUSTER,
);

/** NodePools by platform. */
export const poolCount: GaugeDeclaration = gauge('hypershift_nodepools', 'NodePools of a platform.', ['platform']);

/** What is not as it should be, by platform. */
export const poolFailures: GaugeDeclaration = gauge(
  'hypershift_nodepools_failure_conditions',
  'NodePools of a platform with a condition that is not as it should be.',
  ['platform', 'condition'],
);

/** NodePools by their cluster. */
export const poolsOfCluster: GaugeDeclaration = gauge(
  'hypershift_hostedcluster_nodepools',
  'NodePools of a HostedCluster.',
  [...OF_CLUSTER, 'platform'],
);

/** How large each is to be. */
export const poolSize: GaugeDeclaration = gauge(
  'hypershift_nodepools_size',
  'Machines a NodePool is to have.',
  OF_POOL,
);

/** How large each is. */
export const poolAvailable: GaugeDeclaration = gauge(
  'hypershift_nodepools_available_replicas',
  'Machines of a NodePool that are available.',
  OF_POOL,
);

/** How long each has been on its way to its first version. */
export const poolRollingOut: GaugeDeclaration = gauge(
  'hypershift_nodepools_initial_rolling_out_duration_seconds',
  'How long a NodePool has been there without its first version rolled out; absent once it is.',
  OF_POOL,
);

/** How long each has been on its way to another version. */
export const poolUpdating: GaugeDeclaration = gauge(
  'hypershift_nodepools_updating_version_duration_seconds',
  'How long a NodePool has been on its way to another version; absent while it is at its version.',
  OF_POOL,
);

/** How long each has been going. */
export const poolDeleting: GaugeDeclaration = gauge(
  'hypershift_nodepools_deleting_duration_seconds',
  'How long a NodePool has been going; absent while it stays.',
  OF_POOL,
);

/** How long conditions take to become true. */
export const poolTransitions: HistogramDeclaration = {
  type: 'histogram',
  name: 'hypershift_nodepools_transition_seconds',
  help: 'How long after its creation a condition of a NodePool became true.',
  labels: ['condition'],
  buckets: [5, 10, 20, 30, 60, 90, 120, 180, 240, 300, 360, 480, 600],
};

/** Everything the operator counts itself, in the order of its page. */
export const hypershiftMetricDeclarations: readonly MetricDeclaration[] = [
  clusterCount,
  clusterFailures,
  clusterAvailable,
  clusterWaiting,
  clusterRollingOut,
  clusterUpgrading,
  clusterDeleting,
  controlPlaneVersionInfo,
  controlPlaneVersionState,
  controlPlaneVersionStart,
  poolCount,
  poolFailures,
  poolsOfCluster,
  poolSize,
  poolAvailable,
  poolRollingOut,
  poolUpdating,
  poolDeleting,
  poolTransitions,
];
