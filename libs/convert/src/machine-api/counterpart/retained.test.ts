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
