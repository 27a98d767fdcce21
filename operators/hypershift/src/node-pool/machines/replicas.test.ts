import type { NodePoolSpec } from '@capstan/api/hypershift';
import { describe, expect, it } from 'vitest';
import { pool } from '../testing/snapshots.js';
import { maxUnavailable, replicasOf, scaled } from './replicas.js';
import type { Prospect } from './replicas.js';

const GROUP = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group';

describe('how many machines there are to be', () => {
  it.each<[string, Partial<NodePoolSpec>, number | undefined, boolean, readonly unknown[]]>([
    ['as many as asked for', { replicas: 3 }, 7, true, [3, '0', '0']],
    ['none when nothing is asked for', {}, 7, true, [0, '0', '0']],
    ['the least to begin with', { autoScaling: { min: 2, max: 5 } }, undefined, true, [2, '2', '5']],
    ['as many as the autoscaler wants', { autoScaling: { min: 2, max: 5 } }, 4, true, [4, '2', '5']],
    ['no fewer than the least', { autoScaling: { min: 2, max: 5 } }, 1, true, [2, '2', '5']],
    ['no more than the most', { autoScaling: { min: 2, max: 5 } }, 9, true, [5, '2', '5']],
    ['none at all', { autoScaling: { min: 0, max: 5 } }, 0, true, [0, '0', '5']],
    ['one where it could not begin at none', { autoScaling: { min: 0, max: 5 } }, 0, false, [1, '1', '5']],
  ])('%s', (...[, given, current, scalesFromZero, expected]) => {
    const { replicas: _unused, ...spec } = pool().spec;
    const { annotations, replicas } = replicasOf({ ...spec, ...given } as NodePoolSpec, current, { scalesFromZero });
    expect([replicas, annotations[`${GROUP}-min-size`], annotations[`${GROUP}-max-size`]]).toEqual(expected);
  });

  it('annotates what nodes would have while there are none', () => {
    const spec = pool({
      autoScaling: { min: 0, max: 2 },
      arch: 'arm64',
      nodeLabels: { b: '2', a: '1', 'kubernetes.io/arch': 'amd64' },
      taints: [
        { key: 'gpu', effect: 'NoSchedule' },
        { key: 'dedicated', value: 'x', effect: 'NoExecute' },
      ],
    }).spec;
    const capacity = 'capacity.cluster-autoscaler.kubernetes.io';
    const machine = 'machine.openshift.io';
    const from = (prospect: Prospect) => {
      const { annotations } = replicasOf(spec, 0, prospect);
      const names = [
        `${capacity}/labels`,
        `${capacity}/taints`,
        `${machine}/vCPU`,
        `${machine}/memoryMb`,
        `${machine}/GPU`,
      ];
      return names.map((name) => annotations[name]);
    };
    const offered = { cpus: 4, memoryMiB: 16_384 };
    expect(from({ scalesFromZero: true, capacity: offered })).toEqual([
      'a=1,b=2,kubernetes.io/arch=arm64',
      'dedicated=x:NoExecute,gpu:NoSchedule',
      '4',
      '16384',
      '0',
    ]);
    expect(from({ scalesFromZero: true, capacity: { ...offered, gpus: 2 } }).at(-1)).toBe('2');
    expect(from({ scalesFromZero: true })).toEqual([
      'a=1,b=2,kubernetes.io/arch=arm64',
      'dedicated=x:NoExecute,gpu:NoSchedule',
      undefined,
      undefined,
      undefined,
    ]);
    expect(from({ scalesFromZero: false, capacity: offered })).toEqual(Array(5).fill(undefined));
  });

  it('removes these annotations once there are nodes', () => {
    const { annotations } = replicasOf(pool({ replicas: 1 }).spec, 0, {
      scalesFromZero: true,
      capacity: { cpus: 4, memoryMiB: 16_384 },
    });
    expect(Object.entries(annotations).filter(([, value]) => value !== undefined)).toEqual([
      [`${GROUP}-min-size`, '0'],
      [`${GROUP}-max-size`, '0'],
    ]);
    expect(Object.keys(annotations)).toContain('machine.openshift.io/vCPU');
  });
});

it.each([
  [3, 10, 'down', 3],
  ['25%', 10, 'down', 2],
  ['25%', 10, 'up', 3],
  ['x', 10, 'up', undefined],
] as const)('%j of %i rounded %s is %s', (value, whole, round, expected) => {
  expect(scaled(value, whole, round)).toBe(expected);
});

it.each<[number | string | undefined, number | undefined, number, number]>([
  [undefined, 3, 0, 1],
  [2, 3, 0, 2],
  ['50%', 5, 0, 2],
  ['10%', 5, 0, 1],
  ['50%', undefined, 8, 4],
  [0, 5, 0, 1],
])('at most %j of %s replicas, or %i, are away at once: %i', (most, replicas, current, expected) => {
  const inPlace = most === undefined ? {} : { maxUnavailable: most };
  const { replicas: _, ...spec } = pool({ management: { upgradeType: 'InPlace', inPlace } }).spec;
  expect(maxUnavailable({ ...spec, ...(replicas === undefined ? {} : { replicas }) }, current)).toBe(expected);
});
