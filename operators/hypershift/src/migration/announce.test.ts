import type { HostedCluster } from '@capstan/api/hypershift';
import { withLock } from '@capstan/hosting';
import { describe, expect, it } from 'vitest';
import { announcement } from './announce.js';

const own = (name: string): string => `hypershift.openshift.io/${name}`;
const LEGACY = { [own('scope')]: 'legacy' };
const PRIVATE = { [own('private-capi-types')]: 'true' };
const FOREIGN = { [own('migration-in-progress')]: 'true' };

const FAILED = { ...LEGACY, [own('migration-failed')]: 'x', [own('migration-failure-message')]: 'why' };
const ENDED = { [own('migration-ended')]: '{"machines":1,"seconds":60}' };
const ROLLED_BACK =
  'False Failed: rolled back (x): why; remove the annotation hypershift.openshift.io/migration-failed to retry';
const MIGRATED = 'True Migrated: Cluster API objects are in the private groups';

type Shown = readonly [status: string, reason: string];

function cluster(annotations: Readonly<Record<string, string>>, shown?: Shown, message = ''): HostedCluster {
  const [status, reason] = shown ?? [];
  const conditions = shown === undefined ? [] : [{ type: 'PrivateCAPIMigration', status, reason, message }];
  return { metadata: { name: 'a', namespace: 'clusters', annotations }, status: { conditions } } as never;
}

function wanted(of: HostedCluster, held?: string): string | undefined {
  const found = announcement(of, { held, nowMs: 0 });
  return typeof found === 'object' ? `${found.status} ${found.reason}: ${found.message}` : found;
}

describe('a HostedCluster that is not being migrated', () => {
  it.each<[string, HostedCluster, string | undefined]>([
    ['is pending on standard types', cluster(LEGACY), 'False Pending: waiting for its turn'],
    ['stays as it is announced', cluster(LEGACY, ['False', 'Pending'], 'waiting for its turn'), undefined],
    ['reports why it failed', cluster(FAILED, ['False', 'RollingBack'], 'step 9 of 9'), ROLLED_BACK],
    ['stays as it failed', cluster(FAILED, ['False', 'Failed'], ROLLED_BACK.slice(14)), undefined],
    ['reports that it is migrated', cluster(PRIVATE, ['True', 'InProgress'], 'step 2 of 2'), MIGRATED],
    ['reports that it is migrated after a refused condition', cluster({ ...PRIVATE, ...ENDED }), MIGRATED],
    ['stays as it is migrated', cluster(PRIVATE, ['True', 'Migrated'], MIGRATED.slice(15)), undefined],
    [
      'is pending again once that is removed',
      cluster(LEGACY, ['False', 'Failed']),
      'False Pending: waiting for its turn',
    ],
    ['is left alone while it is migrated', withLock(cluster(LEGACY), { id: 'a', startedAt: '' }), undefined],
    ['is left alone when it was created on private types', cluster(PRIVATE), undefined],
    ['is left alone when another operator reconciles it', cluster({ [own('scope')]: 'shard-2' }), undefined],
  ])('%s', (_, of, expected) => {
    expect(wanted(of)).toBe(expected);
  });

  it('reports that migrations are held', () => {
    expect(wanted(cluster(LEGACY), 'migrations are held')).toBe('False Pending: migrations are held');
  });
});

describe('a HostedCluster with objects in both groups and no journal', () => {
  const both = { ...LEGACY, ...PRIVATE };

  it.each(['True', 'Unknown'])('is left to its controller, which reports it (%s)', (status) => {
    expect(wanted(cluster(both, [status, 'BothGroups']))).toBeUndefined();
    expect(wanted(cluster({}, [status, 'BothGroups']))).toBeUndefined();
  });

  it('is what it was before once a user has decided', () => {
    expect(wanted(cluster(PRIVATE, ['True', 'BothGroups']))).toMatch(/^True Migrated: /);
    expect(wanted(cluster(PRIVATE, ['Unknown', 'BothGroups']))).toBe('remove');
    expect(wanted(cluster(LEGACY, ['Unknown', 'BothGroups']))).toBe('False Pending: waiting for its turn');
    expect(wanted(cluster({ [own('migration-failed')]: 'x' }, ['Unknown', 'BothGroups']))).toBe('remove');
  });
});

describe('the lock of another client', () => {
  it.each<[string, HostedCluster, string]>([
    ['standard types', cluster({ ...LEGACY, ...FOREIGN }, ['False', 'Pending']), 'False'],
    ['private types, migrated', cluster({ ...PRIVATE, ...FOREIGN }, ['True', 'Migrated']), 'True'],
    ['private types, new', cluster({ ...PRIVATE, ...FOREIGN }), 'Unknown'],
  ])('is reported on %s', (_, of, status) => {
    expect(wanted(of)).toMatch(new RegExp(`^${status} ForeignLock: another client has set the annotation`));
  });

  it('leaves what was there before once it is removed', () => {
    expect(wanted(cluster(PRIVATE, ['True', 'ForeignLock']))).toMatch(/^True Migrated: /);
    expect(wanted(cluster(PRIVATE, ['Unknown', 'ForeignLock']))).toBe('remove');
    expect(wanted(cluster(LEGACY, ['False', 'ForeignLock']))).toBe('False Pending: waiting for its turn');
  });
});
