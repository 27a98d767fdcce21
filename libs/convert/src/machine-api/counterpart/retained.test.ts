import { deepFreeze } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { retainOf } from './retained.js';

const managers = ['machine-api-sync-controller'];
const fields = (manager: string, field: string, ...keys: string[]): JsonObject => ({
  manager,
  operation: 'Update',
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  fieldsType: 'FieldsV1',
  fieldsV1: {
    'f:metadata': { [`f:${field}`]: { '.': {}, ...Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) } },
  },
});
const object = (metadata: JsonObject, spec: JsonObject = {}): JsonObject =>
  deepFreeze({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { name: 'a', ...metadata },
    spec,
  }) as JsonObject;
const metadataOf = (desired: JsonObject, existing: JsonObject): JsonObject =>
  retainOf(object(desired), object(existing), { managers }).object['metadata'] as JsonObject;

describe('what is kept of an existing counterpart', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject | undefined]>([
    [
      'a label of a user stays',
      {},
      { managedFields: [fields('kubectl', 'labels', 'team')], labels: { team: 'a' } },
      { team: 'a' },
    ],
    [
      'a label that only the sync wrote goes',
      {},
      { managedFields: [fields(managers[0] as string, 'labels', 'team')], labels: { team: 'a' } },
      undefined,
    ],
    [
      'a label that both wrote stays',
      {},
      {
        managedFields: [fields(managers[0] as string, 'labels', 'team'), fields('kubectl', 'labels', 'team')],
        labels: { team: 'a' },
      },
      { team: 'a' },
    ],
    [
      'the wanted value wins',
      { labels: { team: 'b' } },
      { managedFields: [fields('kubectl', 'labels', 'team')], labels: { team: 'a' } },
      { team: 'b' },
    ],
    [
      'a label with an effect goes, even where a user wrote it',
      {},
      {
        managedFields: [fields('kubectl', 'labels', 'cluster.x-k8s.io/control-plane')],
        labels: { 'cluster.x-k8s.io/control-plane': '' },
      },
      undefined,
    ],
    ['a label of which nobody knows the writer stays', {}, { labels: { team: 'a' } }, { team: 'a' }],
    [
      'a reserved one of which nobody knows the writer goes',
      {},
      { labels: { 'node-role.kubernetes.io/infra': '' } },
      undefined,
    ],
  ])('%s', (_what, desired, existing, labels) => {
    expect(metadataOf(desired, existing)['labels']).toEqual(labels);
  });

  it.each([
    'cluster.x-k8s.io/paused',
    'pre-drain.delete.hook.machine.cluster.x-k8s.io/x',
    'machine.openshift.io/delete-machine',
    'metal3.io/autoscale-to-hosts',
  ])('no annotation %s that a user adds stays', (key) => {
    const existing = { managedFields: [fields('kubectl', 'annotations', key)], annotations: { [key]: '' } };
    expect(metadataOf({}, existing)['annotations']).toBeUndefined();
  });

  it('keeps the identity and the finalizers that are there, and none of its own', () => {
    const own = {
      uid: 'u',
      resourceVersion: '7',
      generation: 2,
      finalizers: ['cluster.x-k8s.io/machineset', 'user/hold'],
    };
    expect(metadataOf({ uid: 'other', finalizers: ['x/y'] }, own)).toEqual({ name: 'a', ...own });
  });

  it('keeps owners that others set, and no set or machine that is not wanted', () => {
    const owner = (kind: string, name: string, controller = false): JsonObject => ({
      apiVersion: 'v1',
      kind,
      name,
      uid: name,
      controller,
    });
    const { ownerReferences } = metadataOf(
      { ownerReferences: [owner('MachineSet', 'new', true)] },
      {
        ownerReferences: [
          owner('MachineSet', 'old', true),
          owner('Cluster', 'fleet'),
          owner('Backup', 'daily'),
          owner('Foreign', 'f', true),
        ],
      },
    );
    expect((ownerReferences as JsonObject[]).map(({ name }) => name)).toEqual(['new', 'fleet', 'daily']);
  });

  it('keeps the authority of a Machine API set and of its machines', () => {
    const existing = object(
      {},
      { authoritativeAPI: 'ClusterAPI', template: { spec: { authoritativeAPI: 'MachineAPI' } } },
    );
    const { object: made } = retainOf(object({}, { replicas: 2 }), existing, { managers });
    expect(made['spec']).toEqual({
      replicas: 2,
      authoritativeAPI: 'ClusterAPI',
      template: { spec: { authoritativeAPI: 'MachineAPI' } },
    });
  });
});

