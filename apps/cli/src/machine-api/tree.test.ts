import { describe, expect, it } from 'vitest';
import { isSettled, resourceStatus } from './resource.js';
import type { MirroredKind, ResourceStatus } from './resource.js';
import { obstacle, readName, switchSteps } from './steps.js';
import { inTree, nameOf, treeText } from './tree.js';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const SINCE = '2026-01-01T00:05:00Z';
const owner = (name: string): object => ({ kind: 'MachineSet', name, controller: true });
const SYNCHRONIZED = { type: 'Synchronized', status: 'True', lastTransitionTime: SINCE };

interface Given {
  readonly set?: string;
  readonly wanted?: string;
  readonly authority?: string;
  readonly conditions?: readonly object[];
  readonly isAlone?: boolean;
}

function resource(kind: MirroredKind, name: string, given: Given = {}): ResourceStatus {
  const { authority = 'MachineAPI', conditions = [SYNCHRONIZED], isAlone, set, wanted = authority } = given;
  const metadata = { name, ...(set === undefined ? {} : { ownerReferences: [owner(set)] }) };
  const status = { phase: 'Running', readyReplicas: 2, authoritativeAPI: authority, conditions };
  const copy = { apiVersion: 'v1', kind, metadata, spec: { authoritativeAPI: wanted, replicas: 2 }, status } as never;
  return resourceStatus(isAlone === true ? { kind, clusterApi: copy } : { kind, machineApi: copy, clusterApi: copy });
}

const HANDOVER = {
  type: 'AuthorityHandover',
  status: 'False',
  reason: 'WaitingForMachineAPI',
  message: 'waits for the Machine API controller',
  lastTransitionTime: SINCE,
};

const FLEET = [
  resource('MachineHealthCheck', 'check'),
  resource('Machine', 'workers-b', { set: 'workers' }),
  resource('Machine', 'workers-a', {
    set: 'workers',
    authority: 'Migrating',
    wanted: 'ClusterAPI',
    conditions: [HANDOVER, SYNCHRONIZED],
  }),
  resource('Machine', 'master-0'),
  resource('MachineSet', 'workers'),
  resource('MachineSet', 'capi-only', { isAlone: true }),
];

describe('The tree of machines', () => {
  it('shows sets with their machines, both copies, authority and what is waited for', () => {
    expect(treeText(FLEET, NOW)).toBe(
      [
        'NAME                       MACHINE API   CLUSTER API   AUTHORITY                 SINCE    WAITS FOR',
        'machineset/capi-only       <none>        2/2 ready     ClusterAPI                <none>   nothing: it is in Cluster API alone',
        'machineset/workers         2/2 ready     2/2 ready     MachineAPI                <none>   <none>',
        '├─ machine/workers-a       Running       Running       Migrating -> ClusterAPI   5m       WaitingForMachineAPI: waits for the Machine API controller',
        '└─ machine/workers-b       Running       Running       MachineAPI                <none>   <none>',
        'machine/master-0           Running       Running       MachineAPI                <none>   <none>',
        'machinehealthcheck/check   0/0 healthy   0/0 healthy   MachineAPI                <none>   <none>',
        '',
      ].join('\n'),
    );
  });

  it('shows why there is no copy in Cluster API, and that it is waited for', () => {
    const owned = { ...SYNCHRONIZED, status: 'False', reason: 'UnsupportedOwner', message: 'has 2 owners' };
    const copy = (conditions: readonly object[]): never =>
      ({ kind: 'Machine', metadata: { name: 'a' }, status: { authoritativeAPI: 'MachineAPI', conditions } }) as never;
    for (const [conditions, cells] of [
      [[owned], '5m      UnsupportedOwner: has 2 owners'],
      [[], '<none>   its copy in Cluster API'],
      [[SYNCHRONIZED], '<none>   its copy in Cluster API'],
    ] as const) {
      const row = resourceStatus({ kind: 'Machine', machineApi: copy(conditions) });
      expect(treeText([row], NOW).split('\n')[1]).toBe(`machine/a   Pending       <none>        MachineAPI   ${cells}`);
      expect(isSettled(row)).toBe(false);
    }
  });

  it('is cut to the width of a terminal', () => {
    expect(
      Math.max(
        ...treeText(FLEET, NOW, 80)
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBe(80);
  });
});

describe('The steps of a switch', () => {
  const all = inTree(FLEET);
  const named = all.filter(({ name }) => name === 'workers');
  const names = (request: Parameters<typeof switchSteps>[2]): string[][] =>
    switchSteps(named, all, request).map(({ resources }) => resources.map(nameOf));

  it.each([
    [
      'one machine, the set, the others',
      1,
      true,
      [['machine/workers-a'], ['machineset/workers'], ['machine/workers-b']],
    ],
    ['the set, then all machines', 0, true, [['machineset/workers'], ['machine/workers-a', 'machine/workers-b']]],
    ['the set alone', 1, false, [['machineset/workers']]],
  ] as const)('are %s', (_, canary, machines, expected) => {
    expect(names({ to: 'ClusterAPI', canary, machines })).toEqual(expected);
  });

  it('leave out what is there already', () => {
    expect(names({ to: 'MachineAPI', canary: 1, machines: true })).toEqual([['machine/workers-a']]);
  });

  it('begin only when every resource can move, and name the reason otherwise', () => {
    const failed = { type: 'Synchronized', status: 'False', reason: 'ConversionFailed', message: 'spec.x' };
    expect(obstacle(resource('Machine', 'a', { conditions: [failed] }))).toBe(
      'machine/a is not synchronized: ConversionFailed: spec.x',
    );
    expect(obstacle(resource('Machine', 'a', { isAlone: true }))).toBe('machine/a has no copy in Machine API');
    expect(obstacle(resource('Machine', 'a'))).toBeUndefined();
  });

  it('take a set by its name, and others with their kind', () => {
    expect(readName('workers')).toEqual({ kind: 'MachineSet', name: 'workers' });
    expect(readName('machine/a')).toEqual({ kind: 'Machine', name: 'a' });
    for (const text of ['node/a', 'machine/', 'machine/a/b'])
      expect(() => readName(text)).toThrow(`${JSON.stringify(text)} names no resource`);
  });
});
