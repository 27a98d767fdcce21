import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import type { Cluster, Machine, MachineDeployment, MachineSet } from '../types.js';
import {
  available,
  controlPlaneInitialized,
  infrastructureReady,
  progress,
  remoteConnection,
  workersAvailable,
} from './conditions.js';
import { nextObstacle } from './deletion.js';
import { sumCounts, workerCounts } from './replicas.js';
import { directChildren, pendingText } from './scope.js';
import type { ClusterScope, Descendants } from './scope.js';
import { phaseOf } from './status.js';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const REFS = {
  infrastructureRef: { apiGroup: 'i', kind: 'Infra', name: 'x' },
  controlPlaneRef: { apiGroup: 'c', kind: 'Plane', name: 'x' },
};

function cluster(spec: object = REFS, status: object = {}, metadata: object = {}): Cluster {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'one', ...metadata },
    spec,
    status,
  };
}

const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const owned = { ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'one', uid: 'u' }] };
const external = (status: object = {}): never =>
  ({
    object: { apiVersion: 'i/v1', kind: 'Infra', metadata: { name: 'x' }, status } as KubeObject,
    ref: {},
    contract: 'v1beta2',
  }) as never;
const nobody: Descendants = { deployments: [], sets: [], controlPlaneMachines: [], workers: [] };
const named = <T>(kind: string, name: string, more: object = {}): T =>
  ({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind, metadata: { name, ...owned }, spec: {}, ...more }) as unknown as T;

describe('the phase of a cluster', () => {
  const endpoint = { controlPlaneEndpoint: { host: 'h', port: 1 } };

  it.each<[string, Cluster]>([
    ['Pending', cluster({})],
    ['Provisioning', cluster()],
    ['Provisioning', cluster(REFS, { initialization: { infrastructureProvisioned: true } })],
    ['Provisioned', cluster({ ...REFS, ...endpoint }, { initialization: { infrastructureProvisioned: true } })],
    ['Deleting', cluster(REFS, {}, GOING)],
  ])('is %s', (phase, object) => {
    expect(phaseOf(object)).toBe(phase);
  });
});

describe('what goes next when a cluster goes', () => {
  const deployment = named<MachineDeployment>('MachineDeployment', 'd');

  it.each<[string, Partial<ClusterScope>, string | undefined]>([
    ['nobody knows', {}, 'unknown'],
    ['workers first', { descendants: { ...nobody, deployments: [deployment] }, controlPlane: external() }, 'workers'],
    [
      'then the control plane',
      { descendants: nobody, controlPlane: external(), infrastructure: external() },
      'control-plane',
    ],
    ['not while the control plane was not looked for', { descendants: nobody, infrastructure: external() }, 'unknown'],
    [
      'then the infrastructure',
      { descendants: nobody, isControlPlaneMissing: true, infrastructure: external() },
      'infrastructure',
    ],
    [
      'then the cluster',
      { descendants: nobody, isControlPlaneMissing: true, isInfrastructureMissing: true },
      undefined,
    ],
  ])('%s', (_, scope, obstacle) => {
    expect(nextObstacle({ cluster: cluster(REFS, {}, GOING), ...scope })).toBe(obstacle);
  });

  it('control plane machines are left to the control plane, and what others own to them', () => {
    const own = named<Machine>('Machine', 'cp');
    const child = named<MachineSet>('MachineSet', 's', { metadata: { name: 's' } });
    const all = { deployments: [deployment], sets: [child], controlPlaneMachines: [own], workers: [] };
    expect(directChildren(cluster(), all).map(([kind]) => kind)).toEqual(['MachineDeployment']);
    expect(directChildren(cluster({}), all).map(([kind]) => kind)).toEqual(['Machine', 'MachineDeployment']);
    expect(pendingText(cluster({}), all)).toBe(
      '* Control plane Machines: cp\n* MachineDeployments: d\n* MachineSets: s',
    );
  });
});

describe('how many there are', () => {
  it('is summed over the objects that report it', () => {
    expect(sumCounts([{ replicas: 1 }, { replicas: 2, readyReplicas: 1 }, {}])).toEqual({
      replicas: 3,
      readyReplicas: 1,
    });
    const scaled = { spec: { replicas: 3 }, status: { replicas: 2, readyReplicas: 1 } };
    const counts = workerCounts(cluster(), {
      ...nobody,
      deployments: [named('MachineDeployment', 'd', scaled)],
      sets: [named('MachineSet', 's', { ...scaled, metadata: { name: 's' } })],
      workers: [named('Machine', 'm')],
    });
    expect(counts).toEqual({ desiredReplicas: 4, replicas: 3, readyReplicas: 1 });
  });
});

