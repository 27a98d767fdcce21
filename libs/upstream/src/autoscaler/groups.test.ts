import { describe, expect, it } from 'vitest';
import { isAllowed, parseDiscoveryRule, watchedNamespace } from './auto-discovery.js';
import { groupNames, preferredVersion } from './group-api.js';
import { boundsOf, membershipOf, nodeGroupsOf, normalizedProviderID, sizeWithoutMarked } from './node-groups.js';
import type { MachineObject, Scalable } from './node-groups.js';
import { statusText } from './status.js';
import { declaredCapacity, nextNode, parseTaint } from './template.js';

const names = groupNames({});
const sizes = { [names.minSize]: '1', [names.maxSize]: '3' };

const scalable = (kind: string, name: string, replicas: number, metadata: object = {}): Scalable => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind,
  metadata: { name, namespace: 'ns', annotations: sizes, ...metadata },
  spec: { replicas },
});
const ownedBy = (kind: string, name: string) => ({ ownerReferences: [{ apiVersion: 'x/v1', kind, name, uid: name }] });
const machine = (name: string, set: string, metadata: object = {}): MachineObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name, namespace: 'ns', uid: name, ...ownedBy('MachineSet', set), ...metadata },
  spec: { providerID: `aws:///z/${name}` },
});

describe('the names of a group', () => {
  it('follow CAPI_GROUP all together', () => {
    expect(groupNames({ CAPI_GROUP: 'machine.openshift.io' })).toEqual({
      group: 'machine.openshift.io',
      minSize: 'machine.openshift.io/cluster-api-autoscaler-node-group-min-size',
      maxSize: 'machine.openshift.io/cluster-api-autoscaler-node-group-max-size',
      deleteMachine: 'machine.openshift.io/delete-machine',
      clusterName: 'machine.openshift.io/cluster-name',
    });
    expect(groupNames({ CAPI_GROUP: '' }).group).toBe('cluster.x-k8s.io');
  });

  it('have the version the server prefers, in either form of its list', () => {
    const legacy = { groups: [{ name: 'a', preferredVersion: { version: 'v2' } }] };
    const aggregated = { items: [{ metadata: { name: 'a' }, versions: [{ version: 'v3' }, { version: 'v2' }] }] };
    expect([preferredVersion(legacy, 'a'), preferredVersion(aggregated, 'a'), preferredVersion(legacy, 'b')]).toEqual([
      'v2',
      'v3',
      undefined,
    ]);
  });
});

describe('rules of discovery', () => {
  it('are read', () => {
    expect(parseDiscoveryRule('clusterapi:namespace=a,clusterName=b,team=c,')).toEqual({
      namespace: 'a',
      clusterName: 'b',
      labels: { team: 'c' },
    });
  });
  it.each([
    ['clusterapi', 'spec "clusterapi" should be discoverer:key=value,key=value'],
    ['a:b:c', 'spec "a:b:c" should be discoverer:key=value,key=value'],
    ['asg:tag=a', 'unsupported discoverer specified: asg'],
    ['clusterapi:namespace', 'invalid key=value pair [namespace]'],
  ])('%s is refused', (text, message) => {
    expect(() => parseDiscoveryRule(text)).toThrow(message);
  });
  it.each([
    ['clusterapi:namespace=ns', true],
    ['clusterapi:namespace=other', false],
    ['clusterapi:clusterName=one', true],
    ['clusterapi:clusterName=two', false],
    ['clusterapi:team=red', true],
    ['clusterapi:team=blue', false],
  ])('%s lets a group in: %s', (text, expected) => {
    const labels = { 'cluster.x-k8s.io/cluster-name': 'one', team: 'red' };
    expect(isAllowed(scalable('MachineSet', 'a', 1, { labels }), [parseDiscoveryRule(text)], names)).toBe(expected);
  });
  it('name what to watch', () => {
    expect(watchedNamespace([])).toBe('');
    expect(
      watchedNamespace([parseDiscoveryRule('clusterapi:team=a'), parseDiscoveryRule('clusterapi:namespace=b')]),
    ).toBe('b');
  });
});

