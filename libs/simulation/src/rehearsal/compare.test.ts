import type { KubeObject } from '@capstan/meta';
import { swapObject } from '@capstan/migration';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { expect, it } from 'vitest';
import { SimulationState } from '../scenario.js';
import { compareStates } from './compare.js';

const mapping = new GroupMapping(CLUSTER_API_RULES);
const machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name: 'm', namespace: 'n', uid: 'old', labels: { a: 'b' } },
  spec: { providerID: 'i-1' },
  status: { observedGeneration: 7, phase: 'Running' },
} as unknown as KubeObject;
const owned = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 's',
    namespace: 'n',
    uid: 'secret',
    ownerReferences: [{ apiVersion: machine.apiVersion, kind: 'Machine', name: 'm', uid: 'old' }],
  },
} as KubeObject;
const copy: KubeObject = {
  ...swapObject(machine, mapping),
  metadata: { ...machine.metadata, uid: 'new' },
  status: { observedGeneration: 1, phase: 'Running' },
};
const repointed: KubeObject = {
  ...owned,
  metadata: {
    ...owned.metadata,
    ownerReferences: [{ apiVersion: copy.apiVersion, kind: 'Machine', name: 'm', uid: 'new' }],
  },
};

function stateOf(...objects: readonly KubeObject[]): SimulationState {
  return new SimulationState(new Map(objects.map((each) => [`${each.apiVersion} ${each.kind}`, [each]])));
}

const KEY = 'Machine.cluster.x-k8s.io n/m';

it.each<[string, readonly KubeObject[], readonly string[]]>([
  ['nothing where the groups alone have changed', [copy, repointed], []],
  [
    'an object that is missing, and its name in an owner reference',
    [repointed],
    [`${KEY} is missing`, 'Secret s has an owner that is not there: Machine m'],
  ],
  ['an object outside of the groups that is missing', [copy], ['Secret n/s is missing']],
  [
    'a label and a field, by their paths alone',
    [{ ...copy, metadata: { ...copy.metadata, labels: { a: 'x' } }, spec: {} }, repointed],
    [`${KEY} differs in labels.a, spec.providerID`],
  ],
  ['an original that is left', [copy, machine, repointed], [`${KEY} is still in group cluster.x-k8s.io`]],
  ['an owner that is gone', [copy, owned], ['Secret s has an owner that is not there: Machine m']],
  [
    'an object that was deleted and created again',
    [copy, { ...repointed, metadata: { ...repointed.metadata, uid: 'another' } }],
    ['Secret n/s was deleted and created again'],
  ],
  [
    'an object that was not there',
    [copy, repointed, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'n', uid: 'c' } }],
    ['ConfigMap n/c is there in addition'],
  ],
])('A comparison finds %s', (_name, after, expected) => {
  const options = {
    mapping,
    side: 'private',
    withoutTraces: (each: KubeObject) => each,
    ignores: () => false,
  } as const;
  expect(compareStates(stateOf(machine, owned), stateOf(...after), options)).toEqual(expected);
});