describe('the conditions of a cluster', () => {
  const view = (lastSuccessAt: number, failuresInARow = 0): Parameters<typeof remoteConnection>[1] => ({
    probe: { lastProbeAt: NOW, lastSuccessAt, failuresInARow },
    nowMs: NOW,
    graceMs: 50_000,
  });

  it.each<[string, ReturnType<typeof view>, string | undefined, string | undefined]>([
    ['not yet', view(0), 'False', 'Remote connection not established yet'],
    ['it can be reached', view(NOW - 10_000), 'True', undefined],
    [
      'not any more',
      view(NOW - 60_000),
      'False',
      'Remote connection probe failed, probe last succeeded at 2026-01-01T00:59:00Z',
    ],
    ['never', view(0, 5), 'False', 'Remote connection probe failed'],
  ])('of its connection: %s', (...[, of, status, message]) => {
    const found = remoteConnection(cluster(), of);
    expect([found?.status, found?.message]).toEqual([status, message]);
  });

  it.each<[string, Partial<ClusterScope> & { cluster: Cluster }, string, string | undefined]>([
    ['it could not be looked for', { cluster: cluster() }, 'InternalError', 'Please check controller logs for errors'],
    [
      'it was never there',
      { cluster: cluster(), isInfrastructureMissing: true },
      'ObjectDoesNotExist',
      'Infra does not exist',
    ],
    [
      'it was lost',
      {
        cluster: cluster(REFS, { initialization: { infrastructureProvisioned: true } }),
        isInfrastructureMissing: true,
      },
      'ObjectDeleted',
      'Infra has been deleted while the cluster still exists',
    ],
    [
      'it is not ready',
      { cluster: cluster(), infrastructure: external() },
      'NotReady',
      'Infra status.initialization.provisioned is false',
    ],
    [
      'it reports so itself',
      {
        cluster: cluster(),
        infrastructure: external({ conditions: [{ type: 'Ready', status: 'False', reason: 'Boom', message: 'm' }] }),
      },
      'Boom',
      'm',
    ],
  ])('of its infrastructure: %s', (...[, scope, reason, message]) => {
    expect(infrastructureReady(scope)).toMatchObject({ reason, message });
  });

  it('a control plane that was there once was there', () => {
    const done = {
      type: 'ControlPlaneInitialized',
      status: 'True',
      reason: 'Initialized',
      message: '',
      lastTransitionTime: '',
    };
    expect(controlPlaneInitialized({ cluster: cluster(REFS, { conditions: [done] }) })).toBeUndefined();
    expect(controlPlaneInitialized({ cluster: cluster(), controlPlane: external() })).toMatchObject({
      reason: 'NotInitialized',
    });
    expect(controlPlaneInitialized({ cluster: cluster({}), descendants: nobody })?.message).toBe(
      'Waiting for the first control plane machine to have status.nodeRef set',
    );
  });

  it('a cluster without workers has all its workers, and nothing moves', () => {
    expect(workersAvailable(nobody)).toMatchObject({ status: 'True', reason: 'NoWorkers' });
    expect(progress('ScalingUp', { cluster: cluster({}), descendants: nobody })).toMatchObject({
      status: 'False',
      reason: 'NotScalingUp',
    });
    expect(progress('ScalingUp', { cluster: cluster(), descendants: nobody })).toMatchObject({
      reason: 'InternalError',
    });
  });

  it('what is gone is no fault of a cluster that goes', () => {
    const condition = (type: string, status: string, reason: string): object => ({
      type,
      status,
      reason,
      message: '',
      lastTransitionTime: '',
    });
    const conditions = [
      condition('Deleting', 'True', 'WaitingForInfrastructureDeletion'),
      condition('RemoteConnectionProbe', 'True', 'ProbeSucceeded'),
      condition('InfrastructureReady', 'True', 'Ready'),
      condition('ControlPlaneAvailable', 'False', 'ObjectDeleted'),
      condition('WorkersAvailable', 'True', 'NoWorkers'),
    ];
    expect(available(cluster(REFS, { conditions }, GOING))).toMatchObject({
      status: 'False',
      message: '* Deleting: WaitingForInfrastructureDeletion',
    });
    expect(available(cluster(REFS, { conditions }))?.message).toContain('* ControlPlaneAvailable: ObjectDeleted');
  });
});
