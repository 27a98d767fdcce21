import type { HostedCluster } from '@capstan/api/hypershift';
import { annotated, withLock } from '@capstan/hosting';
import { describe, expect, it } from 'vitest';
import { bar, Durations, progressLines, timeLeftMs } from './progress.js';
import { statusOf } from './state.js';
import { statusTable } from './table.js';

const NOW = Date.parse('2026-01-01T00:05:00Z');
const own = (name: string): string => `hypershift.openshift.io/${name}`;
const LEGACY = { [own('scope')]: 'legacy' };
const PRIVATE = { [own('private-capi-types')]: 'true' };
const JOURNAL = { id: 'attempt-1', startedAt: '2026-01-01T00:00:00Z' };

function cluster(
  name: string,
  annotations: Readonly<Record<string, string>>,
  shown?: readonly [status: string, message: string, reason?: string],
): HostedCluster {
  const [status, message, reason = 'Any'] = shown ?? [];
  const conditions = shown === undefined ? [] : [{ type: 'PrivateCAPIMigration', status, reason, message }];
  return { metadata: { name, namespace: 'clusters', annotations }, spec: {}, status: { conditions } } as never;
}

const pending = cluster('pending', LEGACY, ['False', 'waiting for its turn']);
const copying = withLock(
  cluster('copying', LEGACY, ['False', 'step 7 of 13, copy objects: waiting for x: y']),
  JOURNAL,
);
const finishing = withLock(cluster('finishing', PRIVATE, ['True', 'step 2 of 2, release the lock']), JOURNAL);
const locked = withLock(cluster('locked', LEGACY), JOURNAL);
const backing = annotated(
  withLock(cluster('backing', LEGACY, ['False', 'step 4 of 8, remove sidecars', 'RollingBack']), JOURNAL),
  {
    [own('migration-failed')]: 'deployment-timeout',
  },
);
const turning = annotated(withLock(cluster('turning', LEGACY, ['False', 'step 6 of 14, scale down']), JOURNAL), {
  [own('migration-failed')]: 'scale-down-timeout',
});
const failed = cluster('failed', {
  ...LEGACY,
  [own('migration-failed')]: 'deployment-timeout',
  [own('migration-failure-message')]: 'Deployment a has 0 of 1 replicas',
});
const migrated = cluster('migrated', PRIVATE, ['True', 'Cluster API objects are in the private groups']);
const created = cluster('created', PRIVATE);
const foreign = cluster('foreign', { ...LEGACY, [own('migration-in-progress')]: 'true' });
const unmarked = cluster('unmarked', {});
const shard = cluster('shard', { [own('scope')]: 'shard-2' });

const ALL = [pending, copying, finishing, locked, backing, failed, migrated, created, foreign, shard];
const rows = ALL.map((each) => statusOf(each, NOW));

