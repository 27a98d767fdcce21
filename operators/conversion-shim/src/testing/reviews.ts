import type { JsonObject } from '@capstan/meta';

/** The two names of a provider's group. */
export const S = 'infrastructure.cluster.x-k8s.io';
export const P = 'infrastructure.cluster.hypershift.openshift.io';

/** An object with references of both styles, and texts that must pass untouched. */
export function box(group: string, version: string, index: number): JsonObject {
  const core = group.replace('infrastructure.', '');
  return {
    apiVersion: `${group}/${version}`,
    kind: 'Box',
    metadata: {
      name: `box-${index}`,
      namespace: 'ns',
      uid: `uid-${index}`,
      finalizers: ['box.infrastructure.cluster.x-k8s.io'],
      annotations: {
        'cluster.x-k8s.io/conversion-data': `{"spec":{"apiGroup":"cluster.x-k8s.io","at":${index},"one":1.0}}`,
      },
      ownerReferences: [{ apiVersion: `${core}/v1beta1`, kind: 'Machine', name: `m-${index}`, uid: 'u' }],
      managedFields: [{ apiVersion: `${group}/v1beta1`, fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': {} } }],
    },
    spec: {
      byGroup: { apiGroup: core, kind: 'Cluster', name: 'c' },
      byVersion: { apiVersion: `${core}/v1beta1`, kind: 'Cluster', name: 'c' },
    },
  };
}

/** What a ConversionReview asks, as the API server sends it: with an empty response. */
export function reviewOf(
  objects: readonly unknown[],
  { desired = `${P}/v1beta2`, uid = 'U', version = 'v1' } = {},
): JsonObject {
  return {
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion: desired, objects },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  };
}

interface Asked {
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly JsonObject[];
  };
}

/** Answers as a webhook of the standard kinds does: the version becomes the one asked for. */
export function convertedBy(review: unknown): JsonObject {
  const { apiVersion, request } = review as Asked;
  const convertedObjects = request.objects.map((object) => ({ ...object, apiVersion: request.desiredAPIVersion }));
  return {
    kind: 'ConversionReview',
    apiVersion,
    response: { uid: request.uid, convertedObjects, result: { metadata: {}, status: 'Success' } },
  };
}
