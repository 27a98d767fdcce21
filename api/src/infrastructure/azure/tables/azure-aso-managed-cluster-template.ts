// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { anyObject, array, kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';

const azureAsoManagedClusterTemplateSpecShape = object({ template: object({ spec: optional(object({ resources: optional(array(anyObject())) })) }) });

/** A value of the shape AzureASOManagedClusterTemplateSpec. */
export interface AzureASOManagedClusterTemplateSpec extends Infer<typeof azureAsoManagedClusterTemplateSpecShape> {}

/** The shape AzureASOManagedClusterTemplateSpec. */
export const azureAsoManagedClusterTemplateSpec: Schema<AzureASOManagedClusterTemplateSpec> = named('AzureASOManagedClusterTemplateSpec', azureAsoManagedClusterTemplateSpecShape);

/** The kind AzureASOManagedClusterTemplate. */
export const azureAsoManagedClusterTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AzureASOManagedClusterTemplate',
  plural: 'azureasomanagedclustertemplates',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    { name: 'v1beta1', storage: true, schema: object({ spec: optional(azureAsoManagedClusterTemplateSpec) }) },
  ],
});

/** AzureASOManagedClusterTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AzureASOManagedClusterTemplate = KindOf<typeof azureAsoManagedClusterTemplate, 'v1beta1'>;
