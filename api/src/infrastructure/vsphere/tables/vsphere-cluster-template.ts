// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { metadata, vsphereClusterSpec, vsphereClusterSpecV1Beta1 } from './shared.js';

const vsphereClusterTemplateSpecV1Beta1Shape = object({ template: object({ spec: vsphereClusterSpecV1Beta1 }) });

/** A value of the shape VSphereClusterTemplateSpec in v1beta1. */
export interface VSphereClusterTemplateSpecV1Beta1 extends Infer<typeof vsphereClusterTemplateSpecV1Beta1Shape> {}

/** The shape VSphereClusterTemplateSpec in v1beta1. */
export const vsphereClusterTemplateSpecV1Beta1: Schema<VSphereClusterTemplateSpecV1Beta1> = named('VSphereClusterTemplateSpec', vsphereClusterTemplateSpecV1Beta1Shape);

const vsphereClusterTemplateSpecShape = object({
  template: object({ metadata: optional(metadata), spec: optional(vsphereClusterSpec) }, { minProperties: 1 }),
});

/** A value of the shape VSphereClusterTemplateSpec. */
export interface VSphereClusterTemplateSpec extends Infer<typeof vsphereClusterTemplateSpecShape> {}

/** The shape VSphereClusterTemplateSpec. */
export const vsphereClusterTemplateSpec: Schema<VSphereClusterTemplateSpec> = named('VSphereClusterTemplateSpec', vsphereClusterTemplateSpecShape);

/** The kind VSphereClusterTemplate. */
export const vsphereClusterTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereClusterTemplate',
  plural: 'vsphereclustertemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-vsphere',
  },
  conversion: { service: { namespace: 'capv-system', name: 'capv-webhook-service', path: '/convert' } },
  meanings: meanings,
  versions: [
    { name: 'v1beta1', deprecated: true, schema: object({ spec: optional(vsphereClusterTemplateSpecV1Beta1) }) },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'ClusterClass', type: 'string', jsonPath: '.metadata.ownerReferences[?(@.kind=="ClusterClass")].name' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      schema: object({ spec: optional(vsphereClusterTemplateSpec) }),
    },
  ],
});

/** VSphereClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type VSphereClusterTemplateV1Beta1 = KindOf<typeof vsphereClusterTemplate, 'v1beta1'>;

/** VSphereClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type VSphereClusterTemplate = KindOf<typeof vsphereClusterTemplate, 'v1beta2'>;
