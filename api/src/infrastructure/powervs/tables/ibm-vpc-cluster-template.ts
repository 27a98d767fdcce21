// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { ibmVpcClusterSpec, metadata } from './shared.js';

const ibmVpcClusterTemplateSpecShape = object({ template: optional(object({ metadata: optional(metadata), spec: ibmVpcClusterSpec })) });

/** A value of the shape IBMVPCClusterTemplateSpec. */
export interface IBMVPCClusterTemplateSpec extends Infer<typeof ibmVpcClusterTemplateSpecShape> {}

/** The shape IBMVPCClusterTemplateSpec. */
export const ibmVpcClusterTemplateSpec: Schema<IBMVPCClusterTemplateSpec> = named('IBMVPCClusterTemplateSpec', ibmVpcClusterTemplateSpecShape);

/** The kind IBMVPCClusterTemplate. */
export const ibmVpcClusterTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'IBMVPCClusterTemplate',
  plural: 'ibmvpcclustertemplates',
  shortNames: ['ibmvpcct'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta2',
      storage: true,
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
      schema: object({ spec: optional(ibmVpcClusterTemplateSpec) }),
    },
  ],
});

/** IBMVPCClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type IBMVPCClusterTemplate = KindOf<typeof ibmVpcClusterTemplate, 'v1beta2'>;
