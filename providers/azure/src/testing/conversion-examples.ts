/** What the conversion of machines on Azure is tried with. */
import { absent } from '@capstan/convert';
import type { Choices, LeafMaker } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import { from, nothing, numbered, oneOf, rarely, remembered, Single } from '@capstan/provider/testing';
import type { ConversionExamples, Maker, Makers } from '@capstan/provider/testing';

const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
const CLUSTER = 'ocean-7xk2p';

/** A cluster as the installer leaves it, and another subnet with a gateway of its own. */
export const conversionContext: MachineContext = {
  clusterName: CLUSTER,
  namespaces: { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' },
  infrastructureCluster: {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
    kind: 'AzureCluster',
    metadata: { name: CLUSTER, namespace: 'openshift-cluster-api' },
    spec: {
      azureEnvironment: 'AzurePublicCloud',
      location: 'northeurope',
      resourceGroup: `${CLUSTER}-rg`,
      subscriptionID: SUBSCRIPTION,
      networkSpec: {
        apiServerLB: { name: `${CLUSTER}-internal`, type: 'Internal' },
        controlPlaneOutboundLB: { name: CLUSTER },
        nodeOutboundLB: { name: CLUSTER, backendPool: { name: CLUSTER } },
        subnets: [
          { name: `${CLUSTER}-worker-subnet`, role: 'node' },
          { name: `${CLUSTER}-gateway-subnet`, role: 'node', natGateway: { name: 'gateway' } },
        ],
        vnet: { name: `${CLUSTER}-vnet`, resourceGroup: 'ocean-network-rg' },
      },
    },
  },
  infrastructure: {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    status: {
      infrastructureName: CLUSTER,
      platformStatus: { type: 'Azure', azure: { cloudName: 'AzurePublicCloud', resourceGroupName: `${CLUSTER}-rg` } },
    },
  },
};

const isOdd = (choices: Choices): boolean => choices.below(2) === 1;
const texts = (prefix: string): Maker => numbered(prefix);
const optional =
  (maker: Maker): Maker =>
  (choices) =>
    choices.below(3) === 0 ? absent : maker(choices);

const vm = (choices: Choices): string =>
  `azure:///subscriptions/${SUBSCRIPTION}/resourceGroups/${CLUSTER}-rg/providers/Microsoft.Compute/virtualMachines/m-${choices.below(9)}`;
const identityId = (group: string): string =>
  `/subscriptions/${SUBSCRIPTION}/resourcegroups/${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/`;

const storage = oneOf('Standard_LRS', 'Premium_LRS', 'UltraSSD_LRS');
const caching = rarely('Always', oneOf('None', 'ReadOnly', 'ReadWrite', absent, ''));

const machineId = remembered(vm);
const isMarketplace = remembered(isOdd);
const ofMarketplace = (prefix: string) =>
  isMarketplace.after((yes) => (yes ? rarely('', texts(prefix)) : rarely('x', () => '')));

const typeOfSecurity = remembered((choices) => choices.below(3));
const ofSecurity = (type: number, ...values: readonly unknown[]): Maker =>
  typeOfSecurity.after((chosen) => (chosen === type ? oneOf(...values) : rarely(values[0], nothing)));
const policies = ['Enabled', 'Disabled', '', absent];

const accountOfDiagnostics = remembered((choices) => choices.below(3));
const isPublic = remembered((choices) => choices.below(4) === 0);

const left: Makers = {
  metadata: () => ({ labels: { a: 'b' } }),
  'credentialsSecret.name': rarely('other', oneOf('azure-cloud-credentials', '')),
  'credentialsSecret.namespace': rarely('other', oneOf('openshift-machine-api', absent)),
  'userDataSecret.namespace': optional(() => 'openshift-machine-api'),
  location: rarely('westeurope', oneOf('northeurope', absent)),
  vmSize: rarely('', oneOf('Standard_D4s_v3', 'Standard_D8s_v5')),
  'image.publisher': isMarketplace.first((yes) => (yes ? texts('publisher') : () => '')),
  'image.offer': ofMarketplace('offer'),
  'image.sku': ofMarketplace('sku'),
  'image.version': ofMarketplace('version'),
  'image.resourceID': isMarketplace.after((yes) =>
    yes ? () => '' : rarely('x', texts(`/resourceGroups/rg/providers/Microsoft.Compute/images/i`)),
  ),
  'image.type': isMarketplace.after((yes) =>
    yes ? rarely('ID', oneOf('MarketplaceNoPlan', 'MarketplaceWithPlan', '', absent)) : oneOf('ID', '', absent),
  ),
  'osDisk.osType': oneOf('Linux', 'Linux', 'Windows', '', absent),
  'osDisk.diskSizeGB': rarely(4096, from(1, 2048)),
  'osDisk.cachingType': caching,
  'osDisk.diskSettings.ephemeralStorageLocation': rarely('Far', oneOf('Local', '', absent)),
  'osDisk.managedDisk.storageAccountType': oneOf('Premium_LRS', 'StandardSSD_LRS', '', absent),
  'osDisk.managedDisk.securityProfile.securityEncryptionType': rarely(
    'All',
    oneOf('VMGuestStateOnly', 'DiskWithVMGuestState', '', absent),
  ),
  'dataDisks[].nameSuffix': rarely('', texts('disk')),
  'dataDisks[].diskSizeGB': rarely(3, from(4, 32_764)),
  'dataDisks[].lun': rarely(64, oneOf(0, 1, 63, absent)),
  'dataDisks[].cachingType': caching,
  'dataDisks[].managedDisk.storageAccountType': rarely('Other', oneOf('Standard_LRS', 'Premium_LRS', '', absent)),
  'dataDisks[].deletionPolicy': rarely('Detach', () => 'Delete'),
  publicIP: isPublic.first((yes) => (yes ? () => true : oneOf(false, absent))),
  securityGroup: oneOf('', 'group'),
  'applicationSecurityGroups[]': texts('group'),
  subnet: rarely('', () => `${CLUSTER}-worker-subnet`),
  publicLoadBalancer: isPublic.after((yes) => (yes ? oneOf('', absent) : rarely('other', () => CLUSTER))),
  internalLoadBalancer: rarely(`${CLUSTER}-internal`, oneOf('', absent)),
  managedIdentity: rarely(
    'a/b',
    oneOf('', absent, `${CLUSTER}-identity`, `${identityId(`${CLUSTER}-rg`)}own`, `${identityId('others')}other`),
  ),
  vnet: rarely('other', oneOf(`${CLUSTER}-vnet`, '', absent)),
  zone: oneOf('1', '2', '3', '', absent),
  networkResourceGroup: rarely('other', oneOf('ocean-network-rg', '', absent)),
  resourceGroup: rarely('other', oneOf(`${CLUSTER}-rg`, '', absent)),
  'spotVMOptions.maxPrice': rarely('much', oneOf('-1', '0.5', '987m', absent)),
  'securityProfile.settings.securityType': typeOfSecurity.first((chosen) =>
    chosen === 0 ? rarely('Other', oneOf('', absent)) : () => (chosen === 1 ? 'ConfidentialVM' : 'TrustedLaunch'),
  ),
  'securityProfile.settings.confidentialVM.uefiSettings.secureBoot': ofSecurity(1, ...policies),
  'securityProfile.settings.confidentialVM.uefiSettings.virtualizedTrustedPlatformModule': ofSecurity(1, ...policies),
  'securityProfile.settings.trustedLaunch.uefiSettings.secureBoot': ofSecurity(2, ...policies),
  'securityProfile.settings.trustedLaunch.uefiSettings.virtualizedTrustedPlatformModule': ofSecurity(2, ...policies),
  ultraSSDCapability: rarely('Maybe', oneOf('Enabled', 'Disabled', '', absent)),
  'diagnostics.boot.storageAccountType': accountOfDiagnostics.first((chosen) =>
    chosen === 0 ? rarely('Other', oneOf('', absent)) : () => (chosen === 1 ? 'AzureManaged' : 'CustomerManaged'),
  ),
  'diagnostics.boot.customerManaged.storageAccountURI': accountOfDiagnostics.after((chosen) =>
    chosen === 2 ? rarely('', texts('https://storage/')) : rarely('https://x/', nothing),
  ),
};

const rightMarketplace = remembered((choices) => interfaces.reset(isOdd)(choices));
const ofRightMarketplace = (prefix: string): Maker =>
  rightMarketplace.after((yes) => (yes ? rarely('', texts(prefix)) : rarely('x', nothing)));
const rightSecurity = remembered((choices) => choices.below(3));
const rightAccount = remembered((choices) => choices.below(3));
const hasIdentity = remembered((choices) => identities.reset(isOdd)(choices));
const identities = new Single(true);
const interfaces = new Single(true);

const right: Makers = {
  'additionalCapabilities.ultraSSDEnabled': oneOf(true, false, absent),
  'dataDisks[].cachingType': caching,
  'dataDisks[].diskSizeGB': rarely(3, from(4, 32_764)),
  'dataDisks[].lun': rarely(absent, from(0, 64)),
  'dataDisks[].managedDisk.storageAccountType': rarely('PremiumV2_LRS', storage),
  'dataDisks[].nameSuffix': rarely('', texts('disk')),
  'diagnostics.boot.storageAccountType': rightAccount.first((chosen) =>
    chosen === 0
      ? rarely('Other', oneOf('Disabled', 'Managed', '', absent))
      : () => (chosen === 1 ? 'Disabled' : 'UserManaged'),
  ),
  'diagnostics.boot.userManaged.storageAccountURI': rightAccount.after((chosen) =>
    chosen === 2 ? rarely('', texts('https://storage/')) : rarely('https://x/', nothing),
  ),
  disableExtensionOperations: oneOf(true, true, false, absent),
  disableVMBootstrapExtension: rarely(false, oneOf(true, absent)),
  failureDomain: rarely('9', oneOf('', absent, absent, '1')),
  identity: hasIdentity.first((yes) => rarely('SystemAssigned', () => (yes ? 'UserAssigned' : 'None'))),
  'image.id': rightMarketplace.first((yes) =>
    yes
      ? nothing
      : rarely('/subscriptions/other/x', texts(`/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/providers/i`)),
  ),
  'image.marketplace.offer': ofRightMarketplace('offer'),
  'image.marketplace.publisher': ofRightMarketplace('publisher'),
  'image.marketplace.sku': ofRightMarketplace('sku'),
  'image.marketplace.version': ofRightMarketplace('version'),
  'image.marketplace.thirdPartyImage': rightMarketplace.after((yes) =>
    yes ? oneOf(true, false, absent) : rarely(true, oneOf(absent)),
  ),
  'networkInterfaces[].acceleratedNetworking': interfaces.first(oneOf(true, false)),
  'networkInterfaces[].privateIPConfigs': interfaces.after(rarely(2, oneOf(1, absent))),
  'networkInterfaces[].subnetName': interfaces.after(
    rarely('', oneOf(`${CLUSTER}-worker-subnet`, `${CLUSTER}-gateway-subnet`)),
  ),
  'osDisk.cachingType': caching,
  'osDisk.diffDiskSettings.option': rarely('Far', oneOf('Local', absent, absent, '')),
  'osDisk.diskSizeGB': rarely(absent, from(1, 2048)),
  'osDisk.managedDisk.securityProfile.securityEncryptionType': rarely(
    'All',
    oneOf('VMGuestStateOnly', 'DiskWithVMGuestState', '', absent),
  ),
  'osDisk.managedDisk.storageAccountType': rarely(absent, oneOf('Premium_LRS', 'StandardSSD_LRS')),
  'osDisk.osType': oneOf('Linux', 'Windows', '', absent),
  providerID: machineId.after((id) => rarely('azure:///other', oneOf(id, absent))),
  'securityProfile.securityType': rightSecurity.first((chosen) =>
    chosen === 0 ? rarely('Other', oneOf('', absent)) : () => (chosen === 1 ? 'ConfidentialVM' : 'TrustedLaunch'),
  ),
  'securityProfile.uefiSettings.secureBootEnabled': rightSecurity.after((chosen) =>
    chosen === 0 ? rarely(true, nothing) : oneOf(true, false, absent),
  ),
  'securityProfile.uefiSettings.vTpmEnabled': rightSecurity.after((chosen) =>
    chosen === 0 ? rarely(true, nothing) : oneOf(true, false, absent),
  ),
  'spotVMOptions.evictionPolicy': rarely('Deallocate', () => 'Delete'),
  'spotVMOptions.maxPrice': rarely('much', oneOf('-1', '0.5', 2, absent)),
  'userAssignedIdentities[].providerID': identities.first(
    hasIdentity.after((yes) =>
      yes
        ? rarely('x', oneOf(`azure://${identityId(`${CLUSTER}-rg`)}own`, `azure://${identityId('others')}other`))
        : nothing,
    ),
  ),
  vmSize: rarely('', oneOf('Standard_D4s_v3', 'Standard_D8s_v5')),
};

const PROVIDER_SPEC = 'spec.providerSpec.value.';
const INFRASTRUCTURE = 'infrastructure.spec.';

const makerOf =
  (prefix: string, makers: Makers): LeafMaker =>
  (path, choices) => {
    if (path === 'spec.providerID' || path === 'machine.spec.providerID')
      return machineId.first((id) => rarely('azure:///x', () => id))(choices);
    if (path === 'machine.spec.bootstrap.dataSecretName') return oneOf('worker-user-data', absent)(choices);
    if (path === 'machine.spec.failureDomain') return oneOf('1', '1', absent)(choices);
    return path.startsWith(prefix) ? makers[path.slice(prefix.length)]?.(choices) : undefined;
  };

/** For the trial of the conversion. */
export const conversionExamples: ConversionExamples = {
  context: conversionContext,
  controlPlane: { publicIP: false, publicLoadBalancer: CLUSTER, internalLoadBalancer: `${CLUSTER}-internal` },
  required: [
    ...['image', 'osDisk'].map((name) => `${PROVIDER_SPEC}${name}`),
    ...[
      'image',
      'osDisk',
      'osDisk.managedDisk',
      'networkInterfaces',
      'userAssignedIdentities',
      'dataDisks[].managedDisk',
    ].map((name) => `${INFRASTRUCTURE}${name}`),
  ],
  makers: { left: makerOf(PROVIDER_SPEC, left), right: makerOf(INFRASTRUCTURE, right) },
};