describe('node groups', () => {
  it.each([
    [
      { [names.minSize]: '1', [names.maxSize]: '3' },
      { min: 1, max: 3 },
    ],
    [{ [names.maxSize]: '3' }, { min: 0, max: 3 }],
    [
      { [names.minSize]: '2', [names.maxSize]: '2' },
      { min: 2, max: 2 },
    ],
    [{}, undefined],
    [{ [names.minSize]: '0', [names.maxSize]: '0' }, undefined],
    [{ [names.minSize]: '3', [names.maxSize]: '1' }, undefined],
    [{ [names.minSize]: 'x', [names.maxSize]: '1' }, undefined],
  ])('with %j have bounds %j', (annotations, expected) => {
    expect(boundsOf(annotations, names)).toEqual(expected);
  });

  it('are deployments, and sets without one', () => {
    const objects = {
      machineDeployments: [scalable('MachineDeployment', 'md', 2)],
      machineSets: [
        scalable('MachineSet', 'md-1', 1, ownedBy('MachineDeployment', 'md')),
        scalable('MachineSet', 'md-2', 1, ownedBy('MachineDeployment', 'md')),
        scalable('MachineSet', 'alone', 1),
        scalable('MachineSet', 'paused', 1, { annotations: { ...sizes, 'cluster.x-k8s.io/paused': '' } }),
        scalable('MachineSet', 'empty', 0),
      ],
      machines: [machine('a', 'md-1'), machine('b', 'md-2'), machine('c', 'alone'), machine('d', 'nobody')],
    };
    const groups = nodeGroupsOf(objects, names, [], () => false);
    expect(
      groups.map(({ id, machines, target }) => [id, target, machines.map(({ metadata }) => metadata.name)]),
    ).toEqual([
      ['MachineDeployment/ns/md', 2, ['a', 'b']],
      ['MachineSet/ns/alone', 1, ['c']],
    ]);
    expect(nodeGroupsOf(objects, names, [], () => true).map(({ id }) => id)).toContain('MachineSet/ns/empty');
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec: { providerID: 'aws:///other/c' } };
    expect(membershipOf([node], groups).get('n')?.machine.metadata.name).toBe('c');
  });

  it.each([
    ['aws:///us-east-1a/i-1', 'i-1'],
    ['azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/m', 'm'],
    [
      'azure:///x/virtualMachineScaleSets/s/virtualMachines/0',
      'azure:///x/virtualMachineScaleSets/s/virtualMachines/0',
    ],
  ])('match %s by %s', (providerID, expected) => {
    expect(normalizedProviderID(providerID)).toBe(expected);
  });

  const going = { deletionTimestamp: 'x' };
  it.each([
    ['one less for the marked one', 3, ['a', 'b', 'c'], ['a'], 2],
    ['no less when that was counted before', 2, ['a', 'b', 'c'], ['a'], 2],
    ['one less for the second of two marked', 2, ['a', 'b', 'c'], ['a', 'b'], 1],
    ['two less for two', 3, ['a', 'b', 'c'], ['a', 'b'], 1],
    ['no less for one that goes already', 2, ['a-', 'b', 'c'], ['a'], 2],
    ['one less, next to one that is already being deleted', 2, ['a-', 'b', 'c'], ['a', 'b'], 1],
    ['one less while others are still to come', 5, ['a', 'b'], ['a'], 4],
  ])('want %s', (...[, replicas, present, marked, expected]) => {
    const machines = present.map((name) => machine(name.replace('-', ''), 's', name.endsWith('-') ? going : {}));
    expect(sizeWithoutMarked(replicas, machines, new Set(marked))).toBe(expected);
  });
});

