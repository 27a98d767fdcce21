import type { ClusterVersion } from '@capstan/api/config';
import type { Machine, MachineSet } from '@capstan/api/cluster-api';
import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { decideCleanup } from './hosted-cluster/deletion/decide.js';
import { desiredVersion } from './guest/objects.js';
import { versionConditions, versionStatusOf } from './guest/version-status.js';
import { decidePool } from './in-place/decide.js';
import type { PoolNode } from './in-place/decide.js';
import { blockedText } from './in-place/blocked.js';
import type { Draining } from './in-place/blocked.js';
import { mustLeave } from './in-place/steps/drain.js';
import { targetOf, viewOf, writeTurn } from './in-place/view.js';
import { withMachineMetadata } from './node-labels/decide.js';

const TARGET = { config: 'new', release: '4.22.1', maxUnavailable: 1 };
const TURN = { target: 'new', wasCordoned: false, sinceMs: 1000 };

function node(name: string, more: Partial<PoolNode> = {}): PoolNode {
  return {
    machine: `m-${name}`,
    node: name,
    currentConfig: 'old',
    desiredConfig: 'old',
    isDone: true,
    trouble: undefined,
    isReady: true,
    isUnschedulable: false,
    turn: undefined,
    release: '4.22.0',
    drainTimeoutMs: undefined,
    ...more,
  };
}

