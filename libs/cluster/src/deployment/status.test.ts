import { describe, expect, it } from 'vitest';
import type { Deployment, DeploymentStatus, ReplicaSet } from '../workload/resources.js';
import { deadlineCheckMs, pauseCondition, plainStatus, rolloutStatus } from './status.js';

const MS = Date.UTC(2026, 0, 1, 0, 10);
const now = { ms: MS, text: '2026-01-01T00:10:00Z' };
const EARLIER = '2026-01-01T00:00:00Z';

function deployment(status: DeploymentStatus, spec: Partial<Deployment['spec']> = {}): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', generation: 2 },
    spec: { replicas: 2, selector: {}, template: {}, progressDeadlineSeconds: 60, ...spec },
    status,
  };
}

function set(status: ReplicaSet['status'] = {}): ReplicaSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'd-1' },
    spec: { replicas: 2, selector: {}, template: {} },
    status,
  };
}

function progressing(reason: string, status: 'True' | 'False' | 'Unknown' = 'True') {
  return { type: 'Progressing', status, reason, message: 'm', lastUpdateTime: EARLIER, lastTransitionTime: EARLIER };
}

function progressOf(status: DeploymentStatus): string | undefined {
  const found = status.conditions?.find(({ type }) => type === 'Progressing');
  return found && [found.status, found.reason, found.message, found.lastUpdateTime].join(' | ');
}

describe('rolloutStatus', () => {
  it('counts, and reports success', () => {
    const full = set({ replicas: 2, readyReplicas: 2, availableReplicas: 2, terminatingReplicas: 0 });
    const status = plainStatus(rolloutStatus(deployment({}), full, [full], now));
    const times = { lastUpdateTime: now.text, lastTransitionTime: now.text };
    expect(status).toEqual({
      observedGeneration: 2,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      terminatingReplicas: 0,
      conditions: [
        {
          type: 'Available',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
          ...times,
        },
        {
          type: 'Progressing',
          status: 'True',
          reason: 'NewReplicaSetAvailable',
          message: 'ReplicaSet "d-1" has successfully progressed.',
          ...times,
        },
      ],
    });
  });

  it.each([
    {
      name: 'progress renews the condition',
      before: { conditions: [progressing('ReplicaSetUpdated')] },
      after: { replicas: 1 },
      expected: `True | ReplicaSetUpdated | ReplicaSet "d-1" is progressing. | ${now.text}`,
    },
    {
      name: 'no progress for too long is reported',
      before: { conditions: [progressing('ReplicaSetUpdated')] },
      after: {},
      expected: `False | ProgressDeadlineExceeded | ReplicaSet "d-1" has timed out progressing. | ${now.text}`,
    },
    {
      name: 'pods lost after a complete rollout are no rollout',
      before: { replicas: 2, updatedReplicas: 2, conditions: [progressing('NewReplicaSetAvailable')] },
      after: { replicas: 1 },
      expected: `True | NewReplicaSetAvailable | m | ${EARLIER}`,
    },
  ])('$name', ({ before, after, expected }) => {
    const one = set(after);
    expect(progressOf(rolloutStatus(deployment(before), one, [one], now))).toBe(expected);
  });

  it('reports no progress without a deadline', () => {
    const d = deployment(
      { conditions: [progressing('ReplicaSetUpdated')] },
      { progressDeadlineSeconds: 2_147_483_647 },
    );
    expect(progressOf(rolloutStatus(d, undefined, [], now))).toBeUndefined();
  });

  it('passes on why pods cannot be made', () => {
    const failure = { type: 'ReplicaFailure', status: 'True' as const, reason: 'FailedCreate', message: 'no' };
    const failing = set({ conditions: [{ ...failure, lastTransitionTime: EARLIER }] });
    const found = rolloutStatus(deployment({}), failing, [failing], now).conditions?.at(-1);
    expect(found).toEqual({ ...failure, lastTransitionTime: EARLIER, lastUpdateTime: EARLIER });
  });
});

describe('pauseCondition', () => {
  it.each([
    { paused: true, reason: 'ReplicaSetUpdated', expected: 'DeploymentPaused' },
    { paused: true, reason: 'DeploymentPaused', expected: undefined },
    { paused: false, reason: 'DeploymentPaused', expected: 'DeploymentResumed' },
    { paused: false, reason: 'DeploymentResumed', expected: undefined },
    { paused: true, reason: 'ProgressDeadlineExceeded', expected: undefined },
  ])('of paused=$paused after $reason is $expected', ({ paused, reason, expected }) => {
    const d = deployment({ conditions: [progressing(reason)] }, { paused });
    expect(pauseCondition(d, now)?.reason).toBe(expected);
  });
});

describe('deadlineCheckMs', () => {
  it('is just after the deadline, and nothing once it is over', () => {
    const current = { ...progressing('ReplicaSetUpdated'), lastUpdateTime: '2026-01-01T00:09:30Z' };
    expect(deadlineCheckMs(deployment({ conditions: [current] }), {}, now)).toBe(31_000);
    const late = deployment({ conditions: [progressing('ProgressDeadlineExceeded')] });
    expect(deadlineCheckMs(late, {}, now)).toBeUndefined();
  });
});
