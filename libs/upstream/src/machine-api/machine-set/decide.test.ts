import { describe, expect, it } from 'vitest';
import type { Machine, MachineStatus } from '../resources.js';
import { ago, machine, machineSet, node, NOW_MS } from '../testing/objects.js';
import { decideScaling, deletionOrder, membersOf, newMachine, nextSetStatus, setProblem } from './decide.js';

const set = { ...machineSet('workers', 2), metadata: { ...machineSet('workers', 2).metadata, uid: 'set-uid' } };
const labels = set.spec?.template?.metadata?.labels ?? {};
const owned = {
  ownerReferences: [{ apiVersion: set.apiVersion, kind: set.kind, name: 'workers', uid: 'set-uid', controller: true }],
};

function member(name: string, metadata: object = {}, status: MachineStatus = {}): Machine {
  return machine(name, { metadata: { labels, ...owned, ...metadata }, status });
}

describe('a machine set', () => {
  it.each([
    [
      'without a selector',
      { selector: {} },
      '"workers" machineset validation failed: spec.selector: empty selector is not valid for MachineSet.',
    ],
    [
      'whose selector misses its machines',
      { selector: { matchLabels: { other: 'x' } } },
      '"workers" machineset validation failed: spec.template.metadata.labels: `selector` does not match template `labels`',
    ],
    [
      'without a size',
      { replicas: undefined },
      'the Replicas field in Spec for machineset workers is nil, this should not be allowed',
    ],
    [
      'with a policy there is not',
      { deletePolicy: 'Best' },
      "unsupported delete policy Best, must be one of 'Random', 'Newest', or 'Oldest'",
    ],
    ['with a policy there is', { deletePolicy: 'Oldest' }, undefined],
  ])('%s is validated', (_name, spec, problem) => {
    expect(setProblem(machineSet('workers', 2, spec))).toBe(problem);
  });

  it('counts what matches, stays and is not another’s', () => {
    const others = { ownerReferences: [{ ...owned.ownerReferences[0], uid: 'other' }] };
    const machines = [
      member('b'),
      member('a'),
      member('going', { deletionTimestamp: ago(1) }),
      member('taken', others),
      member('orphan', { ownerReferences: [] }),
      member('unlike', { labels: {} }),
      member('elsewhere', { namespace: 'other' }),
    ];
    expect(membersOf(set, machines).map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'orphan']);
  });

  it.each([
    [0, 2, []],
    [1, 1, []],
    [2, 0, []],
    [4, 0, ['m0', 'm1']],
  ])('with %i of 2 makes %i and removes %j', (count, create, remove) => {
    const members = Array.from({ length: count }, (_, index) => member(`m${index}`));
    const scaling = decideScaling(set, members, NOW_MS);
    expect([scaling.create, scaling.remove.map(({ metadata }) => metadata.name)]).toEqual([create, remove]);
  });

  const marked = { annotations: { 'machine.openshift.io/delete-machine': 'yes' } };
  const candidates = [
    member('old', { creationTimestamp: ago(90_000) }, { nodeRef: { name: 'n1' } }),
    member('young', { creationTimestamp: ago(10) }, { nodeRef: { name: 'n2' } }),
    member('nodeless', { creationTimestamp: ago(500) }),
    member('failed', { creationTimestamp: ago(600) }, { nodeRef: { name: 'n3' }, errorMessage: 'lost' }),
    member('marked', { creationTimestamp: ago(700), ...marked }, { nodeRef: { name: 'n4' } }),
    member(
      'old-mark',
      { creationTimestamp: ago(800), annotations: { 'machine.openshift.io/cluster-api-delete-machine': '1' } },
      { nodeRef: { name: 'n5' } },
    ),
    member(
      'empty-mark',
      { creationTimestamp: ago(650), annotations: { 'machine.openshift.io/delete-machine': '' } },
      { nodeRef: { name: 'n6' } },
    ),
  ];
  it.each([
    ['', ['failed', 'marked', 'old-mark', 'nodeless', 'old', 'young', 'empty-mark']],
    ['Random', ['failed', 'marked', 'old-mark', 'nodeless', 'old', 'young', 'empty-mark']],
    ['Oldest', ['failed', 'marked', 'old-mark', 'old', 'empty-mark', 'nodeless', 'young']],
    ['Newest', ['failed', 'marked', 'old-mark', 'young', 'nodeless', 'empty-mark', 'old']],
  ])('with policy %j removes in the order %j', (policy, order) => {
    expect(deletionOrder(policy, candidates, NOW_MS).map(({ metadata }) => metadata.name)).toEqual(order);
  });

  it('makes machines after its template, named by the server', () => {
    expect(newMachine(set)).toEqual({
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: {
        generateName: 'workers-',
        namespace: 'openshift-machine-api',
        labels,
        ownerReferences: [{ ...owned.ownerReferences[0], blockOwnerDeletion: true }],
      },
      spec: set.spec?.template?.spec,
    });
  });

  it('counts machines, and nodes that are ready for long enough', () => {
    const nodes = new Map(
      [node('n1', 'True', 100), node('n2', 'True', 5), node('n3', 'False')].map((each) => [each.metadata.name, each]),
    );
    const members = [
      member('a', {}, { nodeRef: { name: 'n1' } }),
      member('b', {}, { nodeRef: { name: 'n2' } }),
      member('c', {}, { nodeRef: { name: 'n3' } }),
      member(
        'd',
        { labels: { ...labels, 'machine.openshift.io/cluster-api-cluster': 'other' } },
        { nodeRef: { name: 'gone' } },
      ),
      member('e'),
    ];
    const patient = {
      ...set,
      metadata: { ...set.metadata, generation: 7 },
      spec: { ...set.spec, minReadySeconds: 30 },
    };
    expect(nextSetStatus(patient, members, (name) => nodes.get(name), NOW_MS)).toEqual({
      replicas: 5,
      fullyLabeledReplicas: 4,
      readyReplicas: 2,
      availableReplicas: 1,
      observedGeneration: 7,
      labelSelector:
        'machine.openshift.io/cluster-api-cluster=demo-x7k2p,machine.openshift.io/cluster-api-machineset=workers',
    });
  });
});
