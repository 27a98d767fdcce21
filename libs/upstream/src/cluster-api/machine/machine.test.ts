import { describe, expect, it } from 'vitest';
import type { Cluster, Machine, MachineSet, MachineDeployment, Node } from '../types.js';
import { available, controlPlaneTogether, nodeConditions, nodeHealthy } from './conditions.js';
import { managedAnnotations, managedLabels, syncedNode, withMachineTaints } from './node-sync.js';
import { isStandalone } from './reconcile.js';
import { phaseOf } from './status.js';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const EARLIER = '2026-01-01T00:00:00Z';

function machine(metadata: object = {}, spec: object = {}, status: object = {}): Machine {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'm', namespace: 'n', ...metadata },
    spec: { clusterName: 'one', ...spec },
    status,
  };
}

const condition = (type: string, status: string, more: object = {}): never =>
  ({ type, status, reason: 'R', message: '', lastTransitionTime: EARLIER, ...more }) as never;

describe('the phase of a machine', () => {
  const provisioned = { initialization: { infrastructureProvisioned: true, bootstrapDataSecretCreated: true } };

  it.each<[string, Machine]>([
    ['Pending', machine()],
    ['Provisioning', machine({}, {}, { initialization: { bootstrapDataSecretCreated: true } })],
    ['Provisioned', machine({}, { providerID: 'x' }, provisioned)],
    ['Running', machine({}, { providerID: 'x' }, { ...provisioned, nodeRef: { name: 'x' } })],
    ['Deleting', machine({ deletionTimestamp: EARLIER }, { providerID: 'x' }, provisioned)],
  ])('is %s', (phase, object) => {
    expect(phaseOf(object)).toBe(phase);
  });
});

describe('whom a machine belongs to', () => {
  it.each<[string, object, boolean]>([
    ['the cluster, when nobody else', {}, true],
    ['a set that is about to claim it', { labels: { 'cluster.x-k8s.io/set-name': 's' } }, false],
    ['a control plane', { labels: { 'cluster.x-k8s.io/control-plane-name': 'c' } }, false],
    [
      'its controller',
      { ownerReferences: [{ apiVersion: 'x/v1', kind: 'X', name: 'x', uid: 'x', controller: true }] },
      false,
    ],
  ])('%s', (_, metadata, isClusters) => {
    expect(isStandalone(machine(metadata))).toBe(isClusters);
  });
});

describe('when a machine is available', () => {
  it.each<[string, object, object, unknown]>([
    ['never while it is not ready', {}, { conditions: [condition('Ready', 'False')] }, ['False', 'NotReady', 0]],
    ['at once', {}, { conditions: [condition('Ready', 'True')] }, ['True', 'Available', 0]],
    [
      'after a while',
      { minReadySeconds: 7200 },
      { conditions: [condition('Ready', 'True')] },
      ['False', 'WaitingForMinReadySeconds', 3_600_000],
    ],
  ])('%s', (_, spec, status, wanted) => {
    const { condition: found, againInMs } = available(machine({}, spec, status), NOW);
    expect([found.status, found.reason, againInMs]).toEqual(wanted);
  });
});

