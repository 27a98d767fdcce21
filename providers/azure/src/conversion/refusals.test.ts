import { providerMap } from '@capstan/convert/machine-api';
import { describe, expect, it } from 'vitest';
import { conversionContext as context } from '../testing/conversion-examples.js';
import { ways } from '../testing/machines.js';
import type { Changes } from '@capstan/provider/testing';
import { conversion } from './index.js';

const { back, there } = ways(providerMap(conversion));
const disk = { nameSuffix: 'a', diskSizeGB: 4, lun: 0, deletionPolicy: 'Delete' };
const subscription = '11111111-2222-3333-4444-555555555555';

describe('what Cluster API cannot keep', () => {
  it.each<[Changes, string]>([
    [{ metadata: { name: 'x' } }, 'metadata: has no place in Cluster API, and nothing reads it: remove it'],
    [
      { 'credentialsSecret.name': 'own' },
      'credentialsSecret.name: is "own": only "azure-cloud-credentials" can be kept, as Cluster API has credentials on the infrastructure cluster',
    ],
    [
      { 'credentialsSecret.namespace': 'own' },
      'credentialsSecret.namespace: is "own": only secrets in "openshift-machine-api" can be kept, as Cluster API reads them where its machines are',
    ],
    [
      { location: 'westeurope' },
      'location: is "westeurope", but spec.location of the infrastructure cluster is "northeurope"',
    ],
    [
      { resourceGroup: 'other' },
      'resourceGroup: is "other", but spec.resourceGroup of the infrastructure cluster is "ocean-7xk2p-rg"',
    ],
    [
      { vnet: 'other' },
      'vnet: is "other", but spec.networkSpec.vnet.name of the infrastructure cluster is "ocean-7xk2p-vnet"',
    ],
    [
      { networkResourceGroup: 'other' },
      'networkResourceGroup: is "other", but spec.networkSpec.vnet.resourceGroup of the infrastructure cluster is "ocean-network-rg"',
    ],
    [{ vmSize: '' }, 'vmSize: must be set: nothing else gives the size of the machine'],
    [{ subnet: '' }, 'subnet: must be set: nothing else gives the subnet of the machine'],
    [{ natRule: 0 }, 'natRule: rules of load balancers for single machines have no place in Cluster API: remove it'],
    [{ securityGroup: 'nsg' }, 'securityGroup: Cluster API has security groups on subnets alone: put it on the subnet'],
    [
      { applicationSecurityGroups: ['asg'] },
      'applicationSecurityGroups: application security groups have no place in Cluster API: remove them',
    ],
    [
      { availabilitySet: 'set' },
      'availabilitySet: Cluster API chooses availability sets by itself: remove it, or name a zone',
    ],
    [
      { publicLoadBalancer: 'other' },
      'publicLoadBalancer: is "other", but spec.networkSpec.nodeOutboundLB.name of the infrastructure cluster has it join "ocean-7xk2p"',
    ],
    [
      { publicLoadBalancer: undefined },
      'publicLoadBalancer: is not set, but spec.networkSpec.nodeOutboundLB.name of the infrastructure cluster has it join "ocean-7xk2p"',
    ],
    [
      { publicIP: true },
      'publicLoadBalancer: is "ocean-7xk2p", but such a machine joins no load balancer by spec.networkSpec of the infrastructure cluster',
    ],
    [
      { internalLoadBalancer: 'ocean-7xk2p-internal' },
      'internalLoadBalancer: is "ocean-7xk2p-internal", but such a machine joins no load balancer by spec.networkSpec of the infrastructure cluster',
    ],
    [
      { dataDisks: [{ ...disk, deletionPolicy: 'Detach' }] },
      'dataDisks[0].deletionPolicy: is "Detach", which cannot be kept: Cluster API deletes data disks with their machine',
    ],
    [{ dataDisks: [{ ...disk, deletionPolicy: '' }] }, 'dataDisks[0].deletionPolicy: must be set'],
    [{ dataDisks: [{ ...disk, diskSizeGB: 3 }] }, 'dataDisks[0].diskSizeGB: must be from 4 to 32767, and is 3'],
    [{ dataDisks: [{ ...disk, lun: 64 }] }, 'dataDisks[0].lun: must be from 0 to 63, and is 64'],
    [{ 'osDisk.diskSizeGB': 4096 }, 'osDisk.diskSizeGB: must be from 1 to 2048, and is 4096'],
    [{ 'osDisk.diskSizeGB': 0 }, 'osDisk.diskSizeGB: must be from 1 to 2048, and is 0'],
    [
      { 'osDisk.cachingType': 'Some' },
      'osDisk.cachingType: Unsupported value: "Some": supported values: "None", "ReadOnly", "ReadWrite"',
    ],
    [
      { managedIdentity: 'group/name' },
      'managedIdentity: must be the name of an identity, or begin with /subscriptions/',
    ],
    [{ 'image.publisher': 'p' }, 'image.publisher: cannot be set together with resourceID: keep one of them'],
    [
      { 'image.type': 'MarketplaceWithPlan' },
      'image.type: is "MarketplaceWithPlan", but resourceID names no image of the marketplace: keep one of them',
    ],
    [
      { 'image.type': 'Other' },
      'image.type: Unsupported value: "Other": supported values: "ID", "MarketplaceNoPlan", "MarketplaceWithPlan"',
    ],
    [
      { 'image.resourceID': '/subscriptions/s/resourceGroups/g' },
      'image.resourceID: must begin with /resourceGroups/, as Machine API puts the subscription before it',
    ],
    [
      { image: {} },
      'image.resourceID: must be set, or publisher, offer, sku and version: Cluster API has images of its own',
    ],
    [
      { image: { publisher: 'p', offer: 'o', sku: 's' } },
      'image.version: must be set, as images of the marketplace have all four names',
    ],
    [{ 'spotVMOptions.maxPrice': 'much' }, 'spotVMOptions.maxPrice: must be a quantity'],
    [
      { diagnostics: { boot: { storageAccountType: 'CustomerManaged' } } },
      'diagnostics.boot.customerManaged.storageAccountURI: must be set: it is the address of the storage account',
    ],
    [
      {
        diagnostics: {
          boot: { storageAccountType: 'AzureManaged', customerManaged: { storageAccountURI: 'https://x' } },
        },
      },
      'diagnostics.boot.customerManaged.storageAccountURI: is set, but storageAccountType is for other accounts',
    ],
    [
      { 'securityProfile.settings': { trustedLaunch: { uefiSettings: { secureBoot: 'Enabled' } } } },
      'securityProfile.settings.trustedLaunch.uefiSettings.secureBoot: is set, but securityType is not "TrustedLaunch"',
    ],
    [
      {
        diagnostics: {
          boot: { storageAccountType: 'CustomerManaged', customerManaged: { storageAccountURI: 'http://x' } },
        },
      },
      'diagnostics.boot.customerManaged.storageAccountURI: must begin with https:// and have at most 1024 characters',
    ],
    [{ somethingNew: 1 }, 'somethingNew: is a field this conversion does not know'],
  ])('%j', (changes, message) => {
    expect(there(changes).errors).toEqual([message]);
  });

  it('warns of what is set up otherwise, or is dropped', () => {
    expect(there({ 'osDisk.osType': 'Windows', 'userDataSecret.namespace': 'openshift-machine-api' })).toMatchObject({
      errors: [],
      warnings: [
        'userDataSecret.namespace: is dropped: Machine API always reads the Secret in the namespace of the machine',
        'osDisk.osType: machines with Windows are set up otherwise: Machine API runs the user data as a script, Cluster API leaves it to cloudbase-init',
      ],
    });
  });

  it('needs the cluster for ids, and compares nothing without it', () => {
    const { infrastructureCluster: _cluster, ...alone } = context;
    const { errors, warnings } = there({}, alone);
    const needed = 'spec.subscriptionID of the infrastructure cluster is needed, and not given';
    expect(errors).toEqual([`image.resourceID: ${needed}`, `managedIdentity: ${needed}`]);
    expect(warnings.map((each) => each.split(':')[0])).toEqual([
      'location',
      'resourceGroup',
      'publicLoadBalancer',
      'vnet',
      'networkResourceGroup',
    ]);
  });
});

