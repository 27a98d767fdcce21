// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { ibmPowerVsClusterSpec, ibmPowerVsClusterSpecV1Beta1, metadata } from './shared.js';

const ibmPowerVsClusterTemplateSpecV1Beta1Shape = object({ template: object({ metadata: optional(metadata), spec: ibmPowerVsClusterSpecV1Beta1 }) });

/** A value of the shape IBMPowerVSClusterTemplateSpec in v1beta1. */
export interface IBMPowerVSClusterTemplateSpecV1Beta1 extends Infer<typeof ibmPowerVsClusterTemplateSpecV1Beta1Shape> {}

/** The shape IBMPowerVSClusterTemplateSpec in v1beta1. */
export const ibmPowerVsClusterTemplateSpecV1Beta1: Schema<IBMPowerVSClusterTemplateSpecV1Beta1> = named('IBMPowerVSClusterTemplateSpec', ibmPowerVsClusterTemplateSpecV1Beta1Shape);

const ibmPowerVsClusterTemplateSpecShape = object({ template: object({ metadata: optional(metadata), spec: ibmPowerVsClusterSpec }) });

/** A value of the shape IBMPowerVSClusterTemplateSpec. */
export interface IBMPowerVSClusterTemplateSpec extends Infer<typeof ibmPowerVsClusterTemplateSpecShape> {}

/** The shape IBMPowerVSClusterTemplateSpec. */
export const ibmPowerVsClusterTemplateSpec: Schema<IBMPowerVSClusterTemplateSpec> = named('IBMPowerVSClusterTemplateSpec', ibmPowerVsClusterTemplateSpecShape);

/** The kind IBMPowerVSClusterTemplate. */
export const ibmPowerVsClusterTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'IBMPowerVSClusterTemplate',
  plural: 'ibmpowervsclustertemplates',
  shortNames: ['ibmpowervsct'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
      schema: object({ spec: optional(ibmPowerVsClusterTemplateSpecV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
      schema: object({ spec: optional(ibmPowerVsClusterTemplateSpec) }),
    },
  ],
});

/** IBMPowerVSClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type IBMPowerVSClusterTemplateV1Beta1 = KindOf<typeof ibmPowerVsClusterTemplate, 'v1beta1'>;

/** IBMPowerVSClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type IBMPowerVSClusterTemplate = KindOf<typeof ibmPowerVsClusterTemplate, 'v1beta2'>;
