import type { Node, Pod } from '@capstan/cluster';
import { parseFlags, systemRandom } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { AUTOSCALER_FLAGS, kubeconfigsOf, settingsOf } from './flags.js';
import type { NodeGroup } from './node-groups.js';
import { binOf } from './packing.js';
import { chooseLeaving, findUnneeded, isCoolingDown, whyUnmovable } from './scale-down.js';
import type { Budget, Looked } from './scale-down.js';
import { choose, decideGrowth, isUnschedulable } from './scale-up.js';
import type { Candidate, Growth } from './scale-up.js';

const owner = (kind: string) => [{ apiVersion: 'apps/v1', kind, name: 'x', uid: 'u', controller: true }];

function pod(name: string, cpu: string, change: { metadata?: object; spec?: object; status?: object } = {}): Pod {
  const containers = [{ name: 'main', image: 'i', resources: { requests: { cpu, memory: '1Gi' } } }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      labels: { app: name },
      ownerReferences: owner('ReplicaSet'),
      ...change.metadata,
    },
    spec: { containers, ...change.spec },
    status: {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
      ...change.status,
    },
  } as Pod;
}

function node(name: string, cpu = '4', ready = 'True', metadata: object = {}): Node {
  const capacity = { cpu, memory: '16Gi', pods: '10' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, ...metadata },
    spec: {},
    status: { capacity, allocatable: capacity, conditions: [{ type: 'Ready', status: ready }] },
  };
}

function group(id: string, target: number, max = 5, min = 0): NodeGroup {
  const object = { apiVersion: 'x/v1', kind: 'MachineSet', metadata: { name: id } };
  return { id, object, min, max, target, machines: [] };
}

const candidate = (id: string, cpu: string, target: number, change: Partial<Candidate> = {}): Candidate => ({
  group: group(id, target),
  template: node(`template ${id}`, cpu),
  daemons: [],
  upcoming: 0,
  isStuck: false,
  ...change,
});

const three = [pod('a', '2'), pod('b', '2'), pod('c', '2')];

describe('growing', () => {
  const grow = (pending: readonly Pod[], candidates: readonly Candidate[], change: object = {}): string => {
    const view = {
      pending,
      there: [],
      candidates,
      room: Number.POSITIVE_INFINITY,
      expanders: ['least-waste'],
      ...change,
    };
    const growth = decideGrowth(view, systemRandom(1));
    return growth === undefined ? 'nothing' : `${growth.group.id} by ${growth.count} for ${growth.pods.length}`;
  };
  it.each([
    ['packs pods onto as few nodes as hold them', [candidate('a', '4', 0)], {}, 'a by 2 for 3'],
    ['wastes least', [candidate('big', '16', 0), candidate('fit', '6', 0)], {}, 'fit by 1 for 3'],
    ['stays within the group’s bounds', [candidate('a', '2', 4)], {}, 'a by 1 for 1'],
    ['stays within the cluster’s bounds', [candidate('a', '2', 0)], { room: 2 }, 'a by 2 for 2'],
    ['not at all when the cluster is full', [candidate('a', '2', 0)], { room: 0 }, 'nothing'],
    ['not for pods that do not fit', [candidate('a', '1', 0)], {}, 'nothing'],
    ['not a group that is as large as it may be', [candidate('a', '4', 5)], {}, 'nothing'],
    ['not a group whose machines do not come', [candidate('a', '4', 1, { isStuck: true })], {}, 'nothing'],
    ['not when nodes are coming that do', [candidate('a', '4', 2, { upcoming: 2 })], {}, 'nothing'],
    ['only for those the coming nodes leave over', [candidate('a', '4', 2, { upcoming: 1 })], {}, 'a by 1 for 1'],
    ['not when there is room', [candidate('a', '4', 0)], { there: [binOf(node('n', '8'))] }, 'nothing'],
    ['with room for what is on every node', [candidate('a', '4', 0, { daemons: [pod('d', '1')] })], {}, 'a by 3 for 3'],
  ])('%s', (_name, candidates, change, expected) => {
    expect(grow(three, candidates, change)).toBe(expected);
  });

  const growth = (id: string, waste: number, pods: number): Growth => ({
    group: group(id, 0),
    count: 1,
    waste,
    pods: three.slice(0, pods),
  });
  it.each([
    [['least-waste'], 'b'],
    [['most-pods'], 'c'],
    [['most-pods', 'least-waste'], 'c'],
    [['priority', 'least-waste'], 'b'],
  ])('by %j chooses %s', (expanders, expected) => {
    const growths = [growth('a', 0.9, 1), growth('b', 0.1, 1), growth('c', 0.5, 3)];
    expect(choose(growths, expanders, systemRandom(1))?.group.id).toBe(expected);
  });

  it('by chance chooses any', () => {
    const growths = [growth('a', 1, 1), growth('b', 1, 1)];
    const random = systemRandom(1);
    expect(new Set(Array.from({ length: 20 }, () => choose(growths, ['random'], random)?.group.id)).size).toBe(2);
  });

  it.each([
    ['a pod nobody could place', {}, true],
    ['a pod that is going', { metadata: { deletionTimestamp: 'x' } }, false],
    ['a pod that has a node', { spec: { nodeName: 'n' } }, false],
    ['a pod nobody has looked at', { status: { conditions: [] } }, false],
    ['a pod not worth a node', { spec: { priority: -11 } }, false],
  ])('looks at %s: %s', (_name, change, expected) => {
    expect(isUnschedulable(pod('a', '1', change), -10)).toBe(expected);
  });
});