describe('nodes are upgraded in place', () => {
  const decisions = (nodes: readonly PoolNode[], maxUnavailable = 1, nowMs = 2000): readonly string[] =>
    decidePool(nodes, { ...TARGET, maxUnavailable }, nowMs).nodes.map(({ do: what, node: of }) => `${what} ${of.node}`);

  it.each<[string, readonly PoolNode[], number, readonly string[]]>([
    ['one begins', [node('b'), node('a')], 1, ['begin a']],
    ['as many begin as may be missing', [node('a'), node('b'), node('c')], 2, ['begin a', 'begin b']],
    ['none begins while one is away', [node('a', { turn: TURN }), node('b')], 1, ['drain a']],
    [
      'none begins while another is lost for a different reason',
      [node('a', { currentConfig: 'new', release: '4.22.1', isReady: false }), node('b')],
      1,
      [],
    ],
    ['one that is lost goes first', [node('a'), node('b', { isReady: false })], 1, ['begin b']],
    [
      'one with a desired configuration is waited for',
      [node('a', { turn: TURN, desiredConfig: 'new' })],
      1,
      ['await a'],
    ],
    [
      'one whose target changed meanwhile gets the newer one',
      [node('a', { turn: { ...TURN, target: 'mid' }, desiredConfig: 'mid' })],
      1,
      ['drain a'],
    ],
    [
      'one that is done comes back',
      [node('a', { turn: TURN, desiredConfig: 'new', currentConfig: 'new' })],
      1,
      ['finish a'],
    ],
    ['one that is new is written down', [node('a', { currentConfig: 'new', release: undefined })], 1, ['record a']],
    ['one that is as it should be is left alone', [node('a', { currentConfig: 'new', release: '4.22.1' })], 1, []],
  ])('%s', (_, nodes, maxUnavailable, expected) => {
    expect(decisions(nodes, maxUnavailable)).toEqual(expected);
  });

  it('a drain is cut short when its time is over', () => {
    const draining = node('a', { turn: TURN, drainTimeoutMs: 500 });
    expect(decidePool([draining], TARGET, 1400).nodes).toMatchObject([{ do: 'drain', isForced: false }]);
    expect(decidePool([draining], TARGET, 1500).nodes).toMatchObject([{ do: 'drain', isForced: true }]);
  });

  describe('a drain that takes long', () => {
    const budget =
      "Cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 2 healthy pods and has 2 currently";
    const from = {
      node: 'a',
      sinceMs: Date.parse('2026-01-01T00:00:00Z'),
      left: [{ pod: 'default/web', refusal: budget }],
    };
    const [soon, late] = [from.sinceMs + 299_000, from.sinceMs + 300_000];
    const advice = 'help them, or set spec.nodeDrainTimeout';

    it.each<[string, readonly Draining[], number, string | undefined]>([
      ['none', [], late, undefined],
      ['not yet', [from], soon, undefined],
      ['one that has just begun', [{ ...from, left: [] }], late, undefined],
      [
        'a budget',
        [from],
        late,
        `Node a: draining since 2026-01-01T00:00:00Z: Pod default/web: PodDisruptionBudget web needs 2 pods, has 2: ${advice}`,
      ],
      [
        'a pod that does not end, and the first by name',
        [
          { ...from, node: 'b' },
          { ...from, left: [{ pod: 'default/slow' }] },
        ],
        late,
        `Node a (and 1 more): draining since 2026-01-01T00:00:00Z: Pod default/slow: does not leave: ${advice}`,
      ],
    ])('%s', (_, draining, nowMs, text) => {
      expect(blockedText(draining, nowMs)).toBe(text);
    });

    it('is reported in 200 characters, whatever the names', () => {
      const long = {
        ...from,
        node: 'n'.repeat(40),
        left: [{ pod: `${'x'.repeat(63)}/${'y'.repeat(200)}`, refusal: budget }],
      };
      const text = blockedText([long], late) ?? '';
      expect(text.length).toBeLessThanOrEqual(200);
      expect(text).toContain(advice);
    });
  });

  it('the progress of a pool is reported', () => {
    const done = node('a', { currentConfig: 'new', release: '4.22.1' });
    expect(decidePool([done, node('b', { turn: TURN, trouble: 'disk full' })], TARGET, 0)).toMatchObject({
      isComplete: false,
      progress: 'Nodepool update in progress. Target Config version: new. Total Nodes: 2. Upgraded: 1',
      failure: 'Node b: disk full',
    });
    expect(decidePool([done], TARGET, 0)).toMatchObject({ isComplete: true, progress: undefined, failure: undefined });
    // Still cordoned: not yet.
    expect(decidePool([{ ...done, turn: TURN }], TARGET, 0)).toMatchObject({ isComplete: false });
  });

  it('what is written on a node is read again', () => {
    const machine = {
      metadata: { name: 'm' },
      spec: { deletion: { nodeDrainTimeoutSeconds: 60 } },
    } as unknown as Machine;
    const read = (annotations: Record<string, string>) =>
      viewOf(machine, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', annotations } });
    expect(read({ 'capstan.dev/in-place-turn': writeTurn(TURN) })).toMatchObject({
      turn: TURN,
      drainTimeoutMs: 60_000,
    });
    expect(read({ 'capstan.dev/in-place-turn': '{' }).turn).toEqual({ target: '', wasCordoned: true, sinceMs: 0 });
    expect(read({ 'machineconfiguration.openshift.io/state': 'Degraded' })).toMatchObject({
      isDone: false,
      trouble: 'its configuration cannot be applied',
    });
  });

  it('only of pools that say so', () => {
    const set = (annotations: Record<string, string>): MachineSet =>
      ({ metadata: { annotations }, spec: { template: { spec: { version: 'v4.22.1' } } } }) as unknown as MachineSet;
    expect(targetOf(set({}))).toBeUndefined();
    const target = 'hypershift.openshift.io/nodePoolTargetConfigVersion';
    expect(targetOf(set({ [target]: 'c' }))).toEqual({ config: 'c', release: '4.22.1', maxUnavailable: 1 });
    expect(
      targetOf(set({ [target]: 'c', 'hypershift.openshift.io/nodePoolMaxUnavailable': '0' }))?.maxUnavailable,
    ).toBe(1);
  });

  it.each<[Partial<KubeObject['metadata']>, string, boolean]>([
    [{}, 'Running', true],
    [{}, 'Succeeded', false],
    [{ annotations: { 'kubernetes.io/config.mirror': 'x' } }, 'Running', false],
    [
      { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'u', controller: true }] },
      'Running',
      false,
    ],
  ])('a pod with %j that is %s must leave: %s', (metadata, phase, leaves) => {
    expect(mustLeave({ apiVersion: 'v1', kind: 'Pod', metadata, status: { phase } })).toBe(leaves);
  });
});

