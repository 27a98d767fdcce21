import type { HostingExamples } from '@capstan/provider/testing';

const UUID = '7f3e0c1a-3c27-4c0d-9a53-0d3b1f3a4c10';
const GROUP = `/subscriptions/${UUID}/resourceGroups/fleet/providers`;
const VNET = `${GROUP}/Microsoft.Network/virtualNetworks/vnet`;

const identity = { clientID: UUID };
const managed = { clientID: UUID, credentialsSecretName: 'creds', objectEncoding: 'utf-8' };

const LEAST = {
  azureAuthenticationConfig: {
    azureAuthenticationConfigType: 'WorkloadIdentities',
    workloadIdentities: {
      cloudProvider: identity,
      controlPlaneOperator: identity,
      disk: identity,
      file: identity,
      imageRegistry: identity,
      ingress: identity,
      network: identity,
      nodePoolManagement: identity,
    },
  },
  location: 'eastus',
  resourceGroup: 'fleet',
  securityGroupID: `${GROUP}/Microsoft.Network/networkSecurityGroups/nodes`,
  subnetID: `${VNET}/subnets/nodes`,
  subscriptionID: UUID,
  tenantID: UUID,
  vnetID: VNET,
};

const POOL = {
  image: { type: 'ImageID', imageID: 'image-1' },
  osDisk: { sizeGiB: 120, diskStorageAccountType: 'Premium_LRS' },
  subnetID: `${VNET}/subnets/nodes`,
  vmSize: 'Standard_D4s_v5',
};

/** What the platform is tried with. */
export const examples: HostingExamples = {
  clusters: [
    LEAST,
    {
      ...LEAST,
      cloud: 'AzurePublicCloud',
      azureAuthenticationConfig: {
        azureAuthenticationConfigType: 'ManagedIdentities',
        managedIdentities: {
          controlPlane: {
            managedIdentitiesKeyVault: { name: 'vault', tenantID: UUID },
            cloudProvider: managed,
            controlPlaneOperator: managed,
            disk: managed,
            file: managed,
            imageRegistry: managed,
            ingress: managed,
            network: managed,
            nodePoolManagement: managed,
          },
          dataPlane: { diskMSIClientID: UUID, fileMSIClientID: UUID, imageRegistryMSIClientID: UUID },
        },
      },
      containerRegistry: {
        credentials: {
          type: 'ManagedIdentity',
          managedIdentity: { resourceID: `${GROUP}/Microsoft.ManagedIdentity/userAssignedIdentities/registry-puller` },
        },
      },
      topology: 'Private',
      private: {
        type: 'PrivateLink',
        privateLink: { natSubnetID: `${VNET}/subnets/nat`, additionalAllowedSubscriptions: [UUID] },
      },
    },
    { ...LEAST, topology: 'Private', private: { type: 'Swift', swift: { podNetworkInstance: 'pods' } } },
  ],
  pools: [
    POOL,
    {
      ...POOL,
      availabilityZone: '1',
      encryptionAtHost: 'Enabled',
      diagnostics: { storageAccountType: 'UserManaged', userManaged: { storageAccountURI: 'https://a.example.com' } },
      image: {
        type: 'AzureMarketplace',
        azureMarketplace: { publisher: 'azureopenshift', offer: 'aro4', sku: 'aro_422', version: '422.1.1' },
      },
      osDisk: {
        sizeGiB: 120,
        diskStorageAccountType: 'Premium_LRS',
        encryptionSetID: `${GROUP}/Microsoft.Compute/diskEncryptionSets/disks`,
        persistence: 'Ephemeral',
      },
    },
    { ...POOL, image: { type: 'AzureMarketplace', azureMarketplace: { imageGeneration: 'Gen2' } } },
  ],
  secrets: [],
  bootImages: {
    architectures: {
      x86_64: {
        'rhel-coreos-extensions': {
          marketplace: {
            azure: {
              'no-purchase-plan': {
                hyperVGen1: { publisher: 'azureopenshift', offer: 'aro4', sku: 'aro_422', version: '422.1.0' },
                hyperVGen2: { publisher: 'azureopenshift', offer: 'aro4', sku: '422-v2', version: '422.1.0' },
              },
            },
          },
        },
      },
    },
  },
  createFlags: {
    'tenant-id': UUID,
    'nodepool-subnet-id': `${VNET}/subnets/nodes`,
    'resource-group-name': 'fleet',
    'vnet-id': VNET,
    'subnet-id': `${VNET}/subnets/nodes`,
    'network-security-group-id': `${GROUP}/Microsoft.Network/networkSecurityGroups/nodes`,
    'workload-identities-file': JSON.stringify(LEAST.azureAuthenticationConfig.workloadIdentities),
  },
};

export { conversionContext, conversionExamples } from './conversion-examples.js';
export { conversionMachines } from './machines.js';
