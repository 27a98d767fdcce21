import { Manager, systemRandom } from '@capstan/kube';
import { ManualClock, ScriptedTransport } from '@capstan/kube/testing';
import type { NodePool } from '@capstan/api/hypershift';
import { isOwn } from '@capstan/hosting';
import type { OperatorMode } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { failuresOf, NodePoolMetrics, poolsIn } from './node-pools.js';
import { NOW_MS, pool } from '../node-pool/testing/snapshots.js';
import { Turns } from '../turns/turns.js';

describe('metrics of pools', () => {
  it('name what is not as it should be', () => {
    const statuses = {
      Ready: 'True',
      AllMachinesReady: 'False',
      UpdatingVersion: 'True',
      ValidMachineConfig: 'Unknown',
      Theirs: 'False',
    };
    const conditions = Object.entries(statuses).map(([type, status]) => ({ type, status, lastTransitionTime: '' }));
    expect(failuresOf({ ...pool(), status: { conditions } })).toEqual([
      'not_AllMachinesReady',
      'UpdatingVersion',
      'not_ValidMachineConfig',
    ]);
  });

  it.each<[OperatorMode, readonly string[]]>([
    [{ kind: 'private' }, ['of-none', 'of-private', 'of-unmarked']],
    [{ kind: 'legacy' }, ['of-legacy']],
    [{ kind: 'shard', scope: 'shard-1' }, ['of-shard-1']],
  ])('are of the clusters of an operator of mode %j, each counted once', (mode, expected) => {
    const annotations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      private: { 'hypershift.openshift.io/private-capi-types': 'true' },
      legacy: { 'hypershift.openshift.io/scope': 'legacy' },
      'shard-1': { 'hypershift.openshift.io/scope': 'shard-1' },
      unmarked: {},
    };
    const objects = new Map<string, KubeObject>();
    for (const [name, each] of Object.entries(annotations))
      objects.set(`clusters/${name}`, {
        apiVersion: 'v1',
        kind: 'HostedCluster',
        metadata: { name, annotations: each },
      });
    const pools = [...Object.keys(annotations), 'none'].map((clusterName) => {
      const { metadata, spec, ...rest } = pool();
      return {
        ...rest,
        metadata: { ...metadata, name: `of-${clusterName}`, namespace: 'clusters' },
        spec: { ...spec, clusterName },
      };
    });
    const store = { get: (key: string) => objects.get(key), list: () => objects.values() };
    const informer = ({ plural }: { readonly plural: string }) => ({
      store: plural === 'nodepools' ? { list: () => pools } : store,
    });
    const manager = { cache: { informer }, clock: new ManualClock(NOW_MS) } as unknown as Manager;
    const source = poolsIn(manager, { mode, isOwn: (cluster) => isOwn(mode, cluster) });
    expect([...source.pools()].map(({ metadata }) => metadata.name ?? '').toSorted()).toEqual(expected);
  });

  it('have the time that conditions took', () => {
    const clock = new ManualClock(NOW_MS);
    const manager = new Manager({ transport: new ScriptedTransport(() => undefined), clock, random: systemRandom(1) });
    const metrics = new NodePoolMetrics(poolsIn(manager, Turns.alone(manager.client)));
    const created: NodePool = { ...pool(), metadata: { creationTimestamp: '2026-01-01T11:59:15Z' } };
    metrics.became(created, ['AllMachinesReady', 'UpdatingVersion']);
    const lines = manager.metrics
      .render()
      .split('\n')
      .filter((line) => line.startsWith('hypershift_'));
    expect(lines).toContain('hypershift_nodepools_transition_seconds_sum{condition="AllMachinesReady"} 45');
    expect(lines.filter((line) => line.includes('UpdatingVersion'))).toEqual([]);
  });
});
