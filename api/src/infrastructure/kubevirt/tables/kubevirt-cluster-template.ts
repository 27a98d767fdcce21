// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { kubevirtClusterSpec } from './shared.js';

const kubevirtClusterTemplateSpecShape = object(
  {
    template: object({
      metadata: optional(object({ annotations: optional(map(string())), labels: optional(map(string())) })),
      spec: kubevirtClusterSpec,
    }),
  },
  { rules: [{ message: 'KubevirtClusterTemplate Spec is immutable', rule: 'self == oldSelf' }] },
);

/** A value of the shape KubevirtClusterTemplateSpec. */
export interface KubevirtClusterTemplateSpec extends Infer<typeof kubevirtClusterTemplateSpecShape> {}

/** The shape KubevirtClusterTemplateSpec. */
export const kubevirtClusterTemplateSpec: Schema<KubevirtClusterTemplateSpec> = named('KubevirtClusterTemplateSpec', kubevirtClusterTemplateSpecShape);

/** The kind KubevirtClusterTemplate. */
export const kubevirtClusterTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'KubevirtClusterTemplate',
  plural: 'kubevirtclustertemplates',
  shortNames: ['kct'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [{ name: 'v1alpha1', storage: true, schema: object({ spec: optional(kubevirtClusterTemplateSpec) }) }],
});

/** KubevirtClusterTemplate in `infrastructure.cluster.x-k8s.io/v1alpha1`. */
export type KubevirtClusterTemplate = KindOf<typeof kubevirtClusterTemplate, 'v1alpha1'>;
