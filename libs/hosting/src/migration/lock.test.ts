import type { HostedCluster } from '@capstan/api/hypershift';
import { describe, expect, it } from 'vitest';
import {
  annotated,
  committed,
  ineligibility,
  lockOf,
  phaseOf,
  rollbackOf,
  withLock,
  withoutLock,
  withRollback,
} from './lock.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const JOURNAL = { id: 'a1', startedAt: '2026-01-01T00:00:00Z' };

function cluster(annotations: Record<string, string>, more: object = {}, spec: object = {}): HostedCluster {
  const own = Object.entries(annotations).map(([name, value]) => [`hypershift.openshift.io/${name}`, value]);
  const metadata = { name: 'a', namespace: 'clusters', annotations: Object.fromEntries(own), ...more };
  return { apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'HostedCluster', metadata, spec } as HostedCluster;
}

describe('The lock', () => {
  it.each<[string, Record<string, string>, string]>([
    ['is held by nobody without its annotation', { scope: 'legacy' }, 'nobody'],
    [
      'is ours with a journal',
      { 'migration-in-progress': 'true', 'migration-journal': '{"id":"a","startedAt":"2026"}' },
      'migration',
    ],
    ['is foreign without a journal', { 'migration-in-progress': 'true' }, 'foreign'],
    [
      'is foreign with a journal that cannot be read',
      { 'migration-in-progress': 'true', 'migration-journal': '{' },
      'foreign',
    ],
  ])('%s', (_, annotations, holder) => {
    expect(lockOf(cluster(annotations)).holder).toBe(holder);
  });

  it('is set and removed with its journal', () => {
    const before = cluster({ scope: 'legacy' });
    const locked = withLock(before, JOURNAL);
    expect(lockOf(locked)).toEqual({ holder: 'migration', journal: JOURNAL });
    expect(withoutLock(locked)).toEqual(before);
  });

  it('leaves an object alone that has no such annotation: nothing is to be written', () => {
    const { annotations: _, ...metadata } = cluster({}).metadata;
    const bare = { ...cluster({}), metadata };
    expect(annotated(bare, { 'hypershift.openshift.io/migration-in-progress': undefined })).toBe(bare);
  });
});

describe('A locked HostedCluster', () => {
  it('goes forward, back once a failure is recorded, and to its end after the commit', () => {
    const locked = withLock(cluster({ scope: 'legacy' }), JOURNAL);
    expect(phaseOf(locked)).toBe('forward');
    expect(phaseOf(withLock(cluster({ scope: 'legacy', 'migration-failed': 'x' }), JOURNAL))).toBe('rollback');
    expect(phaseOf(committed(locked))).toBe('finish');
    expect(phaseOf(withLock(cluster({ 'private-capi-types': 'true', 'migration-failed': 'x' }), JOURNAL))).toBe(
      'rollback',
    );
  });

  it('goes back for good once its journal has a rollback, whatever becomes of its annotations', () => {
    const CAUSE = { reason: 'deployment-timeout', message: 'Deployment a has 0 of 1 replicas' };
    for (const before of [cluster({ scope: 'legacy' }), cluster({ 'private-capi-types': 'true' })]) {
      const back = withRollback(withLock(before, JOURNAL), CAUSE);
      const removed = annotated(back, {
        'hypershift.openshift.io/migration-failed': undefined,
        'hypershift.openshift.io/migration-failure-message': undefined,
      });
      expect([phaseOf(back), phaseOf(removed), rollbackOf(removed)]).toEqual(['rollback', 'rollback', CAUSE]);
      const changed = annotated(removed, { 'hypershift.openshift.io/migration-failed': 'other' });
      expect(withRollback(changed, { reason: 'other' }).metadata.annotations).toEqual(back.metadata.annotations);
      expect(withRollback(back, CAUSE)).toBe(back);
      expect(phaseOf(withoutLock(removed))).not.toBe('rollback');
    }
  });

  it('takes a failure that another client has set over into its journal', () => {
    const set = annotated(withLock(cluster({ scope: 'legacy' }), JOURNAL), {
      'hypershift.openshift.io/migration-failed': 'by-hand',
    });
    const recorded = withRollback(set, rollbackOf(set) ?? { reason: '' });
    expect(lockOf(recorded)).toEqual({ holder: 'migration', journal: { ...JOURNAL, rollback: { reason: 'by-hand' } } });
  });

  it('is never both legacy and private', () => {
    expect(committed(cluster({ scope: 'legacy' })).metadata.annotations).toEqual({
      'hypershift.openshift.io/private-capi-types': 'true',
    });
  });
});

describe('A HostedCluster is eligible', () => {
  it.each<[string, HostedCluster, string | undefined]>([
    ['on standard types', cluster({ scope: 'legacy' }), undefined],
    ['not when it is migrated', cluster({ 'private-capi-types': 'true' }), 'it is migrated'],
    ['not when it is new', cluster({}), 'another operator reconciles it'],
    ['not when another shard reconciles it', cluster({ scope: 'shard-1' }), 'another operator reconciles it'],
    ['not while it is deleted', cluster({ scope: 'legacy' }, { deletionTimestamp: '2026' }), 'it is being deleted'],
    ['not under a lock', cluster({ scope: 'legacy', 'migration-in-progress': 'true' }), 'holds the lock'],
    ['not after a failure', cluster({ scope: 'legacy', 'migration-failed': 'health-check-timeout' }), 'to retry'],
    ['not while it is paused', cluster({ scope: 'legacy' }, {}, { pausedUntil: 'true' }), 'spec.pausedUntil'],
    ['after its pause', cluster({ scope: 'legacy' }, {}, { pausedUntil: '2025-01-01T00:00:00Z' }), undefined],
  ])('%s', (_, each, reason) => {
    const found = ineligibility(each, NOW);
    if (reason === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(reason);
  });
});
