import { azureCluster, azureClusterIdentity } from '@capstan/api/infrastructure/azure';
import type { AzureClusterSpec } from '@capstan/api/infrastructure/azure';
import { resource } from '@capstan/api/model';
import { missingSettings, settingsOf } from '@capstan/provider';
import type { HostedClusterInputs, HostingPlatform, NodePoolInputs, Problem } from '@capstan/provider';
import { capacityOf } from './capacity.js';
import { components } from './components.js';
import { create } from './create.js';
import { cloudType, credentials, identityOf } from './identities.js';
import { machineTemplate } from './machine-template.js';
import { program } from './program.js';
import { clusterSettings, KEY, poolSettings, resourceOf } from './settings.js';

const NEEDED = [
  'azureAuthenticationConfig',
  'location',
  'resourceGroup',
  'securityGroupID',
  'subnetID',
  'subscriptionID',
  'tenantID',
  'vnetID',
];

function clusterSpec({
  controlPlaneNamespace: namespace,
  hostedCluster,
  infraID,
}: HostedClusterInputs): AzureClusterSpec {
  const { location, resourceGroup, subscriptionID, vnetID } = clusterSettings(hostedCluster);
  const vnet = resourceOf(vnetID);
  return {
    location,
    resourceGroup,
    subscriptionID,
    identityRef: { name: hostedCluster.metadata.name ?? '', namespace },
    networkSpec: {
      vnet: { id: vnetID, name: vnet.name, resourceGroup: vnet.resourceGroup },
      nodeOutboundLB: { name: infraID, backendPool: { name: infraID } },
    },
  };
}

const RESOURCES = { vnetID: 'virtualNetworks', securityGroupID: 'networkSecurityGroups' } as const;

function validate({ hostedCluster }: HostedClusterInputs): Problem[] {
  const missing = missingSettings(hostedCluster, KEY, NEEDED);
  if (missing.length > 0) return missing;
  const settings = clusterSettings(hostedCluster);
  const { managedIdentities, workloadIdentities } = settings.azureAuthenticationConfig;
  const problems: Problem[] = [];
  for (const [field, kind] of Object.entries(RESOURCES)) {
    const id = settings[field as keyof typeof RESOURCES];
    if (
      !new RegExp(`^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Network/${kind}/[^/]+$`, 'i').test(id)
    )
      problems.push({
        path: `spec.platform.azure.${field}`,
        message: `"${id}" is no resource: write /subscriptions/…/resourceGroups/…/providers/Microsoft.Network/${kind}/NAME`,
      });
  }
  if (managedIdentities === undefined && workloadIdentities === undefined)
    problems.push({
      path: 'spec.platform.azure.azureAuthenticationConfig',
      message: 'there are neither managed nor workload identities: give one of them',
    });
  if (managedIdentities !== undefined && cloudType(settings) === undefined)
    problems.push({
      path: 'spec.platform.azure.cloud',
      message: `machines cannot be created with managed identities in ${settings.cloud ?? ''}: use workload identities there`,
    });
  return problems;
}

function validateNodePool({ hostedCluster, nodePool }: NodePoolInputs): Problem[] {
  const problems = missingSettings(nodePool, KEY, ['image', 'osDisk', 'subnetID', 'vmSize']);
  if (problems.length > 0) return problems;
  const { subnetID } = poolSettings(nodePool);
  const { vnetID = '' } = clusterSettings(hostedCluster);
  const vnet = subnetID.replace(/\/subnets\/[^/]+$/i, '');
  if (vnetID === '' || vnet.toLowerCase() === vnetID.toLowerCase()) return [];
  return [
    {
      path: 'spec.platform.azure.subnetID',
      message: `the subnet is not of the network of the cluster, ${vnetID}: take one that is`,
    },
  ];
}

/** Hosted clusters whose machines are virtual machines of Azure. */
export const hosting: HostingPlatform = {
  type: 'Azure',
  key: KEY,
  hasSettings: true,
  cluster: {
    kind: resource(azureCluster),
    isExternal: true,
    namedBy: 'hosted-cluster',
    takesEndpoint: true,
    spec: (inputs) => ({ ...clusterSpec(inputs) }),
    companions: (inputs) => [identityOf(inputs)],
  },
  machineTemplate,
  nodePools: {
    architectures: ['amd64', 'arm64'],
    scalesFromZero: true,
    capacity: ({ nodePool }) => capacityOf(poolSettings(nodePool).vmSize ?? ''),
    keepsUserData: false,
  },
  validate,
  validateNodePool,
  // Identities are used with tokens or certificates that exist elsewhere: no Secret is needed.
  secretNames: () => [],
  credentials,
  program,
  controlPlane: ({ hostedCluster }) => ({ type: 'Azure', settings: settingsOf(hostedCluster, { key: KEY }) }),
  mirroredAnnotations: ['hypershift.openshift.io/azure-load-balancer-health-probe-mode'],
  components,
  companionKinds: [resource(azureClusterIdentity)],
  create,
};

export { conversion } from './conversion/index.js';
