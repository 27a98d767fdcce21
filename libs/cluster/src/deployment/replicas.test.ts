import { describe, expect, it } from 'vitest';
import type { Deployment, ReplicaSet } from '../workload/resources.js';
import { fenceposts, newSetReplicas, replicasOf, resizeNew, resizeOld, resizeScaled, wasScaled } from './replicas.js';

function deployment(replicas: number, maxSurge: number | string = 0, maxUnavailable: number | string = 0): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: {
      replicas,
      selector: {},
      template: {},
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
    },
  };
}

function set(
  name: string,
  replicas: number,
  available = replicas,
  annotations: Record<string, string> = {},
): ReplicaSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, creationTimestamp: `2026-01-01T00:00:0${name.length}Z`, annotations },
    spec: { replicas, selector: {}, template: {} },
    status: { replicas, availableReplicas: available },
  };
}

const sizes = (resizes: readonly { set: ReplicaSet; replicas: number }[]): Record<string, number> =>
  Object.fromEntries(resizes.map((resize) => [resize.set.metadata.name ?? '', resize.replicas]));

describe('fenceposts', () => {
  it.each([
    { replicas: 10, surge: '25%', unavailable: '25%', expected: { surge: 3, unavailable: 2 } },
    { replicas: 1, surge: '25%', unavailable: '25%', expected: { surge: 1, unavailable: 0 } },
    { replicas: 2, surge: 0, unavailable: '10%', expected: { surge: 0, unavailable: 1 } },
    { replicas: 0, surge: 0, unavailable: 0, expected: { surge: 0, unavailable: 0 } },
    { replicas: 2, surge: 1, unavailable: 5, expected: { surge: 1, unavailable: 2 } },
  ])('are $expected for $replicas pods with $surge more and $unavailable fewer', (row) => {
    expect(fenceposts(deployment(row.replicas, row.surge, row.unavailable))).toEqual(row.expected);
  });
});

describe('the new ReplicaSet', () => {
  it.each([
    { wanted: 10, surge: 3, old: 10, current: 0, expected: 3 },
    { wanted: 10, surge: 3, old: 8, current: 3, expected: 5 },
    { wanted: 10, surge: 0, old: 10, current: 0, expected: 0 },
    { wanted: 10, surge: 3, old: 0, current: 8, expected: 10 },
  ])('may grow from $current to $expected with $old old pods', ({ wanted, surge, old, current, expected }) => {
    const d = deployment(wanted, surge);
    expect(newSetReplicas(d, [set('o', old), set('nn', current)], current)).toBe(expected);
  });

  it('shrinks at once to what is asked for', () => {
    expect(resizeNew(deployment(2), set('n', 5), [])?.replicas).toBe(2);
  });
});

describe('the old ReplicaSets', () => {
  it.each([
    ['stay while the new pods are not available', deployment(10, 3, 0), set('nnn', 3, 0), [set('o', 10)], {}],
    ['give way to available new pods', deployment(10, 3, 0), set('nnn', 3, 3), [set('o', 10)], { o: 7 }],
    ['use what may be unavailable', deployment(10, 0, 2), set('nnn', 0), [set('o', 10)], { o: 8 }],
    ['lose their unhealthy pods first', deployment(4, 1, 1), set('nnn', 0), [set('o', 2), set('oo', 2, 0)], { oo: 1 }],
    ['go oldest first', deployment(4, 0, 2), set('nnn', 0), [set('oo', 2), set('o', 2)], { o: 0 }],
  ] as const)('%s', (_, d, newSet, old, expected) => {
    expect(sizes(resizeOld(d, newSet, old))).toEqual(expected);
  });
});

describe('a scaled Deployment', () => {
  const known = (desired: number, max: number): Record<string, string> => ({
    'deployment.kubernetes.io/desired-replicas': String(desired),
    'deployment.kubernetes.io/max-replicas': String(max),
  });

  it('resizes its only active ReplicaSet', () => {
    expect(sizes(resizeScaled(deployment(7), set('nn', 0), [set('o', 3)]))).toEqual({ o: 7 });
  });

  it('resizes the newest when none is active', () => {
    expect(sizes(resizeScaled(deployment(7), undefined, [set('oo', 0), set('o', 0)]))).toEqual({ oo: 7 });
  });

  it('takes the rest away from old ones when the new one is complete', () => {
    const full = set('nn', 4, 4, known(4, 5));
    expect(sizes(resizeScaled(deployment(4, 1), full, [set('o', 2)]))).toEqual({ o: 0 });
  });

  it.each([
    { wanted: 15, max: 13, sets: [8, 5], expected: { o: 11, nn: 7 }, surge: 3 },
    { wanted: 5, max: 13, sets: [8, 5], expected: { o: 5, nn: 3 }, surge: 3 },
    { wanted: 0, max: 13, sets: [8, 5], expected: { o: 0, nn: 0 }, surge: 3 },
  ])(
    'of $sets comes to $expected when $wanted are wanted',
    ({ wanted, max, sets: [a = 0, b = 0], expected, surge }) => {
      const d = deployment(wanted, surge);
      const old = set('o', a, 0, known(10, max));
      const newSet = set('nn', b, 0, known(10, max));
      expect(sizes(resizeScaled(d, newSet, [old]))).toEqual(expected);
      expect(Object.values(expected).reduce((x, y) => x + y)).toBe(wanted === 0 ? 0 : wanted + surge);
    },
  );

  it('is detected by the annotations of its active ReplicaSets', () => {
    expect(wasScaled(deployment(3), [set('o', 1, 1, known(2, 3))])).toBe(true);
    expect(wasScaled(deployment(2), [set('o', 1, 1, known(2, 3))])).toBe(false);
    expect(wasScaled(deployment(3), [set('o', 0, 0, known(2, 3)), set('oo', 1)])).toBe(false);
    expect(replicasOf(set('o', 0))).toBe(0);
  });
});
