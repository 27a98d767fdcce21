import { structOf } from '@capstan/api/kubernetes';
import { describe, expect, test } from 'vitest';

import { decodeMeta, decodeTyped, readBodyKind } from './decode.js';
import { TypedDecodeError } from './errors.js';
import { LEAF_TEXTS } from './leaf-texts.js';

const context = { texts: LEAF_TEXTS };

const KINDS = {
  Deployment: ['apps', 'v1'],
  Pod: ['', 'v1'],
  Secret: ['', 'v1'],
  ConfigMap: ['', 'v1'],
  Service: ['', 'v1'],
  Lease: ['coordination.k8s.io', 'v1'],
  ControllerRevision: ['apps', 'v1'],
  HorizontalPodAutoscaler: ['autoscaling', 'v2'],
  CustomResourceDefinition: ['apiextensions.k8s.io', 'v1'],
} as const;

function decode(kind: keyof typeof KINDS, body: unknown): unknown {
  const [group, version] = KINDS[kind];
  const struct = structOf(group, version, kind);
  if (struct === undefined) throw new Error(`no struct for ${kind}`);
  return decodeTyped(struct, body, context);
}

function message(body: () => unknown): string {
  try {
    body();
  } catch (error) {
    if (error instanceof TypedDecodeError) return error.message;
    throw error;
  }
  throw new Error('the body was accepted');
}

function container(fields: Record<string, unknown>): unknown {
  return { spec: { template: { spec: { containers: [fields] } } } };
}

function schemaIn(schema: unknown): unknown {
  return { spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } };
}

const QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Wordings of kube-apiserver 1.36, without the sentence it puts in front. */
const CASES: readonly (readonly [keyof typeof KINDS, unknown, string])[] = [
  [
    'Deployment',
    { spec: { replicas: '3' } },
    'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    'Deployment',
    { spec: { replicas: 3000000000 } },
    'json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    'Deployment',
    { spec: { replicas: 1.5 } },
    'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    'Deployment',
    { spec: { replicas: true } },
    'json: cannot unmarshal bool into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    'Deployment',
    { spec: [] },
    'json: cannot unmarshal array into Go struct field Deployment.spec of type v1.DeploymentSpec',
  ],
  [
    'Deployment',
    { spec: 'a' },
    'json: cannot unmarshal string into Go struct field Deployment.spec of type v1.DeploymentSpec',
  ],
  ['Deployment', [], 'json: cannot unmarshal array into Go value of type v1.Deployment'],
  [
    'Deployment',
    { spec: { template: { spec: { containers: {} } } } },
    'json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container',
  ],
  [
    'Deployment',
    { spec: { template: { spec: { containers: ['a'] } } } },
    'json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.containers of type v1.Container',
  ],
  [
    'Deployment',
    { spec: { template: { spec: { volumes: [{ hostPath: { path: 5 } }] } } } },
    'json: cannot unmarshal number into Go struct field HostPathVolumeSource.spec.template.spec.volumes.VolumeSource.hostPath.path of type string',
  ],
  [
    'Deployment',
    { spec: { template: { spec: { volumes: [{ hostPath: 5 }] } } } },
    'json: cannot unmarshal number into Go struct field Volume.spec.template.spec.volumes.VolumeSource.hostPath of type v1.HostPathVolumeSource',
  ],
  [
    'Deployment',
    container({ env: [{ valueFrom: { configMapKeyRef: { name: 5 } } }] }),
    'json: cannot unmarshal number into Go struct field ConfigMapKeySelector.spec.template.spec.containers.env.valueFrom.configMapKeyRef.LocalObjectReference.name of type string',
  ],
  [
    'Deployment',
    container({ livenessProbe: { exec: 5 } }),
    'json: cannot unmarshal number into Go struct field Probe.spec.template.spec.containers.livenessProbe.ProbeHandler.exec of type v1.ExecAction',
  ],
  ['Deployment', container({ resources: { limits: { cpu: 'x' } } }), QUANTITY],
  ['Deployment', container({ resources: { limits: { cpu: true } } }), QUANTITY],
  ['Deployment', container({ resources: { limits: { cpu: { a: 1 } } } }), QUANTITY],
  ['Deployment', container({ resources: { limits: { cpu: '' } } }), QUANTITY],
  [
    'Deployment',
    container({ resources: { limits: [] } }),
    'json: cannot unmarshal array into Go struct field ResourceRequirements.spec.template.spec.containers.resources.limits of type v1.ResourceList',
  ],
  [
    'Deployment',
    { metadata: { labels: { a: 5 } } },
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
  ],
  [
    'Deployment',
    { metadata: { labels: [] } },
    'json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
  ],
  [
    'Deployment',
    { metadata: [] },
    'json: cannot unmarshal array into Go struct field Deployment.metadata of type v1.ObjectMeta',
  ],
  [
    'Deployment',
    { metadata: { name: 5 } },
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string',
  ],
  [
    'Deployment',
    { metadata: { creationTimestamp: 'x' } },
    'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
  ],
  [
    'Deployment',
    { metadata: { creationTimestamp: 5 } },
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
  ],
  [
    'Deployment',
    { metadata: { deletionTimestamp: true } },
    'json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.deletionTimestamp of type string',
  ],
  [
    'Deployment',
    { metadata: { uid: 5 } },
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.uid of type types.UID',
  ],
  [
    'Deployment',
    { metadata: { finalizers: [5] } },
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.finalizers of type string',
  ],
  [
    'Deployment',
    { metadata: { finalizers: 'a' } },
    'json: cannot unmarshal string into Go struct field ObjectMeta.metadata.finalizers of type []string',
  ],
  [
    'Deployment',
    { metadata: { ownerReferences: [{ controller: 'x' }] } },
    'json: cannot unmarshal string into Go struct field OwnerReference.metadata.ownerReferences.controller of type bool',
  ],
  [
    'Pod',
    { status: { phase: 5 } },
    'json: cannot unmarshal number into Go struct field PodStatus.status.phase of type v1.PodPhase',
  ],
  [
    'Pod',
    { status: { conditions: [{ type: 5 }] } },
    'json: cannot unmarshal number into Go struct field PodCondition.status.conditions.type of type v1.PodConditionType',
  ],
  ['Secret', { data: { a: '!!!' } }, 'illegal base64 data at input byte 0'],
  ['Secret', { data: { a: 'YWJj=' } }, 'illegal base64 data at input byte 4'],
  ['Secret', { data: { a: 5 } }, 'json: cannot unmarshal number into Go struct field Secret.data of type []uint8'],
  ['Secret', { data: { a: ['x'] } }, 'json: cannot unmarshal string into Go struct field Secret.data of type uint8'],
  [
    'Secret',
    { data: { a: [300] } },
    'json: cannot unmarshal number 300 into Go struct field Secret.data of type uint8',
  ],
  ['Secret', { data: { a: {} } }, 'json: cannot unmarshal object into Go struct field Secret.data of type []uint8'],
  [
    'ConfigMap',
    { data: { a: true } },
    'json: cannot unmarshal bool into Go struct field ConfigMap.data of type string',
  ],
  [
    'ConfigMap',
    { immutable: 'x' },
    'json: cannot unmarshal string into Go struct field ConfigMap.immutable of type bool',
  ],
  [
    'Service',
    { spec: { ports: [{ targetPort: true }] } },
    'json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32',
  ],
  [
    'Service',
    { spec: { ports: [{ targetPort: {} }] } },
    'json: cannot unmarshal object into Go struct field ServicePort.spec.ports.targetPort of type int32',
  ],
  [
    'Service',
    { spec: { ports: [{ targetPort: 1.5 }] } },
    'json: cannot unmarshal number 1.5 into Go struct field ServicePort.spec.ports.targetPort of type int32',
  ],
  [
    'Service',
    { spec: { ports: [{ targetPort: 3000000000 }] } },
    'json: cannot unmarshal number 3000000000 into Go struct field ServicePort.spec.ports.targetPort of type int32',
  ],
  [
    'Lease',
    { spec: { renewTime: 'x' } },
    'parsing time "x" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "x" as "2006"',
  ],
  [
    'HorizontalPodAutoscaler',
    { spec: { maxReplicas: '1' } },
    'json: cannot unmarshal string into Go struct field HorizontalPodAutoscalerSpec.spec.maxReplicas of type int32',
  ],
  [
    'CustomResourceDefinition',
    schemaIn({ items: { type: 5 } }),
    'json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items.type of type string',
  ],
  [
    'CustomResourceDefinition',
    schemaIn({ items: ['x'] }),
    'json: cannot unmarshal string into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items of type v1.JSONSchemaProps',
  ],
  [
    'CustomResourceDefinition',
    schemaIn({ properties: { a: { additionalProperties: { maximum: 'x' } } } }),
    'json: cannot unmarshal string into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.additionalProperties.maximum of type float64',
  ],
  ['CustomResourceDefinition', schemaIn({ additionalProperties: 5 }), 'boolean or JSON schema expected'],
];