describe('shrinking', () => {
  const settings = settingsOf({});
  const running = { status: { phase: 'Running' } };
  const machine = (name: string, metadata: object = {}) => ({
    apiVersion: 'x/v1',
    kind: 'Machine',
    metadata: { name, uid: name, ...metadata },
  });
  const looked = (
    of: Node,
    pods: readonly Pod[],
    membership = { group: group('g', 5, 9, 1), machine: machine('m') },
  ): Looked => ({
    bin: binOf(of, pods),
    pods,
    membership,
  });
  const find = (nodes: readonly Looked[], budgets: readonly Budget[] = []): string[] =>
    findUnneeded({ nodes, budgets, settings }, () => false).map(({ name }) => name);
  const busy = (name: string) => looked(node(name), [pod('x', '2', running)]);

  it.each([
    ['an empty node', [looked(node('a'), []), busy('z')], ['a']],
    ['a node whose pods fit elsewhere', [looked(node('a'), [pod('p', '1', running)]), busy('z')], ['a']],
    [
      'no node whose pods fit nowhere',
      [looked(node('a'), [pod('p', '1', running)]), looked(node('z'), [pod('x', '3500m', running)])],
      [],
    ],
    ['no node that is used well', [busy('a'), busy('z')], []],
    [
      'only one of two that count on each other',
      [looked(node('a'), [pod('p', '1', running)]), looked(node('b'), [pod('q', '1', running)])],
      ['a'],
    ],
    [
      'no node of a group that is as small as it may be',
      [looked(node('a'), [], { group: group('g', 1, 9, 1), machine: machine('m') }), busy('z')],
      [],
    ],
    [
      'only as many as the group can spare',
      [
        looked(node('a'), [], { group: group('g', 2, 9, 1), machine: machine('m') }),
        looked(node('b'), [], { group: group('g', 2, 9, 1), machine: machine('n') }),
        busy('z'),
      ],
      ['a'],
    ],
    [
      'no node whose machine is going',
      [
        looked(node('a'), [], { group: group('g', 5, 9, 1), machine: machine('m', { deletionTimestamp: 'x' }) }),
        busy('z'),
      ],
      [],
    ],
    [
      'no node that asked to stay',
      [
        looked(
          node('a', '4', 'True', { annotations: { 'cluster-autoscaler.kubernetes.io/scale-down-disabled': 'true' } }),
          [],
        ),
        busy('z'),
      ],
      [],
    ],
    [
      'a node with daemons alone',
      [looked(node('a'), [pod('d', '1', { metadata: { ownerReferences: owner('DaemonSet') } })]), busy('z')],
      ['a'],
    ],
    [
      'a node that is not ready, however busy',
      [looked(node('a', '4', 'False'), [pod('p', '3', { status: { phase: 'Failed' } })]), busy('z')],
      ['a'],
    ],
  ])('finds %s', (_name, nodes, expected) => {
    expect(find(nodes)).toEqual(expected);
  });

  it('leaves nodes without group alone', () => {
    expect(find([{ bin: binOf(node('a')), pods: [], membership: undefined }, busy('z')])).toEqual([]);
  });

  const budget = (disruptionsAllowed: number): Budget => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'b', namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'p' } } },
    status: { disruptionsAllowed },
  });
  const system = { namespace: 'kube-system' };
  const emptyDir = { volumes: [{ name: 'v', emptyDir: {} }] };
  const safe = (value: string) => ({ annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': value } });
  it.each([
    ['a pod with an owner', {}, [], undefined],
    ['a pod of nobody', { metadata: { ownerReferences: [] } }, [], 'NotReplicated'],
    ['a pod of nobody that is safe', { metadata: { ownerReferences: [], ...safe('true') } }, [], undefined],
    ['a pod that is not safe', { metadata: safe('false') }, [], 'NotSafeToEvictAnnotation'],
    ['a pod of the system', { metadata: system }, [], 'UnmovableKubeSystemPod'],
    ['a pod with data on its node', { spec: emptyDir }, [], 'LocalStorageRequested'],
    ['a pod with a spent budget', {}, [budget(0)], 'NotEnoughPdb'],
    ['a pod with a budget', {}, [budget(1)], undefined],
  ])('of %s names the reason why it is kept', (_name, change, budgets, expected) => {
    expect(whyUnmovable(pod('p', '1', change), budgets, settings)).toBe(expected);
  });

  it('waits after growing, after a deletion and after a failure', () => {
    const never = { lastScaleUpMs: -1e9, lastDeleteMs: -1e9, lastFailureMs: -1e9 };
    expect(isCoolingDown(never, settings, 0)).toBe(false);
    expect(isCoolingDown({ ...never, lastScaleUpMs: -599_999 }, settings, 0)).toBe(true);
    expect(isCoolingDown({ ...never, lastScaleUpMs: -600_000 }, settings, 0)).toBe(false);
    expect(isCoolingDown({ ...never, lastFailureMs: -179_999 }, settings, 0)).toBe(true);
  });

  it('takes empty nodes together and others one at a time, when they have been unneeded for long enough', () => {
    const of = (name: string, moving: readonly Pod[], isReady = true) => ({
      name,
      moving,
      isReady,
      membership: { group: group('g', 5), machine: machine(name) },
    });
    const since = new Map([
      ['a', 0],
      ['b', 0],
      ['c', 0],
      ['d', 1],
      ['e', 0],
    ]);
    const take = (unneeded: Parameters<typeof chooseLeaving>[0]) =>
      chooseLeaving(unneeded, since, settings, 600_000).map(({ name }) => name);
    expect(take([of('a', []), of('b', []), of('c', three), of('d', [])])).toEqual(['a', 'b']);
    expect(take([of('c', three), of('a', three), of('d', three)])).toEqual(['c']);
    expect(take([of('e', [], false)])).toEqual([]);
  });
});

