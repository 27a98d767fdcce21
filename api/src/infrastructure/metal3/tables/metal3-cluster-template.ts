// Drafted by tools/src/api-kinds/draft from github.com/metal3-io/cluster-api-provider-metal3@v1.13.2; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { metadata, metal3ClusterSpec, metal3ClusterSpecV1Beta1 } from './shared.js';

const metal3ClusterTemplateSpecV1Beta1Shape = object({ template: object({ spec: metal3ClusterSpecV1Beta1 }) });

/** A value of the shape Metal3ClusterTemplateSpec in v1beta1. */
export interface Metal3ClusterTemplateSpecV1Beta1 extends Infer<typeof metal3ClusterTemplateSpecV1Beta1Shape> {}

/** The shape Metal3ClusterTemplateSpec in v1beta1. */
export const metal3ClusterTemplateSpecV1Beta1: Schema<Metal3ClusterTemplateSpecV1Beta1> = named('Metal3ClusterTemplateSpec', metal3ClusterTemplateSpecV1Beta1Shape);

const metal3ClusterTemplateSpecShape = object({ template: object({ metadata: optional(metadata), spec: metal3ClusterSpec }) });

/** A value of the shape Metal3ClusterTemplateSpec. */
export interface Metal3ClusterTemplateSpec extends Infer<typeof metal3ClusterTemplateSpecShape> {}

/** The shape Metal3ClusterTemplateSpec. */
export const metal3ClusterTemplateSpec: Schema<Metal3ClusterTemplateSpec> = named('Metal3ClusterTemplateSpec', metal3ClusterTemplateSpecShape);

/** The kind Metal3ClusterTemplate. */
export const metal3ClusterTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'Metal3ClusterTemplate',
  plural: 'metal3clustertemplates',
  shortNames: ['m3ct'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-metal3',
  },
  meanings: meanings,
  versions: [
    { name: 'v1beta1', deprecated: true, schema: object({ spec: optional(metal3ClusterTemplateSpecV1Beta1) }) },
    { name: 'v1beta2', storage: true, schema: object({ spec: metal3ClusterTemplateSpec }) },
  ],
});

/** Metal3ClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type Metal3ClusterTemplateV1Beta1 = KindOf<typeof metal3ClusterTemplate, 'v1beta1'>;

/** Metal3ClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type Metal3ClusterTemplate = KindOf<typeof metal3ClusterTemplate, 'v1beta2'>;
