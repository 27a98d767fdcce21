// Drafted by tools/src/api-kinds/draft from github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { nutanixClusterSpec } from './shared.js';

const nutanixClusterTemplateSpecShape = object({ template: object({ spec: nutanixClusterSpec }) });

/** A value of the shape NutanixClusterTemplateSpec. */
export interface NutanixClusterTemplateSpec extends Infer<typeof nutanixClusterTemplateSpecShape> {}

/** The shape NutanixClusterTemplateSpec. */
export const nutanixClusterTemplateSpec: Schema<NutanixClusterTemplateSpec> = named('NutanixClusterTemplateSpec', nutanixClusterTemplateSpecShape);

/** The kind NutanixClusterTemplate. */
export const nutanixClusterTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'NutanixClusterTemplate',
  plural: 'nutanixclustertemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1', 'cluster.x-k8s.io/provider': 'infrastructure-nutanix' },
  meanings: meanings,
  versions: [{ name: 'v1beta1', storage: true, schema: object({ spec: optional(nutanixClusterTemplateSpec) }) }],
});

/** NutanixClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type NutanixClusterTemplate = KindOf<typeof nutanixClusterTemplate, 'v1beta1'>;
