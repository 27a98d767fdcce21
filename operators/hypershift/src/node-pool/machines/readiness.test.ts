import type { Machine } from '@capstan/api/cluster-api';
import { describe, expect, it } from 'vitest';
import { ConditionSet } from '../conditions.js';
import { snapshot, owned, pool } from '../testing/snapshots.js';
import { nodesInfo } from './node-versions.js';
import { setReadiness } from './readiness.js';

type Short = readonly [type: string, status: string, reason?: string, message?: string];

function machine(name: string, conditions: readonly Short[], more: object = {}): Machine {
  const written = conditions.map(([type, status, reason = 'Why', message = '']) => ({ type, status, reason, message }));
  return owned('Machine', name, { status: { conditions: written, ...more } });
}

const well = [
  ['Ready', 'True'],
  ['NodeHealthy', 'True'],
] as const;

function outcome(machines: readonly Machine[], replicas = 2): readonly (readonly unknown[])[] {
  const sayings = new ConditionSet();
  setReadiness(snapshot({ nodePool: pool({ replicas }), existing: { machines } }), sayings);
  return (['AllMachinesReady', 'AllNodesHealthy'] as const).map((type) => {
    const { message, reason, status } = sayings.get(type) ?? {};
    return [status, reason, message];
  });
}

describe('machines', () => {
  it.each<[string, readonly Machine[], number, readonly unknown[], readonly unknown[]]>([
    ['all well', [machine('a', well)], 1, ['True', 'AsExpected', 'All is well'], ['True', 'AsExpected', 'All is well']],
    [
      'none yet',
      [],
      1,
      ['False', 'NotFound', 'No Machines are created'],
      ['False', 'NotFound', 'No Machines are created'],
    ],
    [
      'none wanted',
      [],
      0,
      ['False', 'AsExpected', 'NodePool set to no replicas'],
      ['False', 'AsExpected', 'NodePool set to no replicas'],
    ],
    [
      'new',
      [machine('a', [])],
      1,
      ['False', 'WaitingForInfrastructure', '1 of 1 machines are not ready\nMachine a: WaitingForInfrastructure\n'],
      ['False', 'WaitingForNodeRef', '1 of 1 machines are not healthy\nMachine a: WaitingForNodeRef\n'],
    ],
    [
      'with infrastructure that knows why',
      [
        machine('b', [
          ['Ready', 'False', 'NotReady', 'x'],
          ['InfrastructureReady', 'False', 'NoQuota', 'no more of those'],
          ['NodeHealthy', 'True'],
        ]),
        machine('a', well),
      ],
      2,
      ['False', 'NoQuota', '1 of 2 machines are not ready\nMachine b: NoQuota: no more of those\n'],
      ['True', 'AsExpected', 'All is well'],
    ],
    [
      'with a summary that has no detail',
      [
        machine('b', [
          ['Ready', 'False', 'Provisioning', '1 of 2 completed'],
          ['NodeHealthy', 'Unknown', 'Lost', 'silent'],
        ]),
      ],
      1,
      ['False', 'Provisioning', '1 of 1 machines are not ready\nMachine b: Provisioning\n'],
      ['False', 'Lost', '1 of 1 machines are not healthy\nMachine b: Lost: silent\n'],
    ],
    [
      'of several kinds, in whatever order',
      [
        machine('c', [['Ready', 'False', 'Z']]),
        machine('b', [['Ready', 'False', 'Y']]),
        machine('a', [['Ready', 'False', 'Z']]),
      ],
      3,
      ['False', 'Y,Z', '3 of 3 machines are not ready\nMachine b: Y\nMachine a: Z\nMachine c: Z\n'],
      [
        'False',
        'WaitingForNodeRef',
        '3 of 3 machines are not healthy\nMachine a: WaitingForNodeRef\nMachine b: WaitingForNodeRef\nMachine c: WaitingForNodeRef\n',
      ],
    ],
  ])('%s', (...[, machines, replicas, ready, healthy]) => {
    expect(outcome(machines, replicas)).toEqual([ready, healthy]);
  });

  it('however many fit what a condition may hold', () => {
    const many = Array.from({ length: 500 }, (_, at) =>
      machine(`m${at}`, [['Ready', 'False', `VeryLongReason${at % 100}`, 'x'.repeat(100)]]),
    );
    const [ready = []] = outcome(many);
    expect(String(ready[1]).length).toBeLessThanOrEqual(1024);
    expect(String(ready[1])).toMatch(/,ReasonsTruncated$/);
    expect(String(ready[2]).length).toBeLessThanOrEqual(3100);
    expect(String(ready[2])).toMatch(/\.\.\. message truncated\n$/);
  });
});

describe('what nodes run', () => {
  const node = (kubeletVersion: string) => ({ nodeInfo: { kubeletVersion } });
  const at = (version: string) => ({
    metadata: { annotations: { 'hypershift.openshift.io/release-version': version } },
  });
  const with_ = (object: Machine, more: object): Machine => ({ ...object, ...more });
  it('is counted, by the version that a machine was created with, else by its annotation', () => {
    const machines = [
      with_(machine('a', well, node('v1.35.2')), at('4.22.0')),
      with_(machine('b', [['NodeHealthy', 'False']], node('v1.35.2')), at('4.22.0')),
      with_(machine('c', well, node('v1.34.1')), { spec: { version: 'v4.21.0' } }),
      machine('d', []),
      with_(machine('e', well, node('unknown')), at('4.22.0')),
    ];
    expect(nodesInfo(pool(), machines)).toEqual({
      nodeVersions: [
        { ocpVersion: '4.21.0', kubeletVersion: 'v1.34.1', readyNodeCount: 1, unreadyNodeCount: 0 },
        { ocpVersion: '4.22.0', kubeletVersion: 'v1.35.2', readyNodeCount: 1, unreadyNodeCount: 1 },
      ],
    });
  });

  it('is not reported where there are no nodes', () => {
    expect(nodesInfo(pool(), [machine('d', [])])).toBeUndefined();
  });
});
