import { describe, expect, it } from 'vitest';
import { findWorse, HEALTH_CHECKS } from './checks.js';
import type { ClusterHealth } from './health.js';

const GOOD: ClusterHealth = {
  phase: 'Provisioned',
  infrastructureReady: true,
  clusterErrors: [],
  counts: { Cluster: 1, MachineDeployment: 1, MachineHealthCheck: 1 },
  wantedMachines: 2,
  machines: { a: 'Running', b: 'Running' },
  nodes: 2,
  isApiAvailable: true,
};

describe('Against its baseline, a cluster', () => {
  it.each<[string, Partial<ClusterHealth>, Partial<ClusterHealth>, string | undefined]>([
    ['that is the same is not worse', {}, {}, undefined],
    [
      'that lost its phase is worse',
      {},
      { phase: 'Failed' },
      'cluster-phase: the Cluster was Provisioned and is Failed',
    ],
    ['that had failed before may stay so', { phase: 'Failed' }, { phase: 'Failed' }, undefined],
    ['that is still provisioned is not worse', { phase: 'Provisioning' }, { phase: 'Provisioned' }, undefined],
    [
      'whose infrastructure is not ready is worse',
      {},
      { infrastructureReady: false },
      'infrastructure-ready: the infrastructure is not ready any more',
    ],
    [
      'with a new error is worse',
      { clusterErrors: ['A'] },
      { clusterErrors: ['A', 'B'] },
      'cluster-conditions: the Cluster has errors in its conditions: B',
    ],
    [
      'without a MachineDeployment is worse',
      {},
      { counts: { ...GOOD.counts, MachineDeployment: 0 } },
      'object-counts: objects are missing: MachineDeployment: 0 of 1',
    ],
    [
      'with a Machine that failed is worse',
      {},
      { machines: { a: 'Running', b: 'Failed' } },
      'machine-phases: Machines got worse: b is Failed',
    ],
    [
      'with a Machine that had failed before is not worse',
      { machines: { a: 'Running', b: 'Failed' } },
      { machines: { a: 'Running', b: 'Failed' } },
      undefined,
    ],
    [
      'that lost a Machine its sets want is worse',
      {},
      { machines: { a: 'Running' }, nodes: 2 },
      'machine-count: 1 of 2 Machines are left; missing: b',
    ],
    [
      'that was scaled down meanwhile is not worse',
      {},
      { machines: { a: 'Running' }, nodes: 1, wantedMachines: 1 },
      undefined,
    ],
    [
      'whose Machine was replaced meanwhile is not worse',
      {},
      { machines: { a: 'Running', c: 'Provisioning' }, nodes: 2 },
      undefined,
    ],
    ['with fewer Nodes is worse', {}, { nodes: 1 }, 'node-count: 1 Machines have a Node, 2 had one'],
    [
      'whose API server does not answer is worse',
      {},
      { isApiAvailable: false },
      'api-available: the API server of the hosted cluster does not answer',
    ],
    [
      'whose API server did not answer before is not worse',
      { isApiAvailable: false },
      { isApiAvailable: false },
      undefined,
    ],
  ])('%s', (_, before, now, message) => {
    expect(findWorse({ ...GOOD, ...before }, { ...GOOD, ...now })).toEqual(message === undefined ? [] : [message]);
  });

  it('has a case for every check', () => {
    expect(HEALTH_CHECKS.map(({ name }) => name)).toEqual([
      'cluster-phase',
      'infrastructure-ready',
      'cluster-conditions',
      'object-counts',
      'machine-phases',
      'machine-count',
      'node-count',
      'api-available',
    ]);
  });

  it('names five objects at most', () => {
    const machines = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, 'Failed']));
    const before = { ...GOOD, machines: {} };
    expect(findWorse(before, { ...GOOD, machines, nodes: 2 })[0]).toMatch(/m4 is Failed and 25 more$/);
  });
});
