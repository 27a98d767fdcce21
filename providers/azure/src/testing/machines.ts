/** Machines on Azure as the installer writes them, in both APIs. */
import type { TwoWayMap } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { changed, conversionWays } from '@capstan/provider/testing';
import type { Way } from '@capstan/provider/testing';
import { conversionContext } from './conversion-examples.js';

const CLUSTER = 'ocean-7xk2p';
const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
const PROVIDER_ID = `azure:///subscriptions/${SUBSCRIPTION}/resourceGroups/${CLUSTER}-rg/providers/Microsoft.Compute/virtualMachines/${CLUSTER}-worker-northeurope1-abcde`;
const IMAGE = `/resourceGroups/${CLUSTER}-rg/providers/Microsoft.Compute/galleries/gallery_ocean_7xk2p/images/${CLUSTER}-gen2/versions/latest`;

/** The provider spec of a worker. */
export function workerProviderSpec(): JsonObject {
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'AzureMachineProviderSpec',
    metadata: { creationTimestamp: null },
    acceleratedNetworking: true,
    credentialsSecret: { name: 'azure-cloud-credentials', namespace: 'openshift-machine-api' },
    image: { offer: '', publisher: '', resourceID: IMAGE, sku: '', version: '' },
    location: 'northeurope',
    managedIdentity: `${CLUSTER}-identity`,
    networkResourceGroup: 'ocean-network-rg',
    osDisk: {
      cachingType: 'None',
      diskSettings: {},
      diskSizeGB: 128,
      managedDisk: { securityProfile: {}, storageAccountType: 'Premium_LRS' },
      osType: 'Linux',
    },
    publicIP: false,
    publicLoadBalancer: CLUSTER,
    resourceGroup: `${CLUSTER}-rg`,
    subnet: `${CLUSTER}-worker-subnet`,
    userDataSecret: { name: 'worker-user-data' },
    vmSize: 'Standard_D4s_v3',
    vnet: `${CLUSTER}-vnet`,
    zone: '1',
  };
}

/** The spec of the AzureMachine that stands for it. */
export function workerAzureMachine(): JsonObject {
  return {
    diagnostics: { boot: { storageAccountType: 'Disabled' } },
    disableExtensionOperations: true,
    identity: 'UserAssigned',
    image: { id: `/subscriptions/${SUBSCRIPTION}${IMAGE}` },
    networkInterfaces: [{ acceleratedNetworking: true, privateIPConfigs: 1, subnetName: `${CLUSTER}-worker-subnet` }],
    osDisk: {
      cachingType: 'None',
      diskSizeGB: 128,
      managedDisk: { storageAccountType: 'Premium_LRS' },
      osType: 'Linux',
    },
    providerID: PROVIDER_ID,
    userAssignedIdentities: [
      {
        providerID: `azure:///subscriptions/${SUBSCRIPTION}/resourcegroups/${CLUSTER}-rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${CLUSTER}-identity`,
      },
    ],
    vmSize: 'Standard_D4s_v3',
  };
}

/** A whole machine of Machine API around a provider spec. */
export function machineApiMachine(providerSpec: JsonObject): JsonObject {
  return { spec: { providerID: PROVIDER_ID, providerSpec: { value: providerSpec } } };
}

/** A machine of Cluster API and its infrastructure. */
export function clusterApiMachine(azureMachine: JsonObject): JsonObject {
  return {
    machine: {
      spec: { bootstrap: { dataSecretName: 'worker-user-data' }, failureDomain: '1', providerID: PROVIDER_ID },
    },
    infrastructure: { spec: azureMachine },
  };
}

/** Machines as the installer makes them, on both sides. */
export const conversionMachines = {
  worker: { left: machineApiMachine(workerProviderSpec()), right: clusterApiMachine(workerAzureMachine()) },
};

/** A worker with some values changed, both ways. */
export function ways(map: TwoWayMap<MachineContext>): { readonly there: Way; readonly back: Way } {
  return conversionWays(map, conversionContext, {
    left: (changes) => machineApiMachine(changed(workerProviderSpec(), changes)),
    right: (changes) => clusterApiMachine(changed(workerAzureMachine(), changes)),
  });
}
