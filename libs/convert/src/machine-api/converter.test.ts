import { cloneJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { getAt, setAt } from '../engine/path.js';
import { MachineConverter } from './converter.js';
import { boat, context, harbour } from './testing/harbour.js';

const converter = new MachineConverter(harbour);
const issueLines = (issues: readonly { path: string; message: string }[]): string[] =>
  issues.map(({ message, path }) => `${path}: ${message}`);

function backAgain(object: JsonObject): JsonObject {
  const { errors, objects } = converter.toClusterApi(object, context);
  expect(errors).toEqual([]);
  const [infrastructure, machine] = cloneJson(objects) as JsonObject[];
  const parts =
    object['kind'] === 'Machine'
      ? { machine: machine ?? {}, infrastructure: infrastructure ?? {} }
      : { machineSet: machine ?? {}, template: infrastructure ?? {} };
  const back = converter.toMachineApi(parts, context);
  expect(back.errors).toEqual([]);
  return back.objects[0] ?? {};
}

const withoutState = (object: JsonObject): JsonObject => {
  const copy = cloneJson(object) as JsonObject & { metadata: { annotations?: JsonObject } };
  delete copy.metadata.annotations?.['machine.openshift.io/instance-state'];
  if (Object.keys(copy.metadata.annotations ?? {}).length === 0) delete copy.metadata.annotations;
  return copy;
};

describe('a machine', () => {
  it('becomes a Machine and its infrastructure', () => {
    expect(converter.toClusterApi(boat(), context)).toEqual({
      errors: [],
      warnings: [],
      objects: [
        {
          apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
          kind: 'HarbourMachine',
          metadata: {
            name: 'worker-a-1',
            namespace: 'openshift-cluster-api',
            labels: {
              'cluster.x-k8s.io/cluster-name': 'fleet',
              'machine.openshift.io/cluster-api-cluster': 'fleet',
              'machine.openshift.io/cluster-api-machine-role': 'worker',
              'machine.openshift.io/cluster-api-machine-type': 'worker',
              'machine.openshift.io/cluster-api-machineset': 'worker-a',
              'machine.openshift.io/instance-type': 'large',
              'machine.openshift.io/region': 'hamburg',
              'machine.openshift.io/zone': 'q1',
              'node-role.kubernetes.io/worker': '',
            },
          },
          spec: { berth: 'b-4', size: 'large', boatID: 'boat-7' },
        },
        {
          apiVersion: 'cluster.x-k8s.io/v1beta2',
          kind: 'Machine',
          metadata: {
            name: 'worker-a-1',
            namespace: 'openshift-cluster-api',
            labels: {
              'cluster.x-k8s.io/cluster-name': 'fleet',
              'machine.openshift.io/cluster-api-cluster': 'fleet',
              'machine.openshift.io/cluster-api-machine-role': 'worker',
              'machine.openshift.io/cluster-api-machine-type': 'worker',
              'machine.openshift.io/cluster-api-machineset': 'worker-a',
              'machine.openshift.io/instance-type': 'large',
              'machine.openshift.io/region': 'hamburg',
              'machine.openshift.io/zone': 'q1',
              'node-role.kubernetes.io/worker': '',
            },
          },
          spec: {
            bootstrap: { dataSecretName: 'worker-user-data' },
            clusterName: 'fleet',
            deletion: { nodeDeletionTimeoutSeconds: 10 },
            failureDomain: 'q1',
            infrastructureRef: {
              apiGroup: 'infrastructure.cluster.x-k8s.io',
              kind: 'HarbourMachine',
              name: 'worker-a-1',
            },
            providerID: 'harbour://boat-7',
          },
        },
      ],
    });
  });

  it.each<[string, (spec: JsonObject & { metadata: JsonObject; spec: JsonObject }) => void]>([
    ['as it is', () => undefined],
    ['without the labels that programs write', ({ metadata }) => delete metadata['labels']],
    ['with other values in them', ({ metadata }) => setAt(metadata, ['labels', 'machine.openshift.io/zone'], 'q9')],
    ['with labels for its node', ({ spec }) => setAt(spec, ['metadata', 'labels', 'env'], 'prod')],
    [
      'with a role for its node alone',
      ({ spec }) => setAt(spec, ['metadata', 'labels', 'node-role.kubernetes.io/infra'], ''),
    ],
    [
      'with different labels of one name',
      ({ metadata, spec }) => {
        setAt(metadata, ['labels', 'env'], 'test');
        setAt(spec, ['metadata', 'labels', 'env'], 'prod');
      },
    ],
    [
      'of one role and another type',
      ({ metadata }) => setAt(metadata, ['labels', 'machine.openshift.io/cluster-api-machine-role'], 'infra'),
    ],
    [
      'of one type and another role',
      ({ metadata }) => setAt(metadata, ['labels', 'machine.openshift.io/cluster-api-machine-type'], 'infra'),
    ],
    [
      'of a role without type',
      ({ metadata }) => delete (metadata['labels'] as JsonObject)['machine.openshift.io/cluster-api-machine-type'],
    ],
    [
      'with annotations in both places',
      ({ metadata, spec }) => {
        setAt(metadata, ['annotations', 'machine.openshift.io/delete-machine'], 'true');
        setAt(spec, ['metadata', 'annotations', 'note'], 'for the node');
      },
    ],
    [
      'with hooks and taints',
      ({ spec }) =>
        Object.assign(spec, {
          lifecycleHooks: {
            preDrain: [
              { name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' },
              { name: 'Zoo', owner: 'keeper' },
            ],
            preTerminate: [{ name: 'Last', owner: 'me.example.com' }],
          },
          taints: [
            { key: 'dedicated', value: 'infra', effect: 'NoSchedule' },
            { key: 'b', effect: 'NoExecute' },
          ],
        }),
    ],
  ])('comes back %s', (_, change) => {
    const object = boat(change);
    expect(backAgain(object)).toEqual(withoutState(object));
  });

  it('keeps a change that was made on the Cluster API side, together with preserved fields', () => {
    const object = boat(({ spec }) => setAt(spec, ['metadata', 'labels', 'node-role.kubernetes.io/infra'], ''));
    const [infrastructure = {}, machine = {}] = cloneJson(
      converter.toClusterApi(object, context).objects,
    ) as JsonObject[];
    setAt(machine, ['metadata', 'labels', 'team'], 'blue');
    delete (getAt(machine, ['metadata', 'labels']) as JsonObject)['machine.openshift.io/cluster-api-cluster'];
    const { errors, objects } = converter.toMachineApi({ machine, infrastructure }, context);
    expect(errors).toEqual([]);
    const [back = {}] = objects;
    const labels = getAt(back, ['metadata', 'labels']) as JsonObject;
    expect([labels['team'], labels['machine.openshift.io/cluster-api-cluster']]).toEqual(['blue', undefined]);
    expect(getAt(back, ['spec', 'metadata', 'labels'])).toEqual({ 'node-role.kubernetes.io/infra': '', team: 'blue' });
  });

  it.each<[string, (spec: JsonObject & { metadata: JsonObject; spec: JsonObject }) => void, string]>([
    [
      'is missing',
      ({ spec }) => delete spec['providerSpec'],
      'spec.providerSpec.value: is missing: it describes the machine to create',
    ],
    [
      'is a text',
      ({ spec }) => setAt(spec, ['providerSpec', 'value'], 'x'),
      'spec.providerSpec.value: must be an object',
    ],
    [
      'is of another platform',
      ({ spec }) => setAt(spec, ['providerSpec', 'value', 'kind'], 'Boat'),
      'spec.providerSpec.value.kind: must be "HarbourMachineProviderSpec", and is "Boat"',
    ],
    [
      'is of an unknown version',
      ({ spec }) => setAt(spec, ['providerSpec', 'value', 'apiVersion'], 'v9'),
      'spec.providerSpec.value.apiVersion: must be "machine.openshift.io/v1beta1" or "harbour.openshift.io/v1alpha1", and is "v9"',
    ],
    [
      'has a field nobody knows',
      ({ spec }) => setAt(spec, ['providerSpec', 'value', 'colour'], 'red'),
      'spec.providerSpec.value.colour: is a field this conversion does not know',
    ],
    [
      'names no user data',
      ({ spec }) => setAt(spec, ['providerSpec', 'value', 'userDataSecret'], {}),
      'spec.providerSpec.value: names no secret with user data, which machines of Cluster API must have: name the one the machine is to read',
    ],
    [
      'differs from its cluster',
      ({ spec }) => setAt(spec, ['providerSpec', 'value', 'port'], 'bremen'),
      'spec.providerSpec.value.port: is "bremen", but spec.port of the infrastructure cluster is "hamburg"',
    ],
    [
      'does not do for a control plane',
      ({ metadata, spec }) => {
        setAt(metadata, ['labels', 'machine.openshift.io/cluster-api-machine-role'], 'master');
        setAt(spec, ['providerSpec', 'value', 'size'], 'tiny');
      },
      'spec.providerSpec.value.size: is too small for a control plane',
    ],
  ])('is refused when its provider spec %s', (_, change, expected) => {
    const { errors, objects } = converter.toClusterApi(boat(change), context);
    expect(issueLines(errors)).toEqual([expected]);
    expect(objects).toEqual([]);
  });

  it.each<[string, JsonObject, string]>([
    [
      'a name of its own for the node',
      { metadata: { name: 'n' } },
      'spec.metadata.name: is not kept: machines have the name and namespace of their own metadata in both APIs',
    ],
    [
      'a hook with a slash',
      { lifecycleHooks: { preDrain: [{ name: 'example.com/x', owner: 'me' }] } },
      'spec.lifecycleHooks.preDrain[0].name: is "example.com/x", which has a slash: Cluster API keeps hooks as annotations, whose keys may have one slash only',
    ],
    ['an id of another platform', { providerID: 'aws:///i-1' }, 'spec.providerID: names no boat: harbour://<id>'],
  ])('is refused with %s', (_, more, expected) => {
    const { errors } = converter.toClusterApi(
      boat(({ spec }) => Object.assign(spec, more)),
      context,
    );
    expect(issueLines(errors)).toEqual([expected]);
  });
});
