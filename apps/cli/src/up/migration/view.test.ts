import type { HostedCluster } from '@capstan/api/hypershift';
import { annotated, committed, reverted, stepText, withLock } from '@capstan/hosting';
import { describe, expect, it } from 'vitest';
import { migrationView } from './view.js';

const JOURNAL = { id: 'a1', startedAt: '2026-01-01T00:00:00Z' };
const own = (name: string): string => `hypershift.openshift.io/${name}`;

function cluster(name: string, message = ''): HostedCluster {
  const condition = { type: 'PrivateCAPIMigration', status: 'False', reason: 'InProgress', message };
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name, namespace: 'clusters', annotations: { [own('scope')]: 'legacy' } },
    spec: {},
    status: { conditions: [condition] },
  } as unknown as HostedCluster;
}

const step = (at: number, title: string): string => stepText({ at, of: 14, title, detail: 'waits' });
const failed = (each: HostedCluster): HostedCluster =>
  annotated(each, {
    [own('migration-failed')]: 'health-check-timeout',
    [own('migration-failure-message')]: 'a machine is gone',
  });
const done = committed(cluster('brig'));

describe('the line of a cluster', () => {
  it.each<[string, HostedCluster, string, string]>([
    ['before its turn', cluster('a'), 'waiting', 'on standard types'],
    ['that has just begun', withLock(cluster('a'), JOURNAL), 'working', 'begins'],
    [
      'at a step',
      withLock(cluster('a', step(8, 'copy objects')), JOURNAL),
      'working',
      '██████████░░░░░░░░░░ 8/14 copy objects',
    ],
    [
      'after the commit',
      withLock(
        committed(cluster('a', stepText({ at: 1, of: 2, title: 'delete standard objects', detail: '' }))),
        JOURNAL,
      ),
      'working',
      '████████████████████ 1/2 delete standard objects',
    ],
    [
      'on its way back',
      failed(withLock(cluster('a', step(1, 'stop private controllers')), JOURNAL)),
      'working',
      '░░░░░░░░░░░░░░░░░░░░ rolling back, 1/14 stop private controllers',
    ],
    ['that was rolled back', failed(cluster('a')), 'failed', 'rolled back, health-check-timeout: a machine is gone'],
    [
      'that another client has locked',
      annotated(cluster('a'), { [own('migration-in-progress')]: 'true' }),
      'waiting',
      'locked by another client',
    ],
    ['on private types', committed(cluster('a')), 'done', 'on private types'],
    ['that was reverted', reverted(committed(cluster('a'))), 'waiting', 'on standard types'],
  ])('%s', (_, each, state, detail) => {
    expect(migrationView([each], 0).stages[0]).toEqual({ name: 'a', state, detail });
  });
});

describe('the total', () => {
  const total = (clusters: readonly HostedCluster[], sinceMs = 60_000): unknown =>
    migrationView(clusters, sinceMs).stages.at(-1);

  it('estimates what is left by what it took so far', () => {
    expect(total([cluster('a')])).toEqual({ name: 'migration', state: 'working', detail: '0 of 1 cluster' });
    expect(total([done, cluster('a'), cluster('b')])).toEqual({
      name: 'migration',
      state: 'working',
      detail: '1 of 3 clusters, about 2 min 0 s left',
    });
  });

  it('is over when every cluster is on private types or was rolled back', () => {
    const view = migrationView([done, failed(cluster('a'))], 60_000);
    expect(view).toMatchObject({ isOver: true, clusters: 2, failed: ['a'], sinceMs: 60_000 });
    expect(view.stages.at(-1)).toEqual({ name: 'migration', state: 'done', detail: '2 clusters' });
  });

  it('is shown with few others however many clusters there are', () => {
    const many = Array.from({ length: 100 }, (_, index) => cluster(`c${index}`));
    const view = migrationView([...many, withLock(cluster('x'), JOURNAL), failed(cluster('y'))], 0);
    expect(view.stages.map(({ name }) => name)).toEqual(['x', 'y', 'migration']);
    const broken = migrationView(many.map(failed), 0);
    expect(broken.stages).toHaveLength(7);
  });
});
