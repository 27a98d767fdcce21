import { providerMap } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { checkMalformed } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { conversionContext as context } from '../testing/conversion-examples.js';
import {
  clusterApiMachine,
  machineApiMachine,
  ways,
  workerAzureMachine,
  workerProviderSpec,
} from '../testing/machines.js';
import { changed } from '@capstan/provider/testing';
import type { Changes } from '@capstan/provider/testing';
import { conversion } from './index.js';

const map = providerMap(conversion);

const { back, there } = ways(map);

describe('a worker of the installer', () => {
  const { metadata: _metadata, ...spec } = workerProviderSpec();
  const { osDisk, ...others } = spec as { osDisk: { diskSettings: JsonObject; managedDisk: JsonObject } };

  it('is an AzureMachine', () => {
    expect(map.forward(machineApiMachine(workerProviderSpec()), context)).toEqual({
      value: clusterApiMachine(workerAzureMachine()),
      errors: [],
      warnings: [],
    });
  });

  it('comes back without what is empty', () => {
    const { diskSettings: _settings, ...disk } = osDisk;
    expect(map.backward(clusterApiMachine(workerAzureMachine()), context)).toEqual({
      value: machineApiMachine({
        ...others,
        osDisk: { ...disk, managedDisk: { storageAccountType: 'Premium_LRS' } },
      }),
      errors: [],
      warnings: [],
    });
  });

  it('is read in the version of old installations too', () => {
    expect(there({ apiVersion: 'azureproviderconfig.openshift.io/v1beta1' })).toMatchObject({ errors: [] });
  });
});

describe('what both can say', () => {
  it.each<[string, Changes, Changes]>([
    ['a label of the cloud', { tags: { team: 'sea' } }, { additionalTags: { team: 'sea' } }],
    ['a key', { sshPublicKey: 'c3No' }, { sshPublicKey: 'c3No' }],
    ['machines that may be taken back', { spotVMOptions: {} }, { spotVMOptions: { evictionPolicy: 'Delete' } }],
    [
      'machines that may be taken back, at a price',
      { spotVMOptions: { maxPrice: '-1' } },
      { spotVMOptions: { maxPrice: '-1', evictionPolicy: 'Delete' } },
    ],
    ['no identity', { managedIdentity: undefined }, { identity: 'None', userAssignedIdentities: undefined }],
    [
      'an identity of another group',
      {
        managedIdentity:
          '/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i',
      },
      {
        userAssignedIdentities: [
          {
            providerID:
              'azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i',
          },
        ],
      },
    ],
    [
      'a disk that does not outlive its machine',
      { 'osDisk.diskSettings': { ephemeralStorageLocation: 'Local' }, 'osDisk.cachingType': 'ReadOnly' },
      { 'osDisk.diffDiskSettings': { option: 'Local' }, 'osDisk.cachingType': 'ReadOnly' },
    ],
    [
      'keys of disks',
      {
        'osDisk.managedDisk': {
          storageAccountType: 'Premium_LRS',
          diskEncryptionSet: { id: '/set' },
          securityProfile: { diskEncryptionSet: { id: '/other' }, securityEncryptionType: 'DiskWithVMGuestState' },
        },
      },
      {
        'osDisk.managedDisk': {
          storageAccountType: 'Premium_LRS',
          diskEncryptionSet: { id: '/set' },
          securityProfile: { diskEncryptionSet: { id: '/other' }, securityEncryptionType: 'DiskWithVMGuestState' },
        },
      },
    ],
    [
      'disks for data',
      {
        dataDisks: [
          {
            nameSuffix: 'a',
            diskSizeGB: 4,
            lun: 0,
            cachingType: 'None',
            deletionPolicy: 'Delete',
            managedDisk: { storageAccountType: 'UltraSSD_LRS', diskEncryptionSet: { id: '/set' } },
          },
        ],
      },
      {
        dataDisks: [
          {
            nameSuffix: 'a',
            diskSizeGB: 4,
            lun: 0,
            cachingType: 'None',
            managedDisk: { storageAccountType: 'UltraSSD_LRS', diskEncryptionSet: { id: '/set' } },
          },
        ],
      },
    ],
    [
      'an image of the marketplace with a plan',
      {
        image: { publisher: 'p', offer: 'o', sku: 's', version: '1', resourceID: '', type: 'MarketplaceWithPlan' },
      },
      { image: { marketplace: { publisher: 'p', offer: 'o', sku: 's', version: '1', thirdPartyImage: true } } },
    ],
    [
      'an image of the marketplace without one',
      { image: { publisher: 'p', offer: 'o', sku: 's', version: '1', resourceID: '', type: 'MarketplaceNoPlan' } },
      { image: { marketplace: { publisher: 'p', offer: 'o', sku: 's', version: '1', thirdPartyImage: false } } },
    ],
    [
      'a machine that nobody can look into',
      {
        securityProfile: {
          encryptionAtHost: false,
          settings: {
            securityType: 'ConfidentialVM',
            confidentialVM: {
              uefiSettings: { secureBoot: 'Disabled', virtualizedTrustedPlatformModule: 'Enabled' },
            },
          },
        },
      },
      {
        securityProfile: {
          encryptionAtHost: false,
          securityType: 'ConfidentialVM',
          uefiSettings: { secureBootEnabled: false, vTpmEnabled: true },
        },
      },
    ],
    [
      'a machine that starts from what is known',
      {
        securityProfile: {
          settings: {
            securityType: 'TrustedLaunch',
            trustedLaunch: { uefiSettings: { secureBoot: 'Enabled', virtualizedTrustedPlatformModule: 'Disabled' } },
          },
        },
      },
      {
        securityProfile: {
          securityType: 'TrustedLaunch',
          uefiSettings: { secureBootEnabled: true, vTpmEnabled: false },
        },
      },
    ],
    [
      'diagnostics that the cloud keeps',
      { diagnostics: { boot: { storageAccountType: 'AzureManaged' } } },
      { diagnostics: { boot: { storageAccountType: 'Managed' } } },
    ],
    [
      'diagnostics that the owner keeps',
      {
        diagnostics: {
          boot: { storageAccountType: 'CustomerManaged', customerManaged: { storageAccountURI: 'https://x' } },
        },
      },
      { diagnostics: { boot: { storageAccountType: 'UserManaged', userManaged: { storageAccountURI: 'https://x' } } } },
    ],
    ['fast disks', { ultraSSDCapability: 'Disabled' }, { additionalCapabilities: { ultraSSDEnabled: false } }],
    ['a reservation', { capacityReservationGroupID: '/group' }, { capacityReservationGroupID: '/group' }],
    [
      'an address of its own, and so no load balancer',
      { publicIP: true, publicLoadBalancer: undefined },
      { allocatePublicIP: true },
    ],
    [
      'a subnet with a gateway of its own, and so no load balancer',
      { subnet: 'ocean-7xk2p-gateway-subnet', publicLoadBalancer: undefined },
      {
        networkInterfaces: [
          { acceleratedNetworking: true, privateIPConfigs: 1, subnetName: 'ocean-7xk2p-gateway-subnet' },
        ],
      },
    ],
    [
      'slow networks',
      { acceleratedNetworking: undefined },
      {
        networkInterfaces: [
          { acceleratedNetworking: false, privateIPConfigs: 1, subnetName: 'ocean-7xk2p-worker-subnet' },
        ],
      },
    ],
  ])('%s', (_what, machineApi, clusterApi) => {
    const plain = {
      metadata: undefined,
      'osDisk.diskSettings': undefined,
      'osDisk.managedDisk.securityProfile': undefined,
    };
    const spec = changed(workerProviderSpec(), { ...plain, ...machineApi });
    expect(there(machineApi)).toEqual({
      errors: [],
      warnings: [],
      spec: changed(workerAzureMachine(), clusterApi),
    });
    expect(back(clusterApi)).toEqual({ errors: [], warnings: [], spec });
  });
});

