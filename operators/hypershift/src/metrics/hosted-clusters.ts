import type { HostedCluster } from '@capstan/api/hypershift';
import { conditionsOf, HAS_BEEN_AVAILABLE_ANNOTATION } from '@capstan/hosting';
import { isConditionTrue, LiveGauge } from '@capstan/meta';
import type { Clock, GaugeDeclaration, MetricFamily } from '@capstan/meta';
import {
  clusterAvailable,
  clusterCount,
  clusterDeleting,
  clusterFailures,
  clusterRollingOut,
  clusterUpgrading,
  clusterWaiting,
} from './declarations.js';
import { controlPlaneVersionMetrics } from './control-plane-versions.js';
import { counted, failuresIn, namesOf, secondsSince } from './samples.js';
import type { Sample } from './samples.js';

/** What conditions of a cluster say when all is well; others are neither good nor bad. */
const GOOD: ReadonlyMap<string, 'False' | 'True'> = new Map([
  ['Available', 'True'],
  ['Degraded', 'False'],
  ['ClusterVersionAvailable', 'True'],
  ['ClusterVersionReleaseAccepted', 'True'],
  ['ClusterVersionSucceeding', 'True'],
  ['EtcdAvailable', 'True'],
  ['IgnitionEndpointAvailable', 'True'],
  ['InfrastructureReady', 'True'],
  ['KubeAPIServerAvailable', 'True'],
  ['PlatformCredentialsFound', 'True'],
  ['ReconciliationActive', 'True'],
  ['ReconciliationSucceeded', 'True'],
  ['SupportedHostedCluster', 'True'],
  ['ValidConfiguration', 'True'],
  ['ValidHostedControlPlaneConfiguration', 'True'],
  ['ValidReleaseImage', 'True'],
]);

/** Where clusters are counted from, and where the numbers go. */
export interface HostedClusterSource {
  readonly clusters: () => Iterable<HostedCluster>;
  readonly clock: Pick<Clock, 'now'>;
  readonly metrics: { register(...families: readonly MetricFamily[]): void };
}

/** Registers counts and durations of HostedClusters, computed at every scrape. */
export function registerHostedClusterMetrics({ clock, clusters, metrics }: HostedClusterSource): void {
  const per = (
    declaration: GaugeDeclaration,
    value: (cluster: HostedCluster, nowMs: number) => number | undefined,
  ): LiveGauge => LiveGauge.of(declaration, () => perCluster(clusters(), (cluster) => value(cluster, clock.now())));
  metrics.register(
    LiveGauge.of(clusterCount, () => counted([...clusters()].map((cluster) => [platformOf(cluster)]))),
    LiveGauge.of(clusterFailures, () =>
      counted([...clusters()].flatMap((cluster) => failuresOf(cluster).map((each) => [platformOf(cluster), each]))),
    ),
    per(clusterAvailable, (cluster) => (isDeleting(cluster) ? undefined : Number(isAvailable(cluster)))),
    per(clusterWaiting, (cluster, nowMs) =>
      isDeleting(cluster) || hasBeenAvailable(cluster)
        ? undefined
        : secondsSince(cluster.metadata.creationTimestamp, nowMs),
    ),
    per(clusterRollingOut, (cluster, nowMs) =>
      isDeleting(cluster) || lastVersion(cluster) !== undefined
        ? undefined
        : secondsSince(cluster.metadata.creationTimestamp, nowMs),
    ),
    LiveGauge.of(clusterUpgrading, () => upgrades(clusters(), clock.now())),
    per(clusterDeleting, ({ metadata }, nowMs) => secondsSince(metadata.deletionTimestamp, nowMs)),
    ...controlPlaneVersionMetrics(clusters),
  );
}

function failuresOf(cluster: HostedCluster): string[] {
  return failuresIn(conditionsOf(cluster) ?? [], GOOD);
}

function isDeleting({ metadata }: HostedCluster): boolean {
  return (metadata.deletionTimestamp ?? undefined) !== undefined;
}

function isAvailable(cluster: HostedCluster): boolean {
  return isConditionTrue(conditionsOf(cluster), 'Available');
}

function hasBeenAvailable(cluster: HostedCluster): boolean {
  return isAvailable(cluster) || Object.hasOwn(cluster.metadata.annotations ?? {}, HAS_BEEN_AVAILABLE_ANNOTATION);
}

function* perCluster(
  clusters: Iterable<HostedCluster>,
  value: (cluster: HostedCluster) => number | undefined,
): Iterable<Sample> {
  for (const cluster of clusters) {
    const number = value(cluster);
    if (number !== undefined) yield [namesOf(cluster), number];
  }
}

/** The version the cluster has come to last. */
function lastVersion({ status }: HostedCluster): string | undefined {
  return status?.version?.history?.find(({ state }) => state === 'Completed')?.version;
}

function* upgrades(clusters: Iterable<HostedCluster>, nowMs: number): Iterable<Sample> {
  for (const cluster of clusters) {
    const previous = lastVersion(cluster);
    const [newest] = cluster.status?.version?.history ?? [];
    const seconds = newest?.state === 'Partial' ? secondsSince(newest.startedTime, nowMs) : undefined;
    if (previous !== undefined && seconds !== undefined)
      yield [[...namesOf(cluster), previous, newest?.version ?? ''], seconds];
  }
}

function platformOf({ spec }: HostedCluster): string {
  return spec?.platform.type ?? '';
}