describe('a node that is not there yet', () => {
  const declared = (annotations: Record<string, string>) =>
    declaredCapacity(scalable('MachineSet', 'a', 0, { annotations }));
  const capacity = 'capacity.cluster-autoscaler.kubernetes.io';
  it.each([
    [
      { [`${capacity}/cpu`]: '4', [`${capacity}/memory`]: '16Gi' },
      { cpu: '4', memory: '16Gi', pods: '110' },
    ],
    [
      {
        [`${capacity}/cpu`]: '4',
        [`${capacity}/memory`]: '16Gi',
        [`${capacity}/maxPods`]: '250',
        [`${capacity}/gpu-count`]: '2',
        [`${capacity}/gpu-type`]: 'amd.com/gpu',
        [`${capacity}/ephemeral-disk`]: '100Gi',
      },
      { cpu: '4', memory: '16Gi', pods: '250', 'amd.com/gpu': '2', 'ephemeral-storage': '100Gi' },
    ],
    [
      { 'machine.openshift.io/vCPU': '8', 'machine.openshift.io/memoryMb': '1024', 'machine.openshift.io/GPU': '0' },
      { cpu: '8', memory: '1024Mi', pods: '110' },
    ],
    [{ [`${capacity}/cpu`]: '4' }, undefined],
    [{ [`${capacity}/cpu`]: 'four', [`${capacity}/memory`]: '1Gi' }, undefined],
  ])('of %j offers %j', (annotations, expected) => {
    expect(declared(annotations)).toEqual(expected);
  });

  it('takes its capacity from the infrastructure when no annotation declares it', () => {
    const infrastructure = {
      apiVersion: 'x/v1',
      kind: 'T',
      metadata: {},
      status: { capacity: { cpu: '2', memory: '8Gi' } },
    };
    expect(
      declaredCapacity(scalable('MachineSet', 'a', 0, { annotations: { [`${capacity}/cpu`]: '4' } }), infrastructure),
    ).toEqual({ cpu: '4', memory: '8Gi', pods: '110' });
  });

  it('is like one that is there, but for what passes', () => {
    const taints = [
      { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
      { key: 'ToBeDeletedByClusterAutoscaler', effect: 'NoSchedule' },
      { key: 'mine', effect: 'NoSchedule' },
    ];
    const example = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n', labels: { zone: 'a', 'kubernetes.io/hostname': 'n' } },
      spec: { taints },
      status: { allocatable: { cpu: '3' } },
    };
    const node = nextNode(scalable('MachineSet', 'a', 1), example);
    expect(node?.spec?.taints).toEqual([taints[2]]);
    expect(node?.metadata.labels).toEqual({ zone: 'a', 'kubernetes.io/hostname': 'template-node-for-MachineSet-ns-a' });
    expect(node?.status?.allocatable).toEqual({ cpu: '3' });
  });

  it('has the labels and taints its group declares', () => {
    const annotations = {
      [`${capacity}/cpu`]: '1',
      [`${capacity}/memory`]: '1Gi',
      [`${capacity}/labels`]: 'a=b,c,d=e=f',
      [`${capacity}/taints`]: 'k=v:NoSchedule,bad',
    };
    const object: Scalable = {
      ...scalable('MachineSet', 'a', 0, { annotations }),
      spec: {
        replicas: 0,
        template: {
          spec: {
            taints: [{ key: 'own', effect: 'NoExecute' }],
            metadata: { labels: { 'node-role.kubernetes.io/infra': '', other: 'x' } },
          },
        },
      },
    };
    const node = nextNode(object, undefined);
    expect(node?.metadata.labels).toMatchObject({ a: 'b', d: 'e=f', 'node-role.kubernetes.io/infra': '' });
    expect(node?.metadata.labels).not.toHaveProperty('other');
    expect(node?.spec?.taints).toEqual([
      { key: 'own', effect: 'NoExecute' },
      { key: 'k', value: 'v', effect: 'NoSchedule' },
    ]);
    expect(nextNode(scalable('MachineSet', 'a', 0), undefined)).toBeUndefined();
  });

  it.each([
    ['a=b:NoSchedule', { key: 'a', value: 'b', effect: 'NoSchedule' }],
    ['a:NoExecute', { key: 'a', effect: 'NoExecute' }],
    ['a=b', undefined],
    ['a=b:Never', undefined],
  ])('is kept from pods by %s', (text, expected) => {
    expect(parseTaint(text)).toEqual(expected);
  });
});

it('the status names every group and its size', () => {
  const group = {
    id: 'MachineSet/ns/a',
    object: scalable('MachineSet', 'a', 2),
    min: 1,
    max: 3,
    target: 2,
    machines: [],
  };
  const text = statusText('2026-01-01T00:00:00.000Z', [
    { group, ready: 1, registered: 2, upcoming: 1, unneeded: 0, isStuck: false },
  ]);
  expect(text).toContain('time: 2026-01-01T00:00:00.000Z\nautoscalerStatus: Running\n');
  expect(text).toContain(
    '- name: MachineSet/ns/a\n  health:\n    status: Healthy\n    cloudProviderTarget: 2\n    minSize: 1\n    maxSize: 3\n',
  );
  expect(text).toContain('  scaleUp:\n    status: InProgress\n');
});
