import { describe, expect, it } from 'vitest';
import type { Container, PodSpec } from '../workload/pod-spec.js';
import type { Pod } from '../workload/resources.js';
import { podPhase, podStatus, statusPatch } from './pod-status.js';
import type { ContainerState, ContainerView, PodView } from './pod-status.js';

const at = '2026-01-01T00:00:00Z';
const running: ContainerState = { running: { startedAt: at } };
const waiting: ContainerState = { waiting: { reason: 'ContainerCreating' } };
const ended = (exitCode: number): ContainerState => ({
  terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt: at, finishedAt: at },
});

function view(state: ContainerState, more: Partial<ContainerView> & { spec?: Container } = {}): ContainerView {
  const isRunning = state.running !== undefined;
  const defaults = { lastState: {}, restartCount: 0, containerId: '', ready: isRunning, started: isRunning };
  return { ...defaults, spec: { name: 'main', image: 'nginx:1' }, state, ...more };
}

function podView(containers: ContainerView[], more: Partial<PodView> & { spec?: Partial<PodSpec> } = {}): PodView {
  const { spec = {}, ...rest } = more;
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n', generation: 2 },
    spec: { containers: containers.map((each) => each.spec), ...spec },
  } as Pod;
  const defaults = { initContainers: [], hostIp: '1.1.1.1', podIp: '2.2.2.2', startTime: at, terminal: false, now: at };
  return { ...defaults, pod, containers, ...rest };
}

describe('podPhase', () => {
  const init = (state: ContainerState, restartPolicy?: string): ContainerView =>
    view(state, { spec: { name: 'init', ...(restartPolicy === undefined ? {} : { restartPolicy }) } });
  it.each<[string, string, ContainerView[], Parameters<typeof podView>[1]?]>([
    ['Pending', 'a container is yet to start', [view(running), view(waiting)]],
    ['Running', 'all run', [view(running)]],
    ['Running', 'one runs and one has ended', [view(running), view(ended(1))], { spec: { restartPolicy: 'Never' } }],
    ['Running', 'a container that ended will start again', [view(ended(0))]],
    ['Running', 'a container backs off', [view({ waiting: { reason: 'CrashLoopBackOff' } }, { lastState: ended(1) })]],
    ['Running', 'what failed will be tried again', [view(ended(1))], { spec: { restartPolicy: 'OnFailure' } }],
    ['Succeeded', 'all went well', [view(ended(0)), view(ended(0))], { spec: { restartPolicy: 'OnFailure' } }],
    ['Failed', 'one failed for good', [view(ended(0)), view(ended(1))], { spec: { restartPolicy: 'Never' } }],
    ['Succeeded', 'it was stopped and all went well', [view(ended(0))], { terminal: true }],
    ['Failed', 'it was stopped before it began', [view(waiting)], { terminal: true }],
    ['Pending', 'an init container runs', [view(waiting)], { initContainers: [init(running)] }],
    ['Pending', 'an init container will be tried again', [view(waiting)], { initContainers: [init(ended(1))] }],
    ['Running', 'a sidecar runs', [view(running)], { initContainers: [init(running, 'Always')] }],
    [
      'Failed',
      'an init container failed for good',
      [view(waiting)],
      { initContainers: [init(ended(1))], spec: { restartPolicy: 'Never' } },
    ],
    ['Failed', 'the node ended it', [view(running)], { failure: { reason: 'DeadlineExceeded', message: '' } }],
  ])('is %s when %s', (phase, _, containers, more) => {
    expect(podPhase(podView(containers, more))).toBe(phase);
  });
});

describe('podStatus', () => {
  const conditions = (of: PodView): Record<string, unknown> =>
    Object.fromEntries(
      (podStatus(of).conditions ?? []).map(({ message, reason, status, type }) => [
        type,
        [status, ...(reason === undefined ? [] : [reason]), ...(message === undefined ? [] : [message])],
      ]),
    );

  it('reports a running pod as running', () => {
    const status = podStatus(podView([view(running, { containerId: 'capstan://1' })]));
    expect(status).toMatchObject({ phase: 'Running', podIP: '2.2.2.2', hostIP: '1.1.1.1', observedGeneration: 2 });
    expect(status.containerStatuses).toEqual([
      {
        containerID: 'capstan://1',
        image: 'nginx:1',
        imageID: expect.stringMatching(/^nginx@sha256:[0-9a-f]{64}$/) as string,
        lastState: {},
        name: 'main',
        ready: true,
        restartCount: 0,
        started: true,
        state: running,
      },
    ]);
    expect(
      status.conditions?.map(({ observedGeneration, status: is, type }) => [type, is, observedGeneration]),
    ).toEqual([
      ['PodReadyToStartContainers', 'True', 2],
      ['Initialized', 'True', 2],
      ['Ready', 'True', 2],
      ['ContainersReady', 'True', 2],
      ['PodScheduled', 'True', 2],
    ]);
  });

  it('names the containers that are not ready, sidecars among them', () => {
    const sidecar = view(running, { ready: false, spec: { name: 'side', restartPolicy: 'Always' } });
    const found = conditions(podView([view(running, { ready: false })], { initContainers: [sidecar] }));
    const unready = ['False', 'ContainersNotReady', 'containers with unready status: [side main]'];
    expect(found).toMatchObject({ Ready: unready, ContainersReady: unready });
  });

  it('names the init containers that are not through', () => {
    const inits = ['a', 'b'].map((name) => view(waiting, { ready: false, spec: { name } }));
    expect(conditions(podView([view(waiting)], { initContainers: inits }))['Initialized']).toEqual([
      'False',
      'ContainersNotInitialized',
      'containers with incomplete status: [a b]',
    ]);
  });

  it('names what the condition of a gate lacks', () => {
    const spec = { readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] };
    const gated = podView([view(running)], { spec });
    const pod = { ...gated.pod, status: { conditions: [{ type: 'b', status: 'False' }] } };
    expect(conditions({ ...gated, pod })['Ready']).toEqual([
      'False',
      'ReadinessGatesNotReady',
      'corresponding condition of pod readiness gate "a" does not exist., the status of pod readiness gate "b" is not "True", but False',
    ]);
  });
});

describe('statusPatch', () => {
  const wanted = podStatus(podView([view(running)]));

  it('is the whole status at first, and nothing once it is there', () => {
    expect(statusPatch({ phase: 'Pending' }, wanted)).toEqual(wanted);
    expect(statusPatch({ ...wanted, qosClass: 'BestEffort' }, wanted)).toBeUndefined();
  });

  it('has only the conditions that changed, and clears fields that are no longer set', () => {
    const before = podStatus(podView([view(running, { ready: false })]));
    const patch = statusPatch(before, wanted);
    expect(Object.keys(patch ?? {})).toEqual(['containerStatuses', 'conditions']);
    expect(patch?.['conditions']).toEqual(
      ['Ready', 'ContainersReady'].map((type) => ({
        type,
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: at,
        reason: null,
        message: null,
        observedGeneration: 2,
      })),
    );
  });

  it('replaces addresses instead of adding to them', () => {
    const patch = statusPatch({ ...wanted, podIP: '3.3.3.3', podIPs: [{ ip: '3.3.3.3' }] }, wanted);
    expect(patch).toEqual({ podIP: '2.2.2.2', podIPs: [{ $patch: 'replace' }, { ip: '2.2.2.2' }] });
  });
});
