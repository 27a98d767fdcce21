// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { anyObject, array, boolean, kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { apiEndpoint, statusResource } from './shared.js';

const azureAsoManagedClusterSpecShape = object({ controlPlaneEndpoint: optional(apiEndpoint), resources: optional(array(anyObject())) });

/** A value of the shape AzureASOManagedClusterSpec. */
export interface AzureASOManagedClusterSpec extends Infer<typeof azureAsoManagedClusterSpecShape> {}

/** The shape AzureASOManagedClusterSpec. */
export const azureAsoManagedClusterSpec: Schema<AzureASOManagedClusterSpec> = named('AzureASOManagedClusterSpec', azureAsoManagedClusterSpecShape);

const azureAsoManagedClusterStatusShape = object({ ready: optional(boolean()), resources: optional(array(statusResource)) });

/** A value of the shape AzureASOManagedClusterStatus. */
export interface AzureASOManagedClusterStatus extends Infer<typeof azureAsoManagedClusterStatusShape> {}

/** The shape AzureASOManagedClusterStatus. */
export const azureAsoManagedClusterStatus: Schema<AzureASOManagedClusterStatus> = named('AzureASOManagedClusterStatus', azureAsoManagedClusterStatusShape);

/** The kind AzureASOManagedCluster. */
export const azureAsoManagedCluster = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AzureASOManagedCluster',
  plural: 'azureasomanagedclusters',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(azureAsoManagedClusterSpec), status: optional(azureAsoManagedClusterStatus) }),
    },
  ],
});

/** AzureASOManagedCluster in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AzureASOManagedCluster = KindOf<typeof azureAsoManagedCluster, 'v1beta1'>;
