// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { gcpClusterSpec, templateMetadata } from './shared.js';

const gcpClusterTemplateSpecShape = object({ template: object({ metadata: optional(templateMetadata), spec: gcpClusterSpec }) });

/** A value of the shape GCPClusterTemplateSpec. */
export interface GCPClusterTemplateSpec extends Infer<typeof gcpClusterTemplateSpecShape> {}

/** The shape GCPClusterTemplateSpec. */
export const gcpClusterTemplateSpec: Schema<GCPClusterTemplateSpec> = named('GCPClusterTemplateSpec', gcpClusterTemplateSpecShape);

/** The kind GCPClusterTemplate. */
export const gcpClusterTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'GCPClusterTemplate',
  plural: 'gcpclustertemplates',
  shortNames: ['gcpct'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  meanings: meanings,
  versions: [{ name: 'v1beta1', storage: true, schema: object({ spec: optional(gcpClusterTemplateSpec) }) }],
});

/** GCPClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type GCPClusterTemplate = KindOf<typeof gcpClusterTemplate, 'v1beta1'>;
