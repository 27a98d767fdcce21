import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { MachineConverter } from './converter.js';
import type { MachineContext } from './platform.js';
import { boat, context, harbour } from './testing/harbour.js';
import { KEPT_CLUSTER_API_ANNOTATION } from './names.js';

const converter = new MachineConverter(harbour);
const set = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'worker-a', uid: 'set' };
const cluster = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'fleet', uid: 'cluster' };
const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'worker-a-1', uid: 'machine' };
const owned = (owners: MachineContext['owners'], source = boat()): readonly JsonObject[] =>
  converter.toClusterApi(source, { ...context, owners }).objects;
const ownersOf = (object: JsonObject | undefined): unknown =>
  (object as { metadata: JsonObject }).metadata['ownerReferences'];
const labelsOf = (object: JsonObject | undefined): JsonObject =>
  (object as { metadata: JsonObject }).metadata['labels'] as JsonObject;

describe('owners of what is converted', () => {
  it('are those that the caller gives', () => {
    const [infrastructure, made] = owned({ set, cluster, machine });
    expect(ownersOf(made)).toEqual([{ ...set, controller: true, blockOwnerDeletion: true }]);
    expect(ownersOf(infrastructure)).toEqual([{ ...machine, controller: true, blockOwnerDeletion: true }]);
    expect(labelsOf(made)['cluster.x-k8s.io/set-name']).toBe('worker-a');
  });

  it('of a machine without a set are the Cluster, which does not control it', () => {
    expect(ownersOf(owned({ cluster })[1])).toEqual([{ ...cluster, controller: false, blockOwnerDeletion: true }]);
  });

  it('are none where the caller does not know them', () => {
    expect(owned(undefined).map(ownersOf)).toEqual([undefined, undefined]);
  });

  it('decide the label of the set, not those of the source', () => {
    const source = boat(
      (it) => (it.metadata['ownerReferences'] = [{ kind: 'MachineSet', name: 'worker-a', uid: 'x' }]),
    );
    expect(labelsOf(owned(undefined, source)[1])['cluster.x-k8s.io/set-name']).toBe('worker-a');
    expect(labelsOf(owned({}, source)[1])['cluster.x-k8s.io/set-name']).toBeUndefined();
  });

  it('leave no copy of the labels in an annotation of the machine that comes back', () => {
    const [infrastructure, made] = owned({ set, cluster, machine }) as [JsonObject, JsonObject];
    const back = converter.toMachineApi(
      { machine: made, infrastructure },
      { ...context, owners: { set: { ...set, apiVersion: 'machine.openshift.io/v1beta1' } } },
    ).objects[0] as JsonObject;
    const annotations = (back['metadata'] as JsonObject)['annotations'] as JsonObject | undefined;
    expect(annotations?.[KEPT_CLUSTER_API_ANNOTATION]).toBeUndefined();
    expect(ownersOf(back)).toEqual([
      { ...set, apiVersion: 'machine.openshift.io/v1beta1', controller: true, blockOwnerDeletion: true },
    ]);
  });
});
