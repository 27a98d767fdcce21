import { describe, expect, it } from 'vitest';
import { rolloutState } from './rollout.js';
import type { Deployment, ObservedEvent, Pod, RolloutSnapshot } from './rollout.js';

const NEVER = Number.POSITIVE_INFINITY;

function deployment(status: Deployment['status'] = { observedGeneration: 2 }): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', generation: 2 },
    spec: { replicas: 2 },
    ...(status === undefined ? {} : { status }),
  };
}

function pod(status: Pod['status'] & object): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'd-1' }, status };
}

/** A pod whose only container is in a state. */
function inState(state: object, more: object = {}): Pod {
  return pod({ containerStatuses: [{ name: 'main', state, ...more }] });
}

function warning(reason: string, message: string): ObservedEvent {
  const involvedObject = { kind: 'Pod', name: 'd-1' };
  return { apiVersion: 'v1', kind: 'Event', metadata: {}, type: 'Warning', reason, message, involvedObject };
}

function snapshot(given: Partial<RolloutSnapshot>): RolloutSnapshot {
  return { deployment: deployment(), pods: [], events: [], nodes: undefined, ...given };
}

function waiting(reason: string, message?: string): Partial<RolloutSnapshot> {
  return { pods: [inState({ waiting: { reason, ...(message === undefined ? {} : { message }) } })] };
}

describe('what holds a Deployment up', () => {
  it('nothing, once every replica of this version is available', () => {
    const status = { observedGeneration: 2, updatedReplicas: 2, availableReplicas: 2 };
    expect(rolloutState(snapshot({ deployment: deployment(status) }))).toEqual({ isAvailable: true });
    const unobserved = deployment({ ...status, observedGeneration: 1 });
    expect(rolloutState(snapshot({ deployment: unobserved })).isAvailable).toBe(false);
    const beforeIt = deployment({ ...status, replicas: 4 });
    expect(rolloutState(snapshot({ deployment: beforeIt }))).toMatchObject({
      isAvailable: false,
      progress: '0 of 2 replicas are available',
    });
    expect(rolloutState(snapshot({ deployment: undefined })).isAvailable).toBe(false);
  });

  it.each<[string, Partial<RolloutSnapshot>, string, number]>([
    ['no nodes', { nodes: 0 }, 'the cluster has no nodes, its pods cannot run', 0],
    ['no controllers', { deployment: deployment({}) }, 'no controller has seen the Deployment', 30_000],
    [
      'a quota',
      {
        deployment: deployment({
          observedGeneration: 2,
          conditions: [
            { type: 'ReplicaFailure', status: 'True', message: 'pods "d-" is forbidden: exceeded quota: q' },
          ],
        }),
      },
      'its pods cannot be created: pods "d-" is forbidden: exceeded quota: q',
      30_000,
    ],
    [
      'no room',
      { pods: [pod({ conditions: [{ type: 'PodScheduled', status: 'False', message: '0/1 nodes are available' }] })] },
      'pod d-1 cannot be scheduled: 0/1 nodes are available',
      NEVER,
    ],
    [
      'the first failed pull',
      waiting('ErrImagePull', 'not found'),
      'pod d-1, container main: ErrImagePull: not found',
      NEVER,
    ],
    [
      'an image that is not there',
      waiting('ImagePullBackOff', 'Back-off pulling image "x": not found'),
      'pod d-1, container main: ImagePullBackOff: Back-off pulling image "x": not found',
      0,
    ],
    [
      'a registry that does not answer',
      waiting('ImagePullBackOff', 'Back-off pulling image "x": i/o timeout'),
      'pod d-1, container main: ImagePullBackOff: Back-off pulling image "x": i/o timeout',
      NEVER,
    ],
    ['no name of an image', waiting('InvalidImageName'), 'pod d-1, container main: InvalidImageName', 0],
    [
      'an image without the command',
      {
        pods: [inState({ terminated: { exitCode: 128, reason: 'StartError', message: 'executable file not found' } })],
      },
      'pod d-1, container main: StartError: executable file not found',
      0,
    ],
    [
      'a container that ended once',
      { pods: [inState({ terminated: { exitCode: 1, reason: 'Error' } }, { restartCount: 0 })] },
      'pod d-1, container main: ended with exit code 1',
      NEVER,
    ],
    [
      'a container that ends again and again',
      {
        pods: [
          inState(
            { waiting: { reason: 'CrashLoopBackOff' } },
            { restartCount: 2, lastState: { terminated: { exitCode: 2, message: 'bad\n flag\n' } } },
          ),
        ],
      },
      'pod d-1, container main: ended with exit code 2: bad; flag',
      0,
    ],
    [
      'a volume that is not there',
      {
        ...waiting('ContainerCreating'),
        events: [warning('FailedMount', 'secret "d-serving-cert" not found')],
      },
      'pod d-1: FailedMount: secret "d-serving-cert" not found',
      30_000,
    ],
    [
      'a probe that fails',
      { pods: [inState({ running: {} })], events: [warning('Unhealthy', 'Readiness probe failed: refused')] },
      'pod d-1, container main: Unhealthy: Readiness probe failed: refused',
      NEVER,
    ],
    [
      'an event of a pod without containers',
      { pods: [pod({})], events: [warning('FailedCreatePodSandBox', 'no network')] },
      'pod d-1: FailedCreatePodSandBox: no network',
      NEVER,
    ],
    [
      'the deadline',
      {
        deployment: deployment({
          observedGeneration: 2,
          conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'late' }],
        }),
      },
      'late',
      0,
    ],
  ])('%s', (_, given, text, certainAfterMs) => {
    expect(rolloutState(snapshot(given))).toMatchObject({ isAvailable: false, cause: { text, certainAfterMs } });
  });

  it('of several pods the one that is certain not to start is named', () => {
    const pods = [inState({ running: {} }), inState({ waiting: { reason: 'InvalidImageName' } })];
    expect(rolloutState(snapshot({ pods, events: [warning('Unhealthy', 'x')] }))).toMatchObject({
      progress: '0 of 2 replicas are available: pod d-1, container main: InvalidImageName',
    });
  });

  it('nothing is known of pods that only begin', () => {
    expect(rolloutState(snapshot(waiting('ContainerCreating')))).toEqual({
      isAvailable: false,
      progress: '0 of 2 replicas are available',
      cause: undefined,
    });
  });
});
