// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { KindOf } from '../../../model/index.js';
import { kind, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { azureAsoManagedMachinePoolTemplateSpec } from './shared.js';

/** The kind AzureASOManagedControlPlaneTemplate. */
export const azureAsoManagedControlPlaneTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AzureASOManagedControlPlaneTemplate',
  plural: 'azureasomanagedcontrolplanetemplates',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    { name: 'v1beta1', storage: true, schema: object({ spec: optional(azureAsoManagedMachinePoolTemplateSpec) }) },
  ],
});

/** AzureASOManagedControlPlaneTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AzureASOManagedControlPlaneTemplate = KindOf<typeof azureAsoManagedControlPlaneTemplate, 'v1beta1'>;