describe('a body Go could not decode', () => {
  test.each(CASES)('%s %j', (kind, body, expected) => {
    expect(message(() => decode(kind, body))).toBe(expected);
  });

  test('is shown with its digits when an integer is too large for its type', () => {
    expect(message(() => decode('ControllerRevision', { revision: 9223372036854775808n }))).toBe(
      'json: cannot unmarshal number 9223372036854775808 into Go struct field ControllerRevision.revision of type int64',
    );
  });

  test('is blamed on the first field of the wrong type in the order of the body, not of the struct', () => {
    const late = { status: 5, spec: 5, metadata: 5 };
    expect(message(() => decode('Deployment', late))).toBe(
      'json: cannot unmarshal number into Go struct field Deployment.status of type v1.DeploymentStatus',
    );
  });

  test('is blamed on a text that cannot be read before any field of the wrong type', () => {
    const body = {
      spec: { replicas: 'a', template: { spec: { containers: [{ resources: { limits: { cpu: 'x' } } }] } } },
    };
    expect(message(() => decode('Deployment', body))).toBe(QUANTITY);
  });

  test('that nests deeper than the stack reaches is refused', () => {
    let schema: unknown = {};
    for (let i = 0; i < 100_000; i++) schema = { not: schema };
    expect(message(() => decode('CustomResourceDefinition', schemaIn(schema)))).toBe('exceeded max depth');
  });
});

describe('the metadata of a custom resource', () => {
  test.each([
    [{ labels: { a: 5 } }, 'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string'],
    ['x', 'json: cannot unmarshal string into Go value of type v1.ObjectMeta'],
    [
      { ownerReferences: [{ uid: 5 }] },
      'json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.uid of type types.UID',
    ],
    // The server writes the map out before it reads it again, so its keys come sorted.
    [
      { name: 5, annotations: 5 },
      'json: cannot unmarshal number into Go struct field ObjectMeta.annotations of type map[string]string',
    ],
  ])('%j is refused', (metadata, expected) => {
    expect(message(() => decodeMeta(metadata, context))).toBe(expected);
  });

  test('keeps what ObjectMeta knows and names the rest from the root', () => {
    const metadata = { name: 'x', zeta: 1, labels: {}, alpha: 1, creationTimestamp: null, managedFields: [{ foo: 1 }] };
    expect(decodeMeta(metadata, context)).toEqual({
      value: { name: 'x', managedFields: [{}] },
      unknownFields: ['metadata.alpha', 'metadata.managedFields[0].foo', 'metadata.zeta'],
    });
  });

  test('is empty when it is null', () => {
    expect(decodeMeta(null, context)).toEqual({ value: {}, unknownFields: [] });
  });
});

describe('apiVersion and kind of a body', () => {
  test.each([
    [
      { kind: 'Pod', apiVersion: 'v1' },
      { kind: 'Pod', apiVersion: 'v1' },
    ],
    [{ kind: null }, { kind: '', apiVersion: '' }],
    [null, { kind: '', apiVersion: '' }],
  ])('of %j are %j', (body, expected) => {
    expect(readBodyKind(body)).toEqual(expected);
  });

  const prefix = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  test.each([
    [{ kind: 5 }, `${prefix} number into Go struct field .kind of type string`],
    [{ apiVersion: {} }, `${prefix} object into Go struct field .apiVersion of type string`],
    [
      [],
      `${prefix} array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    ],
  ])('of %j cannot be read', (body, expected) => {
    expect(message(() => readBodyKind(body))).toBe(expected);
  });
});
