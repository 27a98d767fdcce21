// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Kind } from '../../model/index.js';
import { azureAsoManagedCluster } from './tables/azure-aso-managed-cluster.js';
import { azureAsoManagedClusterTemplate } from './tables/azure-aso-managed-cluster-template.js';
import { azureAsoManagedControlPlane } from './tables/azure-aso-managed-control-plane.js';
import { azureAsoManagedControlPlaneTemplate } from './tables/azure-aso-managed-control-plane-template.js';
import { azureAsoManagedMachinePool } from './tables/azure-aso-managed-machine-pool.js';
import { azureAsoManagedMachinePoolTemplate } from './tables/azure-aso-managed-machine-pool-template.js';
import { azureCluster } from './tables/azure-cluster.js';
import { azureClusterIdentity } from './tables/azure-cluster-identity.js';
import { azureClusterTemplate } from './tables/azure-cluster-template.js';
import { azureMachine } from './tables/azure-machine.js';
import { azureMachineTemplate } from './tables/azure-machine-template.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [
  azureCluster,
  azureMachine,
  azureMachineTemplate,
  azureClusterTemplate,
  azureClusterIdentity,
  azureAsoManagedCluster,
  azureAsoManagedClusterTemplate,
  azureAsoManagedControlPlane,
  azureAsoManagedControlPlaneTemplate,
  azureAsoManagedMachinePool,
  azureAsoManagedMachinePoolTemplate,
];

export {
  azureAsoManagedCluster,
  azureAsoManagedClusterTemplate,
  azureAsoManagedControlPlane,
  azureAsoManagedControlPlaneTemplate,
  azureAsoManagedMachinePool,
  azureAsoManagedMachinePoolTemplate,
  azureCluster,
  azureClusterIdentity,
  azureClusterTemplate,
  azureMachine,
  azureMachineTemplate,
};
export type {
  ApiServerLB,
  AzureClusterTemplate,
  AzureClusterTemplateSpec,
  NetworkSpecSubnet,
} from './tables/azure-cluster-template.js';
export type {
  AzureASOManagedCluster,
  AzureASOManagedClusterSpec,
  AzureASOManagedClusterStatus,
} from './tables/azure-aso-managed-cluster.js';
export type {
  AzureASOManagedClusterTemplate,
  AzureASOManagedClusterTemplateSpec,
} from './tables/azure-aso-managed-cluster-template.js';
export type {
  AzureASOManagedControlPlane,
  AzureASOManagedControlPlaneStatus,
} from './tables/azure-aso-managed-control-plane.js';
export type {
  AzureASOManagedMachinePool,
  AzureASOManagedMachinePoolSpec,
  AzureASOManagedMachinePoolStatus,
} from './tables/azure-aso-managed-machine-pool.js';
export type {
  AzureCluster,
  AzureClusterSpec,
  AzureClusterStatus,
  LoadBalancer,
  PublicIP,
  Subnet,
} from './tables/azure-cluster.js';
export type {
  AzureClusterIdentity,
  AzureClusterIdentitySpec,
  AzureClusterIdentityStatus,
} from './tables/azure-cluster-identity.js';
export type {
  AzureMachineTemplate,
  AzureMachineTemplateSpec,
  AzureMachineTemplateStatus,
} from './tables/azure-machine-template.js';
export type { AzureASOManagedControlPlaneTemplate } from './tables/azure-aso-managed-control-plane-template.js';
export type { AzureASOManagedMachinePoolTemplate } from './tables/azure-aso-managed-machine-pool-template.js';
export type { AzureMachine, AzureMachineStatus } from './tables/azure-machine.js';
export type {
  APIEndpoint,
  AdditionalAPIServerLBPort,
  AzureASOManagedControlPlaneSpec,
  AzureASOManagedMachinePoolTemplateSpec,
  AzureMachineSpec,
  CloudProviderConfigOverrides,
  ExtendedLocation,
  FailureDomains,
  ForwardPeeringProperties,
  IdentityRef,
  LegacyCondition,
  LongRunningOperationState,
  ManagedDisk,
  Peering,
  PrivateEndpoint,
  SecurityRule,
  ServiceEndpoint,
  StatusResource,
} from './tables/shared.js';
