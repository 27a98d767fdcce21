import { describe, expect, it } from 'vitest';
import type { MachineDeployment, MachineSet } from '../types.js';
import { planPaused } from './paused-scale.js';
import { planRollout } from './plan.js';
import { rolloutLimits, scaled } from './scale-limits.js';

/** Replicas wanted, there, available. */
type Counts = readonly [spec: number, there: number, available: number];

function set(name: string, [replicas, there, availableReplicas]: Counts, created = 1, annotations = {}): MachineSet {
  const creationTimestamp = `2026-01-01T00:00:0${created}Z`;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { name, creationTimestamp, annotations },
    spec: { clusterName: 'one', replicas, selector: {}, template: { spec: { clusterName: 'one' } } },
    status: { replicas: there, availableReplicas },
  };
}

function deployment(replicas: number, strategy: object = {}): MachineDeployment {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { name: 'workers' },
    spec: {
      clusterName: 'one',
      replicas,
      rollout: { strategy },
      selector: {},
      template: { spec: { clusterName: 'one' } },
    },
  };
}

const rolling = (maxSurge: number | string, maxUnavailable: number | string): object => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
});
const onDelete = { type: 'OnDelete' };

describe('how many replicas sets are to have next', () => {
  it.each<[string, number, object, Counts, Counts[], Record<string, number>]>([
    ['a first set grows to all at once', 5, rolling(1, 0), [0, 0, 0], [], { new: 5 }],
    ['a set that has enough is left alone', 5, rolling(1, 0), [5, 5, 5], [], {}],
    ['a set that has too many shrinks', 2, rolling(1, 0), [5, 5, 5], [], { new: 2 }],
    ['a rollout begins with one more', 5, rolling(1, 0), [0, 0, 0], [[5, 5, 5]], { new: 1 }],
    ['nothing goes before the new one is available', 5, rolling(1, 0), [1, 1, 0], [[5, 5, 5]], {}],
    ['an old one goes for a new one', 5, rolling(1, 0), [1, 1, 1], [[5, 5, 5]], { old0: 4 }],
    ['no new one comes while an old one is going', 5, rolling(1, 0), [1, 1, 1], [[4, 5, 5]], {}],
    ['three at once where that may be', 5, rolling(3, 0), [0, 0, 0], [[5, 5, 5]], { new: 3 }],
    ['without more, fewer', 5, rolling(0, 2), [0, 0, 0], [[5, 5, 5]], { old0: 3 }],
    [
      'what is not available goes first',
      5,
      rolling(1, 0),
      [1, 1, 1],
      [
        [2, 2, 2],
        [3, 3, 0],
      ],
      { old1: 2 },
    ],
    [
      'one goes where none could otherwise',
      5,
      rolling(0, 2),
      [0, 0, 0],
      [
        [2, 2, 2],
        [3, 3, 1],
      ],
      { old1: 2 },
    ],
    ['a stuck old machine goes in the end', 3, rolling(1, 0), [1, 1, 1], [[3, 3, 2]], { old0: 2 }],
    ['on delete, old sets keep what they have', 3, onDelete, [0, 0, 0], [[3, 3, 3]], {}],
    ['on delete, what was deleted comes back new', 3, onDelete, [0, 0, 0], [[2, 2, 2]], { new: 1 }],
    ['on delete, an old set follows its machines', 3, onDelete, [0, 0, 0], [[3, 2, 2]], { old0: 2 }],
    ['on delete, what is too much goes from the old', 1, onDelete, [0, 0, 0], [[3, 3, 3]], { old0: 1 }],
  ])('%s', (...[, replicas, strategy, current, old, wanted]) => {
    const olds = old.map((counts, index) => set(`old${index}`, counts, index + 1));
    const intents = planRollout({
      deployment: deployment(replicas, strategy),
      current: set('new', current, 9),
      old: olds,
    });
    expect(Object.fromEntries(intents)).toEqual(wanted);
  });

  it.each<[string, number, Counts | undefined, Counts[], Record<string, number>]>([
    ['the only set with machines takes it all', 7, [5, 5, 5], [[0, 0, 0]], { new: 7 }],
    ['without a current set the last old one does', 3, undefined, [[0, 0, 0]], { old0: 3 }],
    ['several grow in proportion', 10, [2, 2, 2], [[4, 4, 4]], { new: 4, old0: 7 }],
    ['several shrink in proportion', 2, [2, 2, 2], [[4, 4, 4]], { new: 1, old0: 2 }],
  ])('a deployment that is held: %s', (...[, replicas, current, old, wanted]) => {
    const annotations = { 'machinedeployment.clusters.x-k8s.io/max-replicas': '6' };
    const olds = old.map((counts, index) => set(`old${index}`, counts, index + 1, annotations));
    const now = current && set('new', current, 9, annotations);
    const intents = planPaused({ deployment: deployment(replicas, rolling(1, 0)), current: now, old: olds });
    expect(Object.fromEntries(intents)).toEqual(wanted);
  });
});

describe('the limits of a rollout', () => {
  it.each<[number, object, number, number]>([
    [5, {}, 1, 0],
    [5, rolling('50%', '50%'), 3, 2],
    [5, rolling(0, 0), 0, 1],
    [1, rolling('10%', '10%'), 1, 0],
    [0, rolling(0, 1), 0, 0],
    [5, onDelete, 0, 0],
  ])('%i replicas by %j: %i more, %i fewer', (replicas, strategy, maxSurge, maxUnavailable) => {
    expect(rolloutLimits(deployment(replicas, strategy))).toEqual({ maxSurge, maxUnavailable });
  });

  it('does not guess what an amount may mean', () => {
    expect(() => scaled('many', 5, 'up')).toThrow(
      'invalid value for IntOrString: many is neither a number nor in percent',
    );
  });
});