describe('the command line', () => {
  const read = (...args: string[]) => {
    const parsed = parseFlags(AUTOSCALER_FLAGS, args);
    return 'values' in parsed ? parsed.values : {};
  };
  it('has the defaults of upstream', () => {
    expect(settingsOf({})).toMatchObject({
      namespace: 'kube-system',
      scanIntervalMs: 10_000,
      scaleDownDelayAfterAddMs: 600_000,
      scaleDownUtilizationThreshold: 0.5,
      expanders: ['least-waste'],
      leaderElect: true,
      leaderElectResourceName: 'cluster-autoscaler',
      statusConfigMapName: 'cluster-autoscaler-status',
    });
  });
  it.each([
    [['--expander=best'], 'expander best not supported'],
    [['--cloud-provider=aws'], 'unknown cloud provider "aws"'],
    [
      ['--scale-down-utilization-threshold=half'],
      'invalid argument "half" for "--scale-down-utilization-threshold" flag',
    ],
  ])('%j is refused', (args, message) => {
    expect(() => settingsOf(read(...args))).toThrow(message);
  });
  it.each([
    [[], '', ''],
    [['--kubeconfig=/guest'], '/guest', '/guest'],
    [['--kubeconfig=/guest', '--clusterapi-cloud-config-authoritative'], '', '/guest'],
    [['--kubeconfig=/guest', '--cloud-config=/mgmt', '--clusterapi-cloud-config-authoritative'], '/mgmt', '/guest'],
    [['--cloud-config=/mgmt'], '/mgmt', ''],
  ])('%j leads to machines by %j and to nodes by %j', (args, management, workload) => {
    expect(kubeconfigsOf(read(...args))).toEqual({ management, workload });
  });
});
