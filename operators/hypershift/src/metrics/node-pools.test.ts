import { Manager, systemRandom } from '@capstan/kube';
import { ManualClock, ScriptedTransport } from '@capstan/kube/testing';
import type { NodePool } from '@capstan/api/hypershift';
import { describe, expect, it } from 'vitest';
import { failuresOf, NodePoolMetrics, poolsIn } from './node-pools.js';
import { NOW_MS, pool } from '../node-pool/testing/snapshots.js';

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

  it('have the time that conditions took', () => {
    const clock = new ManualClock(NOW_MS);
    const manager = new Manager({ transport: new ScriptedTransport(() => undefined), clock, random: systemRandom(1) });
    const metrics = new NodePoolMetrics(poolsIn(manager));
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
