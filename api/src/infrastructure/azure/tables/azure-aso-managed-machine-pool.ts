// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { anyObject, array, boolean, int32, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { statusResource } from './shared.js';

const azureAsoManagedMachinePoolSpecShape = object({ providerIDList: optional(array(string())), resources: optional(array(anyObject())) });

/** A value of the shape AzureASOManagedMachinePoolSpec. */
export interface AzureASOManagedMachinePoolSpec extends Infer<typeof azureAsoManagedMachinePoolSpecShape> {}

/** The shape AzureASOManagedMachinePoolSpec. */
export const azureAsoManagedMachinePoolSpec: Schema<AzureASOManagedMachinePoolSpec> = named('AzureASOManagedMachinePoolSpec', azureAsoManagedMachinePoolSpecShape);

const azureAsoManagedMachinePoolStatusShape = object({ ready: optional(boolean()), replicas: optional(int32()), resources: optional(array(statusResource)) });

/** A value of the shape AzureASOManagedMachinePoolStatus. */
export interface AzureASOManagedMachinePoolStatus extends Infer<typeof azureAsoManagedMachinePoolStatusShape> {}

/** The shape AzureASOManagedMachinePoolStatus. */
export const azureAsoManagedMachinePoolStatus: Schema<AzureASOManagedMachinePoolStatus> = named('AzureASOManagedMachinePoolStatus', azureAsoManagedMachinePoolStatusShape);

/** The kind AzureASOManagedMachinePool. */
export const azureAsoManagedMachinePool = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AzureASOManagedMachinePool',
  plural: 'azureasomanagedmachinepools',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(azureAsoManagedMachinePoolSpec), status: optional(azureAsoManagedMachinePoolStatus) }),
    },
  ],
});

/** AzureASOManagedMachinePool in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AzureASOManagedMachinePool = KindOf<typeof azureAsoManagedMachinePool, 'v1beta1'>;