describe('what Machine API cannot keep', () => {
  const nic = { acceleratedNetworking: true, subnetName: 'ocean-7xk2p-worker-subnet' };
  it.each<[Changes, string]>([
    [{ networkInterfaces: [nic, nic] }, 'networkInterfaces[1]: machines of Machine API have one interface'],
    [
      { networkInterfaces: [{ ...nic, privateIPConfigs: 2 }] },
      'networkInterfaces[0].privateIPConfigs: must be 1, and is 2',
    ],
    [
      { networkInterfaces: [{ subnetName: 'ocean-7xk2p-worker-subnet' }] },
      'networkInterfaces[0].acceleratedNetworking: must be true or false: Machine API cannot leave it to the size of the machine',
    ],
    [{ subnetName: 'a' }, 'subnetName: is the old place: write networkInterfaces[0].subnetName'],
    [
      { acceleratedNetworking: true },
      'acceleratedNetworking: is the old place: write networkInterfaces[0].acceleratedNetworking',
    ],
    [{ enableIPForwarding: true }, 'enableIPForwarding: machines of Machine API forward nothing: remove it'],
    [
      { dnsServers: ['10.0.0.1'] },
      'dnsServers: Machine API has no name servers for single machines: set them on the network',
    ],
    [
      { identity: 'SystemAssigned', userAssignedIdentities: undefined },
      'identity: is "SystemAssigned", which Machine API does not have: give the machine an identity of your own',
    ],
    [{ userAssignedIdentities: undefined }, 'identity: is "UserAssigned", but userAssignedIdentities names none'],
    [{ identity: undefined }, 'identity: is "None", but userAssignedIdentities names one'],
    [
      {
        userAssignedIdentities: [
          { providerID: 'azure:///subscriptions/a' },
          { providerID: 'azure:///subscriptions/b' },
        ],
      },
      'userAssignedIdentities[1]: machines of Machine API have one identity',
    ],
    [
      { userAssignedIdentities: [{ providerID: 'name' }] },
      'userAssignedIdentities[0].providerID: must begin with azure:///subscriptions/',
    ],
    [
      { systemAssignedIdentityRole: { name: 'x' } },
      'systemAssignedIdentityRole: only identities that the system assigns have a role, and Machine API does not have them',
    ],
    [
      { roleAssignmentName: 'x' },
      'roleAssignmentName: only identities that the system assigns have a role, and Machine API does not have them',
    ],
    [
      { spotVMOptions: { evictionPolicy: 'Deallocate' } },
      'spotVMOptions.evictionPolicy: is "Deallocate", and cannot be kept: Machine API deletes machines the cloud takes back',
    ],
    [
      { spotVMOptions: {} },
      'spotVMOptions.evictionPolicy: is not set, which means "Deallocate", and cannot be kept: Machine API deletes machines the cloud takes back',
    ],
    [
      { 'osDisk.diffDiskSettings': { option: 'Local', placement: 'NvmeDisk' } },
      'osDisk.diffDiskSettings.placement: Machine API has no field for the placement of an ephemeral disk',
    ],
    [
      { 'osDisk.diskSizeGB': undefined },
      'osDisk.diskSizeGB: must be set: Machine API has no disk as large as its image',
    ],
    [
      { 'osDisk.managedDisk': undefined },
      'osDisk.managedDisk.storageAccountType: must be set: Machine API would take Premium_LRS',
    ],
    [
      { dataDisks: [{ nameSuffix: 'a', diskSizeGB: 4, managedDisk: { storageAccountType: 'Premium_LRS' } }] },
      'dataDisks[0].lun: must be set: write the number of the disk that its machines are to see',
    ],
    [
      { dataDisks: [{ nameSuffix: 'a', diskSizeGB: 4, lun: 0, managedDisk: { storageAccountType: 'PremiumV2_LRS' } }] },
      'dataDisks[0].managedDisk.storageAccountType: Unsupported value: "PremiumV2_LRS": supported values: "Standard_LRS", "Premium_LRS", "UltraSSD_LRS"',
    ],
    [
      {
        dataDisks: [
          {
            nameSuffix: 'a',
            diskSizeGB: 4,
            lun: 0,
            managedDisk: {
              storageAccountType: 'Premium_LRS',
              securityProfile: { securityEncryptionType: 'VMGuestStateOnly' },
            },
          },
        ],
      },
      'dataDisks[0].managedDisk.securityProfile: only the disk of the system has one in Machine API: remove it',
    ],
    [
      { image: { computeGallery: { gallery: 'g', name: 'n', version: '1' }, id: `/subscriptions/${subscription}/x` } },
      'image.computeGallery: images of galleries have no name in Machine API: write the id of the image, or one of the marketplace',
    ],
    [
      { image: { sharedGallery: { gallery: 'g' }, id: `/subscriptions/${subscription}/x` } },
      'image.sharedGallery: images of galleries have no name in Machine API: write the id of the image, or one of the marketplace',
    ],
    [{ image: undefined }, 'image.id: must be set, or marketplace: Machine API has no images of its own'],
    [
      { 'image.id': '/subscriptions/other/resourceGroups/g' },
      `image.id: must begin with /subscriptions/${subscription}/, as Machine API takes images of the cluster's subscription alone`,
    ],
    [{ vmExtensions: [{ name: 'x' }] }, 'vmExtensions: Machine API installs no extensions: remove them'],
    [
      { disableVMBootstrapExtension: false },
      'disableVMBootstrapExtension: Machine API installs no extensions: remove it, or set it to true',
    ],
    [
      { securityProfile: { uefiSettings: { vTpmEnabled: true } } },
      'securityProfile.uefiSettings.vTpmEnabled: is set, but securityType is not: Machine API has it below the type alone',
    ],
    [{ failureDomain: '2' }, 'failureDomain: is "2", which has no place here: set failureDomain of the Machine'],
    [
      { providerID: 'azure:///other' },
      expect.stringMatching(
        /^providerID: is "azure:\/\/\/other", which belongs to no provider ID/,
      ) as unknown as string,
    ],
  ])('%j', (changes, message) => {
    expect(back(changes).errors).toEqual([message]);
  });

  it('drops a zone that the Machine has too', () => {
    expect(back({ failureDomain: '1' })).toMatchObject({
      errors: [],
      warnings: ['failureDomain: is dropped: failureDomain of the Machine has the same value'],
    });
  });
});
