// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { apiEndpoint, azureAsoManagedControlPlaneSpec, statusResource } from './shared.js';

const azureAsoManagedControlPlaneStatusShape = object({
  controlPlaneEndpoint: optional(apiEndpoint),
  initialized: optional(boolean()),
  ready: optional(boolean()),
  resources: optional(array(statusResource)),
  version: optional(string()),
});

/** A value of the shape AzureASOManagedControlPlaneStatus. */
export interface AzureASOManagedControlPlaneStatus extends Infer<typeof azureAsoManagedControlPlaneStatusShape> {}

/** The shape AzureASOManagedControlPlaneStatus. */
export const azureAsoManagedControlPlaneStatus: Schema<AzureASOManagedControlPlaneStatus> = named('AzureASOManagedControlPlaneStatus', azureAsoManagedControlPlaneStatusShape);

/** The kind AzureASOManagedControlPlane. */
export const azureAsoManagedControlPlane = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AzureASOManagedControlPlane',
  plural: 'azureasomanagedcontrolplanes',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(azureAsoManagedControlPlaneSpec), status: optional(azureAsoManagedControlPlaneStatus) }),
    },
  ],
});

/** AzureASOManagedControlPlane in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AzureASOManagedControlPlane = KindOf<typeof azureAsoManagedControlPlane, 'v1beta1'>;
