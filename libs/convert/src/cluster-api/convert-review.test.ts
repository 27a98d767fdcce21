import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { convertClusterApi } from './index.js';

const context = { apiVersionOf: (group: string) => (group === 'infra.example' ? 'infra.example/v1beta2' : undefined) };

const machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta1',
  kind: 'Machine',
  metadata: { name: 'm', namespace: 'ns' },
  spec: {
    clusterName: 'c',
    bootstrap: { dataSecretName: 's' },
    infrastructureRef: { apiVersion: 'infra.example/v1beta2', kind: 'X', name: 'x', namespace: 'ns' },
    nodeDrainTimeout: '1m30s',
  },
  status: { bootstrapReady: true, infrastructureReady: false, nodeRef: { apiVersion: 'v1', kind: 'Node', name: 'n' } },
};

function review(desiredAPIVersion: string, ...objects: unknown[]): JsonObject {
  const request = { uid: 'u-1', desiredAPIVersion, objects };
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request };
}

describe('the answer to a ConversionReview', () => {
  it('holds every object in the version asked for', () => {
    const answer = convertClusterApi(review('cluster.x-k8s.io/v1beta2', machine, machine), context);
    const converted = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { name: 'm', namespace: 'ns' },
      spec: {
        clusterName: 'c',
        bootstrap: { dataSecretName: 's' },
        infrastructureRef: { apiGroup: 'infra.example', kind: 'X', name: 'x' },
        deletion: { nodeDrainTimeoutSeconds: 90 },
      },
      status: { initialization: { bootstrapDataSecretCreated: true }, nodeRef: { name: 'n' } },
    };
    expect(answer).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      response: { uid: 'u-1', convertedObjects: [converted, converted], result: { status: 'Success' } },
    });
  });

  it('comes back to the same object', () => {
    const there = convertClusterApi(review('cluster.x-k8s.io/v1beta2', machine), context) as {
      response: { convertedObjects: JsonObject[] };
    };
    const back = convertClusterApi(review('cluster.x-k8s.io/v1beta1', ...there.response.convertedObjects), context) as {
      response: { convertedObjects: [{ metadata: { annotations: Record<string, string> } }] };
    };
    const [object] = back.response.convertedObjects;
    expect(Object.keys(object.metadata.annotations)).toEqual(['cluster.x-k8s.io/conversion-data']);
    expect({ ...object, metadata: machine.metadata }).toEqual(machine);
  });

  it('leaves an object alone that has the version already', () => {
    const answer = convertClusterApi(review('cluster.x-k8s.io/v1beta1', machine), context);
    expect(answer).toMatchObject({ response: { convertedObjects: [machine] } });
  });

  const other = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata: { name: 'm', namespace: 'ns' } };
  it.each([
    [
      'a reference of an unknown kind',
      review('cluster.x-k8s.io/v1beta1', {
        ...other,
        spec: { infrastructureRef: { apiGroup: 'g', kind: 'K', name: 'n' } },
      }),
      'cannot convert Machine ns/m to cluster.x-k8s.io/v1beta1: spec.infrastructureRef.apiGroup: ' +
        'failed to convert object: no version of kind "K" in group "g" is known',
    ],
    [
      'a duration that is none',
      review('cluster.x-k8s.io/v1beta2', { ...machine, spec: { ...machine.spec, nodeDrainTimeout: 'soon' } }),
      'cannot convert Machine ns/m to cluster.x-k8s.io/v1beta2: spec.nodeDrainTimeout: time: invalid duration "soon"',
    ],
    [
      'a kind that is not ours',
      review('cluster.x-k8s.io/v1beta2', { ...machine, kind: 'Moon' }),
      'there is no conversion of Moon ns/m from cluster.x-k8s.io/v1beta1 to cluster.x-k8s.io/v1beta2',
    ],
    [
      'another version',
      review('cluster.x-k8s.io/v1', machine),
      'there is no conversion of Machine ns/m from cluster.x-k8s.io/v1beta1 to cluster.x-k8s.io/v1',
    ],
    ['something that is no object', review('cluster.x-k8s.io/v1', 3), 'what is to be converted must be an object'],
    ['an object without a type', review('a/v1', {}), 'an object without apiVersion and kind cannot be converted'],
  ])('is a failure for %s', (_name, asked, message) => {
    expect(convertClusterApi(asked, context)).toMatchObject({
      response: { uid: 'u-1', convertedObjects: [], result: { status: 'Failure', message } },
    });
  });

  it('reports what was dropped', () => {
    const warnings: string[] = [];
    const old = { ...machine, status: { ...machine.status, nodeRef: { ...machine.status.nodeRef, uid: 'x' } } };
    convertClusterApi(review('cluster.x-k8s.io/v1beta2', old), context, (_object, warning) =>
      warnings.push(`${warning.path}: ${warning.message}`),
    );
    expect(warnings).toEqual(['status.nodeRef.uid: v1beta2 references have no such field']);
  });

  it('is none when it was no review', () => {
    expect(convertClusterApi({ kind: 'Pod' }, context)).toBeUndefined();
    expect(convertClusterApi(null, context)).toBeUndefined();
  });
});
