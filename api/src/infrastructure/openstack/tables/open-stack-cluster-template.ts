// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { openStackClusterSpec } from './shared.js';

const openStackClusterTemplateSpecShape = object({ template: object({ spec: openStackClusterSpec }) });

/** A value of the shape OpenStackClusterTemplateSpec. */
export interface OpenStackClusterTemplateSpec extends Infer<typeof openStackClusterTemplateSpecShape> {}

/** The shape OpenStackClusterTemplateSpec. */
export const openStackClusterTemplateSpec: Schema<OpenStackClusterTemplateSpec> = named('OpenStackClusterTemplateSpec', openStackClusterTemplateSpecShape);

/** The kind OpenStackClusterTemplate. */
export const openStackClusterTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'OpenStackClusterTemplate',
  plural: 'openstackclustertemplates',
  shortNames: ['osct'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  meanings: meanings,
  versions: [{ name: 'v1beta1', storage: true, schema: object({ spec: optional(openStackClusterTemplateSpec) }) }],
});

/** OpenStackClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type OpenStackClusterTemplate = KindOf<typeof openStackClusterTemplate, 'v1beta1'>;
