// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { metadata, vsphereMachineSpec, vsphereMachineSpecV1Beta1 } from './shared.js';

const vsphereMachineTemplateSpecV1Beta1Shape = object({
  template: object({
    metadata: optional(object({ annotations: optional(map(string())), labels: optional(map(string())) })),
    spec: vsphereMachineSpecV1Beta1,
  }),
});

/** A value of the shape VSphereMachineTemplateSpec in v1beta1. */
export interface VSphereMachineTemplateSpecV1Beta1 extends Infer<typeof vsphereMachineTemplateSpecV1Beta1Shape> {}

/** The shape VSphereMachineTemplateSpec in v1beta1. */
export const vsphereMachineTemplateSpecV1Beta1: Schema<VSphereMachineTemplateSpecV1Beta1> = named('VSphereMachineTemplateSpec', vsphereMachineTemplateSpecV1Beta1Shape);

const vsphereMachineTemplateSpecShape = object({
  template: object({ metadata: optional(metadata), spec: optional(vsphereMachineSpec) }, { minProperties: 1 }),
});

/** A value of the shape VSphereMachineTemplateSpec. */
export interface VSphereMachineTemplateSpec extends Infer<typeof vsphereMachineTemplateSpecShape> {}

/** The shape VSphereMachineTemplateSpec. */
export const vsphereMachineTemplateSpec: Schema<VSphereMachineTemplateSpec> = named('VSphereMachineTemplateSpec', vsphereMachineTemplateSpecShape);

/** The kind VSphereMachineTemplate. */
export const vsphereMachineTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereMachineTemplate',
  plural: 'vspheremachinetemplates',
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
    { name: 'v1beta1', deprecated: true, schema: object({ spec: optional(vsphereMachineTemplateSpecV1Beta1) }) },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'ClusterClass', type: 'string', jsonPath: '.metadata.ownerReferences[?(@.kind=="ClusterClass")].name' },
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.ownerReferences[?(@.kind=="Cluster")].name' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      schema: object({ spec: optional(vsphereMachineTemplateSpec) }),
    },
  ],
});

/** VSphereMachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type VSphereMachineTemplateV1Beta1 = KindOf<typeof vsphereMachineTemplate, 'v1beta1'>;

/** VSphereMachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type VSphereMachineTemplate = KindOf<typeof vsphereMachineTemplate, 'v1beta2'>;
