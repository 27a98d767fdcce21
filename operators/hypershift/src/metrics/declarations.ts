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
  'HostedClusters of a platform whose condition does not have its healthy status.',
  ['platform', 'condition'],
);

/** Whether each can be used. */
export const clusterAvailable: GaugeDeclaration = gauge(
  'hypershift_cluster_available',
  'Whether a HostedCluster is available: 1 or 0; absent while it is being deleted.',
  OF_CLUSTER,
);

/** How long each has been awaited. */
export const clusterWaiting: GaugeDeclaration = gauge(
  'hypershift_cluster_waiting_initial_availability_duration_seconds',
  'Seconds since the creation of a HostedCluster that has never been available; absent once it has been.',
  OF_CLUSTER,
);

/** Per object, while its first version is not rolled out. */
export const clusterRollingOut: GaugeDeclaration = gauge(
  'hypershift_cluster_initial_rolling_out_duration_seconds',
  'Seconds since the creation of a HostedCluster whose first version is not rolled out; absent once it is.',
  OF_CLUSTER,
);

/** Per object, while it is upgraded. */
export const clusterUpgrading: GaugeDeclaration = gauge(
  'hypershift_cluster_upgrading_duration_seconds',
  'Seconds since an upgrade of a HostedCluster to another version began; absent while none is in progress.',
  [...OF_CLUSTER, 'previous_version', 'new_version'],
);

/** Per object, while it is being deleted. */
export const clusterDeleting: GaugeDeclaration = gauge(
  'hypershift_cluster_deleting_duration_seconds',
  'Seconds since the deletion of a HostedCluster was requested; absent while it is not being deleted.',
  OF_CLUSTER,
);

/** Which version each control plane is brought to, and which it had last. */
export const controlPlaneVersionInfo: GaugeDeclaration = gauge(
  'hypershift_control_plane_version_info',
  'Always 1; the version that the control plane of a HostedCluster runs or is upgrading to, and the last whose rollout completed.',
  [...OF_CLUSTER, 'version', 'completed_version'],
);

/** Whether each control plane is there. */
export const controlPlaneVersionState: GaugeDeclaration = gauge(
  'hypershift_control_plane_version_state',
  'State of the rollout of the control plane of a HostedCluster, Completed or Partial: 1 for the current state, 0 for the other.',
  [...OF_CLUSTER, 'state'],
);

/** Since when. */
export const controlPlaneVersionStart: GaugeDeclaration = gauge(
  'hypershift_control_plane_version_start_time_seconds',
  'When the control plane of a HostedCluster began to roll out its version, in seconds since 1970.',
  OF_CLUSTER,
);

/** NodePools by platform. */
export const poolCount: GaugeDeclaration = gauge('hypershift_nodepools', 'NodePools of a platform.', ['platform']);

/** What is not as it should be, by platform. */
export const poolFailures: GaugeDeclaration = gauge(
  'hypershift_nodepools_failure_conditions',
  'NodePools of a platform whose condition does not have its healthy status.',
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
  'Desired number of machines of a NodePool.',
  OF_POOL,
);

/** How large each is. */
export const poolAvailable: GaugeDeclaration = gauge(
  'hypershift_nodepools_available_replicas',
  'Machines of a NodePool that are available.',
  OF_POOL,
);

/** Per object, while its first version is not rolled out. */
export const poolRollingOut: GaugeDeclaration = gauge(
  'hypershift_nodepools_initial_rolling_out_duration_seconds',
  'Seconds since the creation of a NodePool whose first version is not rolled out; absent once it is.',
  OF_POOL,
);

/** Per object, while it is upgraded. */
export const poolUpdating: GaugeDeclaration = gauge(
  'hypershift_nodepools_updating_version_duration_seconds',
  'Seconds since an upgrade of a NodePool to another version began; absent while none is in progress.',
  OF_POOL,
);

/** Per object, while it is being deleted. */
export const poolDeleting: GaugeDeclaration = gauge(
  'hypershift_nodepools_deleting_duration_seconds',
  'Seconds since the deletion of a NodePool was requested; absent while it is not being deleted.',
  OF_POOL,
);

/** How long conditions take to become true. */
export const poolTransitions: HistogramDeclaration = {
  type: 'histogram',
  name: 'hypershift_nodepools_transition_seconds',
  help: 'Seconds from the creation of a NodePool until a condition of it became true.',
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
