import type { HostedCluster } from '@capstan/api/hypershift';
import { isInBothGroups, isPrivate, LEGACY_SCOPE, lockOf, MIGRATION_FAILED_ANNOTATION } from '@capstan/hosting';
import { SCOPE_ANNOTATION, wasMigrated } from '@capstan/hosting';
import { Counter, Histogram, instantToMs, LiveGauge, parseTime } from '@capstan/meta';
import type {
  CounterDeclaration,
  GaugeDeclaration,
  HistogramDeclaration,
  MetricDeclaration,
  MetricFamily,
} from '@capstan/meta';
import { counted } from '../metrics/samples.js';
import type { Sample } from '../metrics/samples.js';
import { FAILURE_REASONS } from './reasons.js';

/** HostedClusters that were on standard types and are on private ones now. */
export const migratedClusters: CounterDeclaration = {
  type: 'counter',
  name: 'hypershift_private_capi_migrated_hosted_clusters_total',
  help: 'HostedClusters migrated to private Cluster API types; those created on them do not count.',
  labels: [],
};

/** HostedClusters whose turn is still to come. */
export const pendingClusters: GaugeDeclaration = {
  type: 'gauge',
  name: 'hypershift_private_capi_pending_hosted_clusters_total',
  help: 'HostedClusters on standard Cluster API types whose migration has not failed.',
  labels: [],
};

/** HostedClusters that wait for an administrator. */
export const failedClusters: GaugeDeclaration = {
  type: 'gauge',
  name: 'hypershift_private_capi_migration_failed_hosted_clusters_total',
  help: 'HostedClusters whose last migration failed, by the reason of the failure.',
  labels: ['failure_reason'],
};

/** How long migrations take, by the number of Machines. */
export const migrationDuration: HistogramDeclaration = {
  type: 'histogram',
  name: 'hypershift_private_capi_migration_duration_seconds',
  help: 'Seconds from the lock to its release of migrations that succeeded, by the size of the cluster.',
  labels: ['cluster_size'],
  buckets: [60, 120, 300, 600, 900, 1800],
};

/** Present only while a cluster is locked, so that a difference to the present is never that of an earlier migration. */
export const migrationStart: GaugeDeclaration = {
  type: 'gauge',
  name: 'hypershift_private_capi_migration_start_time',
  help: 'When the migration of a HostedCluster began, in seconds since 1970; absent once it has ended.',
  labels: ['namespace', 'name'],
};

/** Locks that no migration of this operator holds. */
export const foreignLocks: GaugeDeclaration = {
  type: 'gauge',
  name: 'hypershift_private_capi_migration_foreign_locks',
  help: 'Always 1; HostedClusters with a migration lock that another client has set: nothing reconciles them.',
  labels: ['namespace', 'name'],
};

/** Clusters whose Cluster API objects do not decide by which operator they are reconciled. */
export const bothGroups: GaugeDeclaration = {
  type: 'gauge',
  name: 'hypershift_private_capi_migration_both_groups',
  help: 'Always 1; HostedClusters with Cluster API objects in both groups and no journal of a migration: nothing reconciles them.',
  labels: ['namespace', 'name'],
};

/** All metrics of the migration, in the order of the page. */
export const migrationMetricDeclarations: readonly MetricDeclaration[] = [
  migratedClusters,
  pendingClusters,
  failedClusters,
  migrationDuration,
  migrationStart,
  foreignLocks,
  bothGroups,
];

const MOST_SMALL = 10;
const MOST_MEDIUM = 99;

/** The label of a cluster with so many Machines. */
export function clusterSize(machines: number): 'large' | 'medium' | 'small' {
  if (machines <= MOST_SMALL) return 'small';
  return machines <= MOST_MEDIUM ? 'medium' : 'large';
}

export interface MigrationMetricsSource {
  readonly clusters: () => Iterable<HostedCluster>;
  readonly metrics: { register(...families: readonly MetricFamily[]): void };
}

/** Shows how far the migration of a fleet is. Everything but durations is computed from the clusters at every scrape. */
export class MigrationMetrics {
  readonly #durations = Histogram.of(migrationDuration);

  constructor({ clusters, metrics }: MigrationMetricsSource) {
    metrics.register(
      new MigratedCounter(clusters),
      LiveGauge.of(pendingClusters, () => [[[], [...clusters()].filter(isPending).length]]),
      LiveGauge.of(failedClusters, () => counted([...clusters()].flatMap(failureOf))),
      this.#durations,
      LiveGauge.of(migrationStart, () => [...clusters()].flatMap(startOf)),
      LiveGauge.of(foreignLocks, () =>
        [...clusters()].flatMap((each) => (lockOf(each).holder === 'foreign' ? [[namesOf(each), 1] as const] : [])),
      ),
      LiveGauge.of(bothGroups, () =>
        [...clusters()].flatMap((each) => (isInBothGroups(each) ? [[namesOf(each), 1] as const] : [])),
      ),
    );
  }

  /** Notes a migration that has succeeded. */
  succeeded({ machines, seconds }: { readonly machines: number; readonly seconds: number }): void {
    this.#durations.observe([clusterSize(machines)], seconds);
  }
}

/**
 * Counts each cluster once. A new process begins with those that were migrated before it; a cluster that is deleted later
 * was migrated all the same, and one that is rolled back by hand too.
 */
class MigratedCounter implements MetricFamily {
  readonly name = migratedClusters.name;
  readonly declaration = migratedClusters;
  readonly #clusters: () => Iterable<HostedCluster>;
  readonly #seen = new Set<string>();

  constructor(clusters: () => Iterable<HostedCluster>) {
    this.#clusters = clusters;
  }

  render(lines: string[]): void {
    for (const cluster of this.#clusters()) if (wasMigrated(cluster)) this.#seen.add(cluster.metadata.uid ?? '');
    const counter = Counter.of(migratedClusters);
    counter.add([], this.#seen.size);
    counter.render(lines);
  }
}

function isPending(cluster: HostedCluster): boolean {
  const { annotations = {} } = cluster.metadata;
  const isLegacy = annotations[SCOPE_ANNOTATION] === LEGACY_SCOPE && !isPrivate(cluster);
  return isLegacy && annotations[MIGRATION_FAILED_ANNOTATION] === undefined;
}

const KNOWN_REASONS: ReadonlySet<string> = new Set(FAILURE_REASONS);

/** A reason that a user has written is counted without it: labels have to stay few. */
function failureOf({ metadata }: HostedCluster): readonly (readonly string[])[] {
  const reason = metadata.annotations?.[MIGRATION_FAILED_ANNOTATION];
  if (reason === undefined) return [];
  return [[KNOWN_REASONS.has(reason) ? reason : 'other']];
}

function startOf(cluster: HostedCluster): readonly Sample[] {
  const lock = lockOf(cluster);
  if (lock.holder !== 'migration') return [];
  const startedMs = Date.parse(lock.journal.startedAt);
  return Number.isNaN(startedMs) ? [] : [[namesOf(cluster), startedMs / 1000]];
}

function namesOf({ metadata: { name = '', namespace = '' } }: HostedCluster): readonly string[] {
  return [namespace, name];
}

/** Seconds from the start of a migration to a moment. */
export function secondsFrom(startedAt: string, nowMs: number): number {
  return Math.max(0, (nowMs - instantToMs(parseTime(startedAt))) / 1000);
}