describe('the selector of an existing set', () => {
  const set = (matchLabels: JsonObject, labels: JsonObject): JsonObject =>
    object({}, { selector: { matchLabels }, template: { metadata: { labels } } });

  it('stays, with what its template needs to match it', () => {
    const { conflicts, object: made } = retainOf(set({ a: '1' }, { a: '1' }), set({ b: '2' }, { b: '2' }), {
      managers,
    });
    expect(conflicts).toEqual([]);
    expect(made['spec']).toEqual({
      selector: { matchLabels: { b: '2' } },
      template: { metadata: { labels: { a: '1', b: '2' } } },
    });
  });

  it('conflicts with another value of a label of the template', () => {
    const { conflicts } = retainOf(set({ a: '1' }, { a: '1' }), set({ a: '2' }, { a: '2' }), { managers });
    expect(conflicts.map(({ code, path }) => [code, path])).toEqual([
      ['RefusedByServer', 'spec.template.metadata.labels[a]'],
    ]);
  });
});

describe('a set of control plane machines', () => {
  const machineApi = 'machines_v1beta1_machine_openshift_io';
  const clusterApi = 'machines_v1beta2_cluster_x_k8s_io';
  const set = (member: string, spec: JsonObject = {}, own: JsonObject = {}): JsonObject =>
    deepFreeze({
      apiVersion: 'machine.openshift.io/v1',
      kind: 'ControlPlaneMachineSet',
      metadata: { name: 'cluster' },
      spec: { ...spec, template: { machineType: member, [member]: own } },
    }) as JsonObject;
  const written = (desired: JsonObject, existing: JsonObject): unknown =>
    retainOf(desired, existing, { managers }).object['spec'];

  it.each([machineApi, clusterApi])('has the labels that its selector needs in its member %s', (member) => {
    const own = { metadata: { labels: { a: '1' } } };
    const existing = set(member, { selector: { matchLabels: { b: '2' } } });
    expect(written(set(member, { selector: { matchLabels: { a: '1' } } }, own), existing)).toEqual({
      selector: { matchLabels: { b: '2' } },
      template: { machineType: member, [member]: { metadata: { labels: { a: '1', b: '2' } } } },
    });
    const { conflicts } = retainOf(
      set(member, { selector: { matchLabels: { a: '1' } } }, own),
      set(member, { selector: { matchLabels: { a: '2' } } }),
      { managers },
    );
    expect(conflicts.map(({ path }) => path)).toEqual([`spec.template.${member}.metadata.labels[a]`]);
  });

  it('keeps the authority of its machines in the member that it is in, and makes no other member for it', () => {
    const existing = set(machineApi, { authoritativeAPI: 'MachineAPI' }, { spec: { authoritativeAPI: 'ClusterAPI' } });
    expect(written(set(machineApi, {}, { spec: { taints: [] } }), existing)).toEqual({
      authoritativeAPI: 'MachineAPI',
      template: { machineType: machineApi, [machineApi]: { spec: { taints: [], authoritativeAPI: 'ClusterAPI' } } },
    });
    expect(written(set(clusterApi, {}, { spec: {} }), existing)).toEqual({
      authoritativeAPI: 'MachineAPI',
      template: { machineType: clusterApi, [clusterApi]: { spec: {} } },
    });
  });

  it.each<[string, readonly [wanted: JsonObject, there: JsonObject], JsonObject, string[]]>([
    ['as many machines', [{ replicas: 5 }, { replicas: 3 }], { replicas: 3 }, ['spec.replicas']],
    ['as many machines, where none are asked for', [{}, { replicas: 3 }], { replicas: 3 }, []],
    ['that it is active', [{ state: 'Inactive' }, { state: 'Active' }], { state: 'Active' }, ['spec.state']],
    ['nothing of its state before', [{ state: 'Active' }, { state: 'Inactive' }], { state: 'Active' }, []],
  ])('keeps what a server lets nobody change: %s', (_, [wanted, there], expected, paths) => {
    const { conflicts, object: made } = retainOf(set(machineApi, wanted), set(machineApi, there), { managers });
    expect(made['spec']).toMatchObject(expected);
    expect(conflicts.map(({ code, path }) => [code, path])).toEqual(paths.map((path) => ['RefusedByServer', path]));
  });
});