describe('the conditions for the node of a machine', () => {
  const cluster = (more: object = {}): Cluster =>
    ({
      metadata: { name: 'one' },
      status: {
        initialization: { infrastructureProvisioned: true },
        conditions: [condition('ControlPlaneInitialized', 'True')],
        ...more,
      },
    }) as unknown as Cluster;
  const view = (lastSuccessAt: number, failuresInARow = 0): Parameters<typeof nodeConditions>[1] => ({
    probe: { lastProbeAt: NOW, lastSuccessAt, failuresInARow },
    nowMs: NOW,
    graceMs: 300_000,
  });

  it.each<[string, Cluster, Machine, ReturnType<typeof view>, string, string]>([
    [
      'no infrastructure',
      cluster({ initialization: {} }),
      machine(),
      view(NOW),
      'InspectionFailed',
      'Waiting for Cluster status.initialization.infrastructureProvisioned to be true',
    ],
    [
      'no control plane',
      cluster({ conditions: [] }),
      machine(),
      view(NOW),
      'InspectionFailed',
      'Waiting for Cluster control plane to be initialized',
    ],
    ['no connection yet', cluster(), machine(), view(0), 'ConnectionDown', 'Remote connection not established yet'],
    [
      'none for long',
      cluster(),
      machine(),
      view(NOW - 400_000),
      'ConnectionDown',
      'Last successful probe at 2026-01-01T00:53:20Z',
    ],
    [
      'no provider id',
      cluster(),
      machine({}, { infrastructureRef: { kind: 'K' } }),
      view(NOW),
      'InspectionFailed',
      'Waiting for K to report spec.providerID',
    ],
    [
      'no node yet',
      cluster(),
      machine({}, { providerID: 'x' }),
      view(NOW),
      'InspectionFailed',
      'Waiting for a Node with spec.providerID x to exist',
    ],
    [
      'its node is gone',
      cluster(),
      machine({}, { providerID: 'x' }, { nodeRef: { name: 'a' } }),
      view(NOW),
      'NodeDeleted',
      'Node a has been deleted while the Machine still exists',
    ],
    [
      'both go',
      cluster(),
      machine({ deletionTimestamp: EARLIER }, {}, { nodeRef: { name: 'a' } }),
      view(NOW),
      'NodeDeleted',
      'Node a has been deleted',
    ],
  ])('%s', (...[, of, object, at, reason, message]) => {
    expect(nodeConditions({ cluster: of, machine: object }, at)).toMatchObject([
      { type: 'NodeReady', reason, message },
      { type: 'NodeHealthy', reason, message },
    ]);
  });

  const node = (conditions: object[]): Node => ({ metadata: { name: 'a' }, status: { conditions } }) as unknown as Node;
  const well = [
    condition('MemoryPressure', 'False'),
    condition('DiskPressure', 'False'),
    condition('PIDPressure', 'False'),
  ];

  it.each<[string, object[], string, string, string]>([
    ['well', [condition('Ready', 'True'), ...well], 'True', 'NodeHealthy', ''],
    [
      'not ready',
      [condition('Ready', 'False', { message: 'no' }), ...well],
      'False',
      'NodeNotHealthy',
      '* Node.Ready: no',
    ],
    [
      'silent',
      ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) =>
        condition(type, 'Unknown', { message: 'gone' }),
      ),
      'Unknown',
      'NodeHealthyUnknown',
      '* Node.AllConditions: gone',
    ],
    [
      'new',
      [condition('Ready', 'True')],
      'Unknown',
      'NodeHealthyUnknown',
      '* Node.MemoryPressure: Condition not yet reported\n* Node.DiskPressure: Condition not yet reported\n* Node.PIDPressure: Condition not yet reported',
    ],
  ])('a node that is %s', (...[, conditions, status, reason, message = '']) => {
    expect(nodeHealthy(node(conditions))).toEqual({
      type: 'NodeHealthy',
      status,
      reason,
      ...(message === '' ? {} : { message }),
    });
  });

  it('equal messages of components of a control plane are reported once', () => {
    const messages = ['* APIServerPodHealthy: x', '* NodeHealthy: y', '* SchedulerPodHealthy: x'];
    expect(controlPlaneTogether(messages)).toEqual(['* Control plane components: x', '* NodeHealthy: y']);
    expect(controlPlaneTogether(['* APIServerPodHealthy: x', '* SchedulerPodHealthy: z'])).toHaveLength(2);
  });
});

