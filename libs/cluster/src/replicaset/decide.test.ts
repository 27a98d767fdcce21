import { describe, expect, it } from 'vitest';
import type { Pod, ReplicaSet } from '../workload/resources.js';
import { decideReplicas, nextAvailabilityMs, replicaSetStatus } from './decide.js';

const NOW = Date.UTC(2026, 0, 2);
const text = (ms: number): string => new Date(ms).toISOString().replace('.000', '');

interface PodShape {
  readonly node?: string;
  readonly phase?: string;
  readonly ready?: boolean;
  readonly readyForMs?: number;
  readonly ageMs?: number;
  readonly cost?: string;
  readonly restarts?: number;
}

function pod(name: string, shape: PodShape = {}): Pod {
  const {
    ageMs = 3_600_000,
    cost,
    node = 'n1',
    phase = 'Running',
    ready = true,
    readyForMs = 3_600_000,
    restarts = 0,
  } = shape;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      uid: name,
      labels: { app: 'a' },
      creationTimestamp: text(NOW - ageMs),
      ...(cost === undefined ? {} : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
    },
    spec: { nodeName: node },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: text(NOW - readyForMs) }],
      containerStatuses: [{ restartCount: restarts }],
    },
  };
}

function set(replicas: number, spec: Partial<ReplicaSet['spec']> = {}): ReplicaSet {
  const template = { metadata: { labels: { app: 'a' } } };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 's', generation: 3 },
    spec: { replicas, selector: { matchLabels: { app: 'a' } }, template, ...spec },
  };
}

describe('decideReplicas', () => {
  it('creates what is missing, at most 500 at once', () => {
    expect(decideReplicas(set(3), [pod('a')], () => [], NOW)).toEqual({ create: 2, remove: [] });
    expect(decideReplicas(set(800), [], () => [], NOW).create).toBe(500);
  });

  it.each([
    ['unassigned before assigned', pod('victim', { node: '' }), pod('other', { phase: 'Pending', ready: false })],
    ['pending before running', pod('victim', { phase: 'Pending', ready: false }), pod('other', { ready: false })],
    ['not ready before ready', pod('victim', { ready: false, cost: '5' }), pod('other')],
    ['the cheaper', pod('victim', { cost: '-1' }), pod('other', { readyForMs: 1000 })],
    ['of a crowded node', pod('victim', { node: 'crowd' }), pod('other', { readyForMs: 1000 })],
    ['ready for a shorter time', pod('victim', { readyForMs: 1000 }), pod('other', { restarts: 5 })],
    ['more often restarted', pod('victim', { restarts: 2 }), pod('other', { ageMs: 1000 })],
    ['the younger', pod('victim', { ageMs: 1000 }), pod('other')],
  ])('deletes first: %s', (_, victim, other) => {
    const related = (): Pod[] => [victim, other, pod('crowd-1', { node: 'crowd' }), pod('crowd-2', { node: 'crowd' })];
    for (const pods of [
      [victim, other],
      [other, victim],
    ])
      expect(decideReplicas(set(1), pods, related, NOW).remove.map(({ metadata }) => metadata.name)).toEqual([
        'victim',
      ]);
  });
});

describe('replicaSetStatus', () => {
  it('counts pods by how well they are', () => {
    const active = [pod('a'), pod('b', { ready: false }), pod('c', { readyForMs: 2000 })];
    const input = { set: set(3, { minReadySeconds: 10 }), active, terminating: 1, failure: undefined };
    expect(replicaSetStatus({ ...input, nowMs: NOW, now: text(NOW) })).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
      terminatingReplicas: 1,
      observedGeneration: 3,
    });
    expect(nextAvailabilityMs(input.set, active, NOW)).toBe(8000);
  });

  it('keeps the first failure, and drops it when all is well', () => {
    const failing = { reason: 'FailedCreate', message: 'first' } as const;
    const base = { active: [], terminating: 0, nowMs: NOW, now: text(NOW) };
    const { conditions = [] } = replicaSetStatus({ ...base, set: set(1), failure: failing });
    expect(conditions).toEqual([{ type: 'ReplicaFailure', status: 'True', lastTransitionTime: text(NOW), ...failing }]);
    const known = { ...set(1), status: { conditions } };
    const again = replicaSetStatus({ ...base, set: known, failure: { ...failing, message: 'second' } });
    expect(again.conditions).toEqual(conditions);
    expect(replicaSetStatus({ ...base, set: known, failure: undefined }).conditions).toBeUndefined();
  });
});