describe('what is written out, as the other side has another default', () => {
  it.each<[string, Changes, JsonObject]>([
    ['a disk is not cached', { 'osDisk.cachingType': '' }, { osDisk: { cachingType: 'None' } }],
    [
      'disks for data are not cached either, and are Premium_LRS',
      { dataDisks: [{ nameSuffix: 'a', diskSizeGB: 4, deletionPolicy: 'Delete' }] },
      { dataDisks: [{ lun: 0, cachingType: 'None', managedDisk: { storageAccountType: 'Premium_LRS' } }] },
    ],
    [
      'what a trusted start does not say is off',
      { securityProfile: { settings: { securityType: 'TrustedLaunch' } } },
      { securityProfile: { uefiSettings: { secureBootEnabled: false, vTpmEnabled: false } } },
    ],
    [
      'an image of the marketplace has no plan',
      { image: { publisher: 'p', offer: 'o', sku: 's', version: '1' } },
      { image: { marketplace: { thirdPartyImage: false } } },
    ],
    ['the system is Linux', { 'osDisk.osType': '' }, { osDisk: { osType: 'Linux' } }],
  ])('there: %s', (_what, changes, spec) => {
    expect(there(changes)).toMatchObject({ errors: [], spec });
  });

  it.each<[string, Changes, JsonObject]>([
    [
      'diagnostics are kept by the cloud',
      { diagnostics: undefined },
      { diagnostics: { boot: { storageAccountType: 'AzureManaged' } } },
    ],
    [
      'disks for data are cached, save the fastest',
      {
        dataDisks: [
          { nameSuffix: 'a', diskSizeGB: 4, lun: 0, managedDisk: { storageAccountType: 'Premium_LRS' } },
          { nameSuffix: 'b', diskSizeGB: 4, lun: 1, managedDisk: { storageAccountType: 'UltraSSD_LRS' } },
        ],
      },
      { dataDisks: [{ cachingType: 'ReadWrite' }, { cachingType: 'None' }] },
    ],
    [
      'machines on disks that do not outlive them are deleted when they are taken back',
      { spotVMOptions: {}, 'osDisk.diffDiskSettings': { option: 'Local' } },
      { spotVMOptions: {} },
    ],
  ])('back: %s', (_what, changes, spec) => {
    expect(back(changes)).toMatchObject({ errors: [], spec });
  });
});

describe('malformed machines', () => {
  it('never throw, and lose nothing without a word', () => {
    checkMalformed(conversion, 'left', machineApiMachine(workerProviderSpec()), context);
    checkMalformed(conversion, 'right', clusterApiMachine(workerAzureMachine()), context);
  });
});
