import type { KubeObject, OwnerReference } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import type { OwnerObjects } from '../resource/inputs.js';
import { ownersInClusterApi, ownersInMachineApi } from './owners.js';
import type { Owners } from './owners.js';

const MAPI = 'machine.openshift.io/v1beta1';
const CAPI = 'cluster.x-k8s.io/v1beta2';
const PLANE = 'machine.openshift.io/v1';

const object = (apiVersion: string, kind: string, name: string, metadata: object): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...metadata },
});
const owner = (apiVersion: string, kind: string, name: string, uid: string): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
});
const machine = (...ownerReferences: readonly OwnerReference[]): KubeObject =>
  object(MAPI, 'Machine', 'm', { ownerReferences });

const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const cluster = object(CAPI, 'Cluster', 'c', { uid: 'cluster' });
const sets = {
  cluster,
  mapiSet: object(MAPI, 'MachineSet', 's', { uid: 'mapi' }),
  capiSet: object(CAPI, 'MachineSet', 's', { uid: 'capi' }),
};
const planes = {
  cluster,
  mapiSet: object(PLANE, 'ControlPlaneMachineSet', 'cluster', { uid: 'mapi' }),
  capiSet: object(PLANE, 'ControlPlaneMachineSet', 'cluster', { uid: 'capi' }),
};
const ofSet = owner(MAPI, 'MachineSet', 's', 'mapi');
const ofPlane = owner(PLANE, 'ControlPlaneMachineSet', 'cluster', 'mapi');
const inCapi = owner(CAPI, 'MachineSet', 's', 'capi');
const planeInCapi = owner(PLANE, 'ControlPlaneMachineSet', 'cluster', 'capi');
const ofCluster = owner(CAPI, 'Cluster', 'c', 'cluster');
const foreign = owner('v1', 'ConfigMap', 'x', 'x');

/** UIDs of the owners, or the reason why there are none, and whether that is final. */
function seen(owners: Owners): unknown {
  return 'problem' in owners
    ? [owners.problem.reason, owners.problem.isFinal]
    : owners.references?.map(({ uid }) => uid);
}

describe('The owner of a machine’s copy in Cluster API', () => {
  it.each<[string, readonly OwnerReference[], OwnerObjects, unknown]>([
    ['is the Cluster where the machine has none', [], sets, ['cluster']],
    ['is the copy of its set', [ofSet], sets, ['capi']],
    ['is waited for while the set has no copy', [ofSet], { cluster }, ['OwnerNotSynchronized', false]],
    [
      'is waited for while the copy of the set is created again',
      [ofSet],
      { ...sets, capiSet: object(CAPI, 'MachineSet', 's', { uid: 'capi', ...deleted }) },
      ['OwnerNotSynchronized', false],
    ],
    ['is the copy of its control plane', [ofPlane], planes, ['capi']],
    ['is the Cluster while the control plane has no copy', [ofPlane], { cluster }, ['cluster']],
    ['is none where there are two', [ofSet, foreign], sets, ['UnsupportedOwner', true]],
    ['is none where it is a foreign one', [foreign], sets, ['UnsupportedOwner', true]],
  ])('%s', (_, owners, at, expected) => {
    expect(seen(ownersInClusterApi('Machine', machine(...owners), at))).toEqual(expected);
  });
});

describe('The owner of a machine’s copy in Machine API', () => {
  it.each<[string, readonly OwnerReference[], OwnerObjects, unknown]>([
    ['is none where the machine has none', [], sets, []],
    ['is none where it has the Cluster alone', [ofCluster], sets, []],
    ['is the copy of its set', [inCapi], sets, ['mapi']],
    ['is the copy of its control plane, whatever else the Cluster owns', [ofCluster, planeInCapi], planes, ['mapi']],
    ['is none where the set is not there', [inCapi], { cluster }, []],
    ['is none where there are two', [inCapi, foreign], sets, ['UnsupportedOwner', true]],
    ['is none where it is a foreign one', [foreign], sets, ['UnsupportedOwner', true]],
    [
      'is none where it is a MachineDeployment',
      [owner(CAPI, 'MachineDeployment', 'd', 'd')],
      sets,
      ['UnsupportedOwner', true],
    ],
  ])('%s', (_, owners, at, expected) => {
    expect(seen(ownersInMachineApi('Machine', machine(...owners), at))).toEqual(expected);
  });

  it('is none of a set of Cluster API that something owns', () => {
    const set = object(CAPI, 'MachineSet', 's', { ownerReferences: [inCapi] });
    expect(seen(ownersInMachineApi('MachineSet', set, sets))).toEqual(['UnsupportedOwner', true]);
  });
});
