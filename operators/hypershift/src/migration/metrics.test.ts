import type { HostedCluster } from '@capstan/api/hypershift';
import { withLock } from '@capstan/hosting';
import { renderMetrics } from '@capstan/meta';
import type { MetricFamily } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { clusterSize, MigrationMetrics, migrationMetricDeclarations } from './metrics.js';

const own = (name: string): string => `hypershift.openshift.io/${name}`;
const PRIVATE = { [own('private-capi-types')]: 'true' };
const LEGACY = { [own('scope')]: 'legacy' };

function cluster(
  name: string,
  annotations: Readonly<Record<string, string>>,
  status?: string,
  reason = 'Any',
): HostedCluster {
  const conditions = status === undefined ? [] : [{ type: 'PrivateCAPIMigration', status, reason, message: '' }];
  const metadata = { name, namespace: 'clusters', uid: `uid-of-${name}`, annotations };
  return { metadata, status: { conditions } } as unknown as HostedCluster;
}

function page(clusters: () => readonly HostedCluster[]): { metrics: MigrationMetrics; lines: () => string[] } {
  const families: MetricFamily[] = [];
  const register = (...more: readonly MetricFamily[]): void => void families.push(...more);
  const metrics = new MigrationMetrics({ clusters, metrics: { register } });
  return { metrics, lines: () => renderMetrics(families).trimEnd().split('\n') };
}

const samples = (lines: readonly string[]): string[] => lines.filter((line) => !line.startsWith('#'));

describe('metrics of the migration', () => {
  it('have the names and types that are declared', () => {
    const typed = page(() => [])
      .lines()
      .filter((line) => line.startsWith('# TYPE'));
    expect(typed).toEqual(migrationMetricDeclarations.map(({ name, type }) => `# TYPE ${name} ${type}`));
    expect(typed.map((line) => line.replace('# TYPE hypershift_private_capi_', ''))).toEqual([
      'migrated_hosted_clusters_total counter',
      'pending_hosted_clusters_total gauge',
      'migration_failed_hosted_clusters_total gauge',
      'migration_duration_seconds histogram',
      'migration_start_time gauge',
      'migration_foreign_locks gauge',
      'migration_both_groups gauge',
    ]);
  });

  it('distinguish migrated clusters from those that were created on private types', () => {
    const { lines } = page(() => [
      cluster('migrated', PRIVATE, 'True'),
      cluster('new', PRIVATE),
      cluster('new-and-locked', PRIVATE, 'Unknown'),
      cluster('pending', LEGACY, 'False'),
      cluster('not-announced', LEGACY),
      cluster('failed', { ...LEGACY, [own('migration-failed')]: 'health-check-timeout' }, 'False'),
      cluster('by-hand', { ...LEGACY, [own('migration-failed')]: 'set by hand' }, 'False'),
      cluster('another-shard', { [own('scope')]: 'shard-2' }),
    ]);
    expect(samples(lines())).toEqual([
      'hypershift_private_capi_migrated_hosted_clusters_total 1',
      'hypershift_private_capi_pending_hosted_clusters_total 2',
      'hypershift_private_capi_migration_failed_hosted_clusters_total{failure_reason="health-check-timeout"} 1',
      'hypershift_private_capi_migration_failed_hosted_clusters_total{failure_reason="other"} 1',
    ]);
  });

  it('never count back: a new process begins with what was migrated before it', () => {
    const migrated = [cluster('a', PRIVATE, 'True'), cluster('b', PRIVATE, 'True')];
    let now: readonly HostedCluster[] = migrated;
    const { lines } = page(() => now);
    const count = (): string | undefined => samples(lines()).find((line) => line.includes('migrated'));
    expect(count()).toBe('hypershift_private_capi_migrated_hosted_clusters_total 2');
    now = [cluster('c', PRIVATE, 'True')];
    expect(count()).toBe('hypershift_private_capi_migrated_hosted_clusters_total 3');
    now = [];
    expect(count()).toBe('hypershift_private_capi_migrated_hosted_clusters_total 3');
  });

  it('have a start time only while the migration holds the lock, and list locks of others', () => {
    const journal = { id: 'a', startedAt: '2026-01-01T00:00:00Z' };
    const locked = [
      withLock(cluster('ours', LEGACY), journal),
      cluster('theirs', { ...LEGACY, [own('migration-in-progress')]: 'true' }),
    ];
    let now: readonly HostedCluster[] = locked;
    const { lines } = page(() => now);
    const found = (): string[] => samples(lines()).filter((line) => line.includes('{'));
    expect(found()).toEqual([
      `hypershift_private_capi_migration_start_time{namespace="clusters",name="ours"} ${Date.parse(journal.startedAt) / 1000}`,
      'hypershift_private_capi_migration_foreign_locks{namespace="clusters",name="theirs"} 1',
    ]);
    now = [];
    expect(found()).toEqual([]);
  });

  it('list clusters with objects in both groups until their annotations decide', () => {
    const found = cluster('both', { ...LEGACY, ...PRIVATE }, 'Unknown', 'BothGroups');
    let now: readonly HostedCluster[] = [found, cluster('invalid', { ...LEGACY, ...PRIVATE }, 'True')];
    const { lines } = page(() => now);
    const listed = (): string[] => samples(lines()).filter((line) => line.includes('both_groups'));
    expect(listed()).toEqual(['hypershift_private_capi_migration_both_groups{namespace="clusters",name="both"} 1']);
    now = [cluster('both', LEGACY, 'Unknown', 'BothGroups')];
    expect(listed()).toEqual([]);
  });

  it.each([
    [0, 'small'],
    [10, 'small'],
    [11, 'medium'],
    [99, 'medium'],
    [100, 'large'],
  ] as const)('call a cluster of %i Machines %s', (machines, size) => {
    expect(clusterSize(machines)).toBe(size);
    const { lines, metrics } = page(() => []);
    metrics.succeeded({ machines, seconds: 601 });
    const buckets = lines().filter((line) => line.includes('_bucket'));
    const bucket = (le: string, count: number): string =>
      `hypershift_private_capi_migration_duration_seconds_bucket{cluster_size="${size}",le="${le}"} ${count}`;
    const expected = [60, 120, 300, 600].map((le) => bucket(String(le), 0));
    expect(buckets).toEqual([...expected, bucket('900', 1), bucket('1800', 1), bucket('+Inf', 1)]);
  });
});