describe('nodes have what their machines say', () => {
  const machine = (labels: Record<string, string>, taints = '[]'): Machine =>
    ({
      metadata: {
        labels,
        annotations: {
          'hypershift.openshift.io/nodePool': 'ns/pool',
          'hypershift.openshift.io/nodePoolTaints': taints,
        },
      },
    }) as unknown as Machine;
  const bare = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels: { own: '1' } } };

  const worker = { 'node-role.kubernetes.io/worker': '' };

  it('labels come and go, and those of others stay', () => {
    const labelled = withMachineMetadata(bare, machine({ 'managed.hypershift.openshift.io.a/b': 'c', other: 'x' }));
    expect(labelled.metadata.labels).toEqual({
      ...worker,
      own: '1',
      'a/b': 'c',
      'hypershift.openshift.io/nodePool': 'pool',
    });
    expect(withMachineMetadata(labelled, machine({})).metadata.labels).toEqual({
      ...worker,
      own: '1',
      'hypershift.openshift.io/nodePool': 'pool',
    });
  });

  it('taints come and stay', () => {
    const taints = [{ key: 'own', effect: 'NoExecute' }];
    const before = { ...bare, spec: { taints } };
    const wanted = JSON.stringify([{ key: 'k', value: 'v', effect: 'NoSchedule' }]);
    const tainted = withMachineMetadata(before, machine({}, wanted));
    expect(tainted.spec?.taints).toEqual([...taints, { key: 'k', value: 'v', effect: 'NoSchedule' }]);
    expect(withMachineMetadata(tainted, machine({}, wanted)).spec).toBe(tainted.spec);
    expect(withMachineMetadata(before, machine({}, 'nonsense')).spec).toBe(before.spec);
  });
});

describe('the version of a hosted cluster', () => {
  const version = (status: object): ClusterVersion => ({ status }) as unknown as ClusterVersion;

  it('is reported outside as it is inside', () => {
    const status = {
      availableUpdates: null,
      desired: { image: 'i', version: 'v' },
      history: [],
      observedGeneration: 2,
      versionHash: 'x',
    };
    expect(versionStatusOf(version(status))).toEqual({
      availableUpdates: null,
      desired: { image: 'i', version: 'v' },
      history: [],
      observedGeneration: 2,
    });
    expect(versionStatusOf(version({}))).toBeUndefined();
  });

  it('is failing or succeeding, and may be upgraded unless it reports otherwise', () => {
    const conditionsFrom = (conditions: object[]) =>
      Object.fromEntries(
        versionConditions(version({ conditions })).map(({ reason, status, type }) => [type, `${status} ${reason}`]),
      );
    expect(conditionsFrom([])).toMatchObject({
      ClusterVersionFailing: 'Unknown StatusUnknown',
      ClusterVersionSucceeding: 'Unknown StatusUnknown',
      ClusterVersionUpgradeable: 'True FromClusterVersion',
    });
    expect(
      conditionsFrom([
        { type: 'Failing', status: 'False' },
        { type: 'Upgradeable', status: 'False', reason: 'No' },
      ]),
    ).toMatchObject({
      ClusterVersionFailing: 'False FromClusterVersion',
      ClusterVersionSucceeding: 'True FromClusterVersion',
      ClusterVersionUpgradeable: 'False No',
    });
  });

  it('is asked for without taking what its user wrote', () => {
    const spec = { releaseImage: 'r2', clusterID: 'id', channel: '' } as unknown as HostedControlPlaneSpec;
    const before = {
      metadata: { name: 'version' },
      spec: { clusterID: 'id', channel: 'mine', overrides: [], desiredUpdate: { image: 'r1', force: true } },
    } as unknown as ClusterVersion;
    expect(desiredVersion(spec, before).spec).toEqual({
      clusterID: 'id',
      channel: 'mine',
      overrides: [],
      desiredUpdate: { image: 'r2', force: true },
    });
  });
});

it('only what is in a cloud and goes with its claim is cleaned up', () => {
  const object = (name: string, spec: object, namespace?: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'X',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    spec,
  });
  const decision = decideCleanup({
    services: [object('a', { type: 'LoadBalancer' }, 'n'), object('b', { type: 'ClusterIP' }, 'n')],
    volumes: [
      object('v1', { persistentVolumeReclaimPolicy: 'Delete' }),
      object('v2', { persistentVolumeReclaimPolicy: 'Retain' }),
    ],
    claims: [object('c1', { volumeName: 'v1' }, 'n'), object('c2', { volumeName: 'v2' }, 'n')],
  });
  expect(decision.remaining).toEqual(['persistent volume v1', 'service n/a']);
  expect(decision.services.map(({ metadata }) => metadata.name)).toEqual(['a']);
  expect(decision.claims.map(({ metadata }) => metadata.name)).toEqual(['c1']);
});
