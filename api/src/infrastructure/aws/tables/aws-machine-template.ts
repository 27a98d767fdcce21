// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, kind, map, named, object, optional, quantity, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { awsMachineSpec, awsMachineSpecV1Beta1, legacyCondition, templateMetadata } from './shared.js';

const awsMachineTemplateStatusV1Beta1Shape = object({ capacity: optional(map(quantity())) });

/** A value of the shape AWSMachineTemplateStatus in v1beta1. */
export interface AWSMachineTemplateStatusV1Beta1 extends Infer<typeof awsMachineTemplateStatusV1Beta1Shape> {}

/** The shape AWSMachineTemplateStatus in v1beta1. */
export const awsMachineTemplateStatusV1Beta1: Schema<AWSMachineTemplateStatusV1Beta1> = named('AWSMachineTemplateStatus', awsMachineTemplateStatusV1Beta1Shape);

const awsMachineTemplateStatusShape = object({
  capacity: optional(map(quantity())),
  conditions: optional(array(legacyCondition)),
  nodeInfo: optional(object({
    architecture: optional(string({ enum: ['amd64', 'arm64'] })),
    operatingSystem: optional(string({ enum: ['linux', 'windows'] })),
  })),
});

/** A value of the shape AWSMachineTemplateStatus. */
export interface AWSMachineTemplateStatus extends Infer<typeof awsMachineTemplateStatusShape> {}

/** The shape AWSMachineTemplateStatus. */
export const awsMachineTemplateStatus: Schema<AWSMachineTemplateStatus> = named('AWSMachineTemplateStatus', awsMachineTemplateStatusShape);

const awsMachineTemplateSpecV1Beta1Shape = object({ template: object({ metadata: optional(templateMetadata), spec: awsMachineSpecV1Beta1 }) });

/** A value of the shape AWSMachineTemplateSpec in v1beta1. */
export interface AWSMachineTemplateSpecV1Beta1 extends Infer<typeof awsMachineTemplateSpecV1Beta1Shape> {}

/** The shape AWSMachineTemplateSpec in v1beta1. */
export const awsMachineTemplateSpecV1Beta1: Schema<AWSMachineTemplateSpecV1Beta1> = named('AWSMachineTemplateSpec', awsMachineTemplateSpecV1Beta1Shape);

const awsMachineTemplateSpecShape = object({ template: object({ metadata: optional(templateMetadata), spec: awsMachineSpec }) });

/** A value of the shape AWSMachineTemplateSpec. */
export interface AWSMachineTemplateSpec extends Infer<typeof awsMachineTemplateSpecShape> {}

/** The shape AWSMachineTemplateSpec. */
export const awsMachineTemplateSpec: Schema<AWSMachineTemplateSpec> = named('AWSMachineTemplateSpec', awsMachineTemplateSpecShape);

/** The kind AWSMachineTemplate. */
export const awsMachineTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSMachineTemplate',
  plural: 'awsmachinetemplates',
  shortNames: ['awsmt'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta2' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      served: false,
      schema: object({ spec: optional(awsMachineTemplateSpecV1Beta1), status: optional(awsMachineTemplateStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(awsMachineTemplateSpec), status: optional(awsMachineTemplateStatus) }),
    },
  ],
});

/** AWSMachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AWSMachineTemplateV1Beta1 = KindOf<typeof awsMachineTemplate, 'v1beta1'>;

/** AWSMachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type AWSMachineTemplate = KindOf<typeof awsMachineTemplate, 'v1beta2'>;