describe('what a node is given', () => {
  const owned = machine({
    labels: { 'node-role.kubernetes.io/infra': '', 'x.node.cluster.x-k8s.io/a': '1', pool: 'p' },
    annotations: { 'node.cluster.x-k8s.io/b': '2', other: '3' },
    ownerReferences: [{ apiVersion: 'x/v1', kind: 'MachineSet', name: 's', uid: 'u', controller: true }],
  });
  const sync = { machine: owned, isInterruptible: false, propagatesTaints: false };
  const node = (metadata: object = {}, spec: object = {}): Node => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'a', ...metadata },
    spec,
  });

  it('are the labels and annotations of its machine that are meant for nodes', () => {
    expect(managedLabels(owned)).toEqual({ 'node-role.kubernetes.io/infra': '', 'x.node.cluster.x-k8s.io/a': '1' });
    expect(managedAnnotations(owned)).toEqual({
      'cluster.x-k8s.io/cluster-name': 'one',
      'cluster.x-k8s.io/cluster-namespace': 'n',
      'cluster.x-k8s.io/machine': 'm',
      'cluster.x-k8s.io/owner-kind': 'MachineSet',
      'cluster.x-k8s.io/owner-name': 's',
      'node.cluster.x-k8s.io/b': '2',
    });
  });

  it('is given once, and removed when the machine has it no longer', () => {
    const first = syncedNode(
      node({}, { taints: [{ key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' }] }),
      sync,
    );
    expect(first?.metadata.labels).toEqual(managedLabels(owned));
    expect(first?.metadata.annotations).toMatchObject({
      'cluster.x-k8s.io/labels-from-machine': 'node-role.kubernetes.io/infra,x.node.cluster.x-k8s.io/a',
      'cluster.x-k8s.io/annotations-from-machine': 'node.cluster.x-k8s.io/b',
    });
    expect(first?.spec).toEqual({});
    expect(syncedNode(first as Node, sync)).toBeUndefined();
    const bare = machine({ labels: {}, annotations: {} });
    const last = syncedNode(first as Node, { ...sync, machine: bare });
    expect(last?.metadata.labels).toEqual({});
    expect(last?.metadata.annotations).not.toHaveProperty('node.cluster.x-k8s.io/b');
  });

  it('reports an outdated template', () => {
    const at = (revision: string): MachineSet & MachineDeployment =>
      ({ metadata: { annotations: { 'machinedeployment.clusters.x-k8s.io/revision': revision } } }) as never;
    const old = syncedNode(node(), { ...sync, set: at('1'), deployment: at('2') });
    expect(old?.spec?.taints).toEqual([{ key: 'node.cluster.x-k8s.io/outdated-revision', effect: 'PreferNoSchedule' }]);
    const current = syncedNode(old as Node, { ...sync, set: at('2'), deployment: at('2') });
    expect(current?.spec?.taints).toBeUndefined();
  });

  it.each<[string, object[], object[], string | undefined, object[], string]>([
    [
      'a taint that is always there',
      [],
      [{ key: 'a', effect: 'NoSchedule', propagation: 'Always' }],
      undefined,
      [{ key: 'a', effect: 'NoSchedule' }],
      'a:NoSchedule',
    ],
    ['one for the start only', [], [{ key: 'a', effect: 'NoSchedule', propagation: 'OnInitialization' }], '', [], ''],
    [
      'one no longer wanted',
      [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'b', effect: 'NoSchedule' },
      ],
      [],
      'a:NoSchedule',
      [{ key: 'b', effect: 'NoSchedule' }],
      '',
    ],
    [
      'another value',
      [{ key: 'a', effect: 'NoSchedule', value: '1' }],
      [{ key: 'a', effect: 'NoSchedule', value: '2', propagation: 'Always' }],
      'a:NoSchedule',
      [{ key: 'a', effect: 'NoSchedule', value: '2' }],
      'a:NoSchedule',
    ],
  ])('%s', (...[, has, wants, before, taints, annotation]) => {
    expect(withMachineTaints(has as never, wants as never, before)).toEqual({ taints, annotation });
  });
});
