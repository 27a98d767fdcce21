// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { awsClusterSpec, awsClusterSpecV1Beta1, templateMetadata } from './shared.js';

const awsClusterTemplateSpecV1Beta1Shape = object({ template: object({ metadata: optional(templateMetadata), spec: awsClusterSpecV1Beta1 }) });

/** A value of the shape AWSClusterTemplateSpec in v1beta1. */
export interface AWSClusterTemplateSpecV1Beta1 extends Infer<typeof awsClusterTemplateSpecV1Beta1Shape> {}

/** The shape AWSClusterTemplateSpec in v1beta1. */
export const awsClusterTemplateSpecV1Beta1: Schema<AWSClusterTemplateSpecV1Beta1> = named('AWSClusterTemplateSpec', awsClusterTemplateSpecV1Beta1Shape);

const awsClusterTemplateSpecShape = object({ template: object({ metadata: optional(templateMetadata), spec: awsClusterSpec }) });

/** A value of the shape AWSClusterTemplateSpec. */
export interface AWSClusterTemplateSpec extends Infer<typeof awsClusterTemplateSpecShape> {}

/** The shape AWSClusterTemplateSpec. */
export const awsClusterTemplateSpec: Schema<AWSClusterTemplateSpec> = named('AWSClusterTemplateSpec', awsClusterTemplateSpecShape);

/** The kind AWSClusterTemplate. */
export const awsClusterTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSClusterTemplate',
  plural: 'awsclustertemplates',
  shortNames: ['awsct'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      served: false,
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
      schema: object({ spec: optional(awsClusterTemplateSpecV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
      schema: object({ spec: optional(awsClusterTemplateSpec) }),
    },
  ],
});

/** AWSClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AWSClusterTemplateV1Beta1 = KindOf<typeof awsClusterTemplate, 'v1beta1'>;

/** AWSClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type AWSClusterTemplate = KindOf<typeof awsClusterTemplate, 'v1beta2'>;
