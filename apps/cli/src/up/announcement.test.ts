import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { instructions, migrationText, upgradeText, useLines } from './announcement.js';
import { breakingChange } from './checker.js';
import { fleetOf } from './fleet.js';
import type { HostedFleetCluster } from './hosting/clusters.js';

const guide = (name: string): string =>
  readFileSync(new URL(`../../../../docs/guide/${name}.md`, import.meta.url), 'utf8');
const hosted = ['brig', 'cutter', 'dinghy'].map((name) => ({ name, namespace: 'clusters' }) as HostedFleetCluster);

describe('what is shown when a user can begin', () => {
  it.each([
    [1, hosted, '4 clusters come up: 3 hosted (brig, cutter, dinghy), 1 of Cluster API (anchor).'],
    [10, hosted, '13 clusters come up: 3 hosted (brig, cutter, dinghy), 10 of Cluster API.'],
    [0, hosted.slice(0, 1), '1 cluster comes up: 1 hosted (brig).'],
    [0, [], 'No clusters come up: none were asked for.'],
  ])('is, in 80 columns and eight lines, what comes up: %j of Cluster API, hosted %j', (fleet, hosts, first) => {
    for (const hasKubectl of [true, false])
      for (const migrates of [true, false]) {
        const shown = { clusters: fleetOf(fleet), hosted: hosts, migrates, hasKubectl };
        const lines = ['Ready', ...instructions(shown).split('\n'), ...useLines('/tmp/capstan-abcdef/kubeconfig')];
        expect(lines[1]).toBe(first);
        expect(lines.filter((line) => line.length > 80)).toEqual([]);
        expect(lines.filter((line) => line !== '').length).toBeLessThanOrEqual(8);
      }
  });

  it('has commands that work without kubectl where there is none, and where to get it', () => {
    const text = instructions({ clusters: fleetOf(1), hosted, migrates: true, hasKubectl: false });
    expect(text).toContain('https://kubernetes.io/docs/tasks/tools');
    expect(text).toContain('  npx capstan get versions ');
    expect(text).not.toContain('  kubectl ');
  });

  it('announces the move to private types where there is one', () => {
    const shown = { clusters: [], hosted, hasKubectl: true };
    expect(instructions({ ...shown, migrates: true })).toContain('moved to private Cluster API types');
    expect(instructions({ ...shown, migrates: false })).not.toContain('private');
  });

  it('ends with what the move has come to', () => {
    expect(migrationText({ clusters: 3, failed: [], sinceMs: 90_000 })).toBe(
      '3 clusters are on private types after 1 min 30 s.',
    );
    expect(migrationText({ clusters: 2, failed: ['cutter'], sinceMs: 90_000 }).split('\n')).toEqual([
      '1 cluster is on private types after 1 min 30 s. Rolled back: cutter; to see why:',
      '  kubectl describe hostedclusters -n clusters cutter',
    ]);
  });

  it('has lines of 80 columns at most also where it is used and where it is upgraded', () => {
    const lines = [...useLines('/tmp/capstan-abcdef/kubeconfig'), ...upgradeText('dinghy').split('\n')];
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

describe('the guides', () => {
  it('show the change that is refused', () => {
    expect(guide('up')).toContain(`\n${breakingChange()}\n`);
  });

  it('wait for the last machine before a control plane is upgraded that is to have no nodes', () => {
    const text = guide('control-plane-versions');
    const shown = text.slice(text.indexOf('kubectl scale nodepool')).split('\n').slice(0, 5);
    expect(shown.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'kubectl scale nodepool',
      'kubectl wait machines.cluster.x-k8s.io',
      'IMAGE=$(kubectl get hostedcluster',
      'kubectl patch hostedcluster',
      'npx capstan get',
    ]);
  });
});
