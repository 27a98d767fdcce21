import { describe, expect, it } from 'vitest';
import type { Pod } from '../workload/resources.js';
import { decideStep, ordinalOf, statefulSetStatus } from './decide.js';
import type { StatefulSet } from './decide.js';

const revisions = { current: 'old', update: 'new' };

function set(replicas: number, spec: Partial<StatefulSet['spec']> = {}): StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 's', generation: 2 },
    spec: { replicas, selector: {}, template: {}, updateStrategy: { type: 'RollingUpdate' }, ...spec },
  };
}

/** `0` a healthy pod, `0!` an ill one, `0-` one that leaves, `0x` one that is over, `0o` one of the old revision. */
function pod(text: string): Pod {
  const mark = text.replace(/^\d+/, '');
  const status = mark === '!' || mark === 'x' ? 'False' : 'True';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `s-${Number.parseInt(text, 10)}`,
      labels: { 'controller-revision-hash': mark === 'o' ? 'old' : 'new' },
      ...(mark === '-' ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    status: { phase: mark === 'x' ? 'Failed' : 'Running', conditions: [{ type: 'Ready', status }] },
  };
}

const PARALLEL = { podManagementPolicy: 'Parallel' };
const ON_DELETE = { updateStrategy: { type: 'OnDelete' } };
const TWO = {
  ...PARALLEL,
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '50%' } },
};
const PARTITION = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } };

describe('decideStep', () => {
  it.each([
    { name: 'begins with the first', replicas: 3, pods: '', create: '0new', remove: '' },
    { name: 'waits for one that is ill', replicas: 3, pods: '0!', create: '', remove: '' },
    { name: 'goes on to the next', replicas: 3, pods: '0', create: '1new', remove: '' },
    {
      name: 'makes all at once when parallel',
      replicas: 3,
      spec: PARALLEL,
      pods: '0!',
      create: '1new 2new',
      remove: '',
    },
    { name: 'clears away what is over', replicas: 2, pods: '0x 1', create: '', remove: 's-0' },
    { name: 'fills a gap', replicas: 3, pods: '0 2', create: '1new', remove: '' },
    {
      name: 'counts from its start',
      replicas: 1,
      spec: { ordinals: { start: 5 } },
      pods: '',
      create: '5new',
      remove: '',
    },
    { name: 'shrinks from the end', replicas: 1, pods: '0 1 2', create: '', remove: 's-2' },
    { name: 'shrinks one by one', replicas: 1, pods: '0 1 2-', create: '', remove: '' },
    { name: 'waits for an ill one while a lower one is ill', replicas: 1, pods: '0 1! 2!', create: '', remove: '' },
    { name: 'takes the only ill one', replicas: 1, pods: '0 1 2!', create: '', remove: 's-2' },
    {
      name: 'shrinks at once when parallel',
      replicas: 1,
      spec: PARALLEL,
      pods: '0 1 2',
      create: '',
      remove: 's-2 s-1',
    },
    { name: 'updates from the end', replicas: 3, pods: '0o 1o 2o', create: '', remove: 's-2' },
    { name: 'waits for the updated', replicas: 3, spec: PARALLEL, pods: '0o 1o 2!', create: '', remove: '' },
    { name: 'updates down to the partition', replicas: 2, spec: PARTITION, pods: '0o 1', create: '', remove: '' },
    { name: 'makes old ones below the partition', replicas: 2, spec: PARTITION, pods: '1', create: '0old', remove: '' },
    {
      name: 'updates several at once where maxUnavailable allows it',
      replicas: 4,
      spec: TWO,
      pods: '0o 1o 2o 3o',
      create: '',
      remove: 's-3 s-2',
    },
    {
      name: 'counts those that are ill among them',
      replicas: 4,
      spec: TWO,
      pods: '0o 1o 2o 3!',
      create: '',
      remove: 's-2',
    },
    {
      name: 'updates nothing by itself with strategy OnDelete',
      replicas: 2,
      spec: ON_DELETE,
      pods: '0o 1o',
      create: '',
      remove: '',
    },
  ])('$name', ({ create, pods, remove, replicas, spec = {} }) => {
    const present = pods === '' ? [] : pods.split(' ').map(pod);
    const step = decideStep(set(replicas, spec), present, revisions, 0);
    expect(step.create.map(({ ordinal, revision }) => `${ordinal}${revision}`).join(' ')).toBe(create);
    expect(step.remove.map(({ metadata }) => metadata.name).join(' ')).toBe(remove);
  });
});

describe('statefulSetStatus', () => {
  it('counts by revision while an update goes on', () => {
    expect(statefulSetStatus(set(3), [pod('0o'), pod('1o'), pod('2!')], revisions, 0)).toEqual({
      observedGeneration: 2,
      replicas: 3,
      readyReplicas: 2,
      availableReplicas: 2,
      currentReplicas: 2,
      updatedReplicas: 1,
      currentRevision: 'old',
      updateRevision: 'new',
      collisionCount: 0,
    });
  });

  it('makes the update current when every pod has it', () => {
    const status = statefulSetStatus(set(2), [pod('0'), pod('1')], revisions, 0);
    expect([status.currentRevision, status.currentReplicas]).toEqual(['new', 2]);
  });
});

describe('ordinalOf', () => {
  it.each([
    ['s-0', 0],
    ['s-12', 12],
    ['s-01', -1],
    ['s-x', -1],
    ['t-1', -1],
    ['s-a-1', -1],
  ])('of %s is %d', (name, expected) => {
    const one = pod('0');
    expect(ordinalOf(set(1), { ...one, metadata: { ...one.metadata, name } })).toBe(expected);
  });
});
