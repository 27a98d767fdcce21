import type { JsonObject } from '@capstan/meta';
import { withoutUndefined } from '@capstan/provider';
import type { CreateOptions, CreateRequest, Problem } from '@capstan/provider';

const SUBSCRIPTION = /^\/subscriptions\/([^/]+)\//;
const NEEDED = ['tenant-id', 'location', 'resource-group-name', 'vnet-id', 'subnet-id', 'network-security-group-id'];

function missing(flags: CreateRequest['flags'], needed: readonly string[]): Problem[] {
  return needed
    .filter((flag) => flags[flag] === undefined)
    .map((flag) => ({ path: `--${flag}`, message: `a cluster on this platform needs --${flag}` }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function cluster({ flags }: CreateRequest): ReturnType<CreateOptions['cluster']> {
  const problems = missing(flags, [...NEEDED, 'workload-identities-file']);
  if (problems.length > 0) return problems;
  const identities = parsed(flags['workload-identities-file'] ?? '');
  if (typeof identities !== 'object' || identities === null)
    return [{ path: '--workload-identities-file', message: 'the file is no JSON object of identities: check it' }];
  const subscriptionID = SUBSCRIPTION.exec(flags['vnet-id'] ?? '')?.[1];
  if (subscriptionID === undefined)
    return [{ path: '--vnet-id', message: 'a network is written /subscriptions/…/virtualNetworks/NAME' }];
  return {
    settings: withoutUndefined({
      cloud: flags['cloud'],
      location: flags['location'],
      resourceGroup: flags['resource-group-name'],
      vnetID: flags['vnet-id'],
      subnetID: flags['subnet-id'],
      securityGroupID: flags['network-security-group-id'],
      subscriptionID,
      tenantID: flags['tenant-id'],
      azureAuthenticationConfig: {
        azureAuthenticationConfigType: 'WorkloadIdentities',
        workloadIdentities: identities,
      },
    }),
    objects: [],
    publishing: { apiServer: 'LoadBalancer', others: 'Route' },
    spec: withoutUndefined({ issuerURL: flags['oidc-issuer-url'] }),
  };
}

function imageOf(flags: CreateRequest['flags']): JsonObject {
  if (flags['image-id'] !== undefined) return { type: 'ImageID', imageID: flags['image-id'] };
  const azureMarketplace = withoutUndefined({
    imageGeneration: flags['image-generation'],
    publisher: flags['marketplace-publisher'],
    offer: flags['marketplace-offer'],
    sku: flags['marketplace-sku'],
    version: flags['marketplace-version'],
  });
  return { type: 'AzureMarketplace', azureMarketplace };
}

function nodePool({ flags }: CreateRequest): JsonObject | readonly Problem[] {
  const subnetID = flags['nodepool-subnet-id'] ?? flags['subnet-id'];
  if (subnetID === undefined)
    return [{ path: '--nodepool-subnet-id', message: 'say in which subnet the machines are to be' }];
  return withoutUndefined({
    vmSize: flags['instance-type'],
    image: imageOf(flags),
    osDisk: withoutUndefined({
      sizeGiB: Number(flags['root-disk-size']),
      diskStorageAccountType: flags['disk-storage-account-type'],
      encryptionSetID: flags['disk-encryption-set-id'],
      persistence: flags['enable-ephemeral-disk'] === 'true' ? 'Ephemeral' : undefined,
    }),
    availabilityZone: flags['availability-zone'],
    encryptionAtHost: flags['encryption-at-host'],
    subnetID,
  });
}

/** `create cluster azure` and `create nodepool azure`. */
export const create: CreateOptions = {
  clusterFlags: [
    { name: 'location', value: '<location>', help: 'location of the infrastructure', default: 'eastus' },
    { name: 'tenant-id', value: '<id>', help: 'tenant of the identities', isRequired: true },
    { name: 'resource-group-name', value: '<name>', help: 'resource group of the machines', isRequired: true },
    {
      name: 'vnet-id',
      value: '<id>',
      help: 'virtual network; its subscription is that of the cluster',
      isRequired: true,
    },
    { name: 'subnet-id', value: '<id>', help: 'subnet of the machines', isRequired: true },
    { name: 'network-security-group-id', value: '<id>', help: 'security group of that subnet', isRequired: true },
    {
      name: 'workload-identities-file',
      value: '<file>',
      help: 'JSON with the client id of each identity, as spec.platform.azure has it',
      isRequired: true,
      isFile: true,
    },
    { name: 'cloud', value: '<cloud>', help: 'which cloud it is', default: 'AzurePublicCloud' },
    { name: 'oidc-issuer-url', value: '<url>', help: 'issuer of service account tokens' },
  ],
  nodePoolFlags: [
    { name: 'instance-type', value: '<size>', help: 'size of the machines', default: 'Standard_D4s_v5' },
    { name: 'root-disk-size', value: '<GiB>', help: 'size of the root disk', default: '120' },
    { name: 'disk-storage-account-type', value: '<type>', help: 'kind of the root disk', default: 'Premium_LRS' },
    { name: 'disk-encryption-set-id', value: '<id>', help: 'what the root disk is encrypted with' },
    { name: 'enable-ephemeral-disk', value: '<true|false>', help: 'whether the root disk is deleted with its machine' },
    {
      name: 'nodepool-subnet-id',
      value: '<id>',
      help: 'subnet of the machines',
      isRequired: true,
      unless: 'subnet-id',
    },
    { name: 'availability-zone', value: '<zone>', help: 'zone of the machines: 1, 2 or 3' },
    { name: 'encryption-at-host', value: '<Enabled|Disabled>', help: 'whether hosts encrypt', default: 'Enabled' },
    { name: 'image-id', value: '<id>', help: 'image of the machines; default that of the release in the marketplace' },
    { name: 'image-generation', value: '<Gen1|Gen2>', help: 'generation of the machines', default: 'Gen2' },
    { name: 'marketplace-publisher', value: '<name>', help: 'publisher of the image in the marketplace' },
    { name: 'marketplace-offer', value: '<name>', help: 'offer of the image in the marketplace' },
    { name: 'marketplace-sku', value: '<name>', help: 'stock unit of the image in the marketplace' },
    { name: 'marketplace-version', value: '<version>', help: 'version of the image in the marketplace' },
  ],
  cluster,
  nodePool,
};