describe('the state of a cluster', () => {
  it('is read from its annotations and its condition', () => {
    expect(rows.map(({ name, progress, state, step }) => [name, state, step, progress])).toEqual([
      ['pending', 'Pending', undefined, undefined],
      ['copying', 'InProgress', 'copy objects', '7/13'],
      ['finishing', 'InProgress', 'release the lock', '2/2'],
      ['locked', 'InProgress', undefined, undefined],
      ['backing', 'RollingBack', 'remove sidecars', '4/8'],
      ['failed', 'Failed', undefined, undefined],
      ['migrated', 'Migrated', undefined, undefined],
      ['created', 'New', undefined, undefined],
      ['foreign', 'ForeignLock', undefined, undefined],
      ['shard', 'OutOfScope', undefined, undefined],
    ]);
    expect(rows.find(({ name }) => name === 'failed')?.message).toBe(
      'deployment-timeout: Deployment a has 0 of 1 replicas',
    );
  });

  it('is BothGroups until annotations name one side', () => {
    const annotations = { ...LEGACY, [own('private-capi-types')]: 'true' };
    const condition = { type: 'PrivateCAPIMigration', status: 'Unknown', reason: 'BothGroups', message: 'both groups' };
    const both = { ...cluster('both', annotations), status: { conditions: [condition] } } as never;
    expect(statusOf(both, NOW)).toMatchObject({ state: 'BothGroups', message: 'both groups' });
  });

  it('has no step of the migration that failed once it goes back', () => {
    const status = statusOf(turning, NOW);
    expect(status).toMatchObject({ state: 'RollingBack', message: 'starting' });
    expect(status.step).toBeUndefined();
  });

  it('is Pending before the upgrade of the operator', () => {
    const message = expect.stringContaining('then run capstan install --private-capi-types') as string;
    expect(statusOf(unmarked, NOW)).toMatchObject({ state: 'Pending', message });
  });

  it('never counts back on its way', () => {
    const shares = rows.filter(({ state }) => state === 'InProgress').map(({ share }) => share);
    expect(shares).toEqual([0.9 * (6 / 13), 0.95, 0]);
  });

  it('is a line of a table that is no wider than its terminal', () => {
    const some = rows.slice(0, 2);
    expect(statusTable(some, { nowMs: NOW }).trimEnd().split('\n')).toEqual([
      'NAMESPACE   NAME      STATE        STEP           PROGRESS   ELAPSED   MESSAGE',
      'clusters    pending   Pending      <none>         <none>     <none>    waiting for its turn',
      'clusters    copying   InProgress   copy objects   7/13       5m        waiting for x: y',
    ]);
    const narrow = statusTable(some, { nowMs: NOW, columns: 80 }).split('\n');
    expect(Math.max(...narrow.map(({ length }) => length))).toBe(80);
    expect(statusTable(rows.slice(4, 5), { nowMs: NOW, isWide: true })).toContain('deployment-timeout   attempt-1');
  });
});

describe('the progress of a fleet', () => {
  it('has a bar for each cluster that matters and one for all, with the time left', () => {
    const lines = progressLines(rows, { columns: 200, expectedMs: 600_000, nowMs: NOW });
    expect(lines).toEqual([
      'clusters/copying    [########------------]  InProgress  7/13 copy objects  5m',
      'clusters/finishing  [###################-]  InProgress  2/2 release the lock  5m',
      'clusters/locked     [--------------------]  InProgress  starting  5m',
      'clusters/backing    [########------------]  RollingBack  4/8 remove sidecars  5m',
      'clusters/failed     [--------------------]  Failed  deployment-timeout: Deployment a has 0 of 1 replicas',
      'clusters/foreign    [--------------------]  ForeignLock  another client holds the lock',
      'clusters/pending    [--------------------]  Pending  waiting for its turn',
      'total               [######--------------]  1 of 8 migrated, 2 failed, about 32m left',
    ]);
  });

  it('fits a small terminal, however many clusters there are', () => {
    const many = Array.from({ length: 50 }, (_, at) => statusOf(cluster(`c${at}`, LEGACY), NOW));
    const lines = progressLines(many, { columns: 80, expectedMs: 600_000, nowMs: NOW });
    expect(lines.length).toBeLessThan(24);
    expect(lines).toContain('and 38 more');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('learns the time left from the migrations that it has seen', () => {
    const durations = new Durations();
    const waiting = statusOf(pending, NOW);
    expect(timeLeftMs([waiting, waiting], durations.expectedMs)).toBe(1_200_000);
    const before = { ...statusOf(copying, NOW) };
    durations.observe([before], NOW);
    durations.observe([{ ...before, state: 'Migrated', startedAt: undefined }], NOW + 60_000);
    expect(timeLeftMs([waiting, waiting], durations.expectedMs)).toBe(2 * 360_000);
  });

  it.each([
    [-1, 0],
    [0.5, 10],
    [7, 20],
  ])('a share of %d is a bar of %i', (share, filled) => {
    expect(bar(share)).toBe(`[${'#'.repeat(filled)}${'-'.repeat(20 - filled)}]`);
  });
});
