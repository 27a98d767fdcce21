/** Where a value comes back in another form that means the same. */
import type { Equivalence } from '@capstan/convert/machine-api';

type Told = readonly (readonly [path: string, reason: string])[];

const machineApi: Told = [
  ['credentialsSecret', 'what it is where nothing is said is written out'],
  ['userDataSecret.name', 'the empty text is no secret'],
  ['image.type', 'what it means that nothing is said is written out; an image by its id needs no type'],
  ['osDisk.osType', 'it is Linux where nothing is said'],
  ['osDisk.cachingType', 'it is None where nothing is said'],
  ['osDisk.diskSettings.ephemeralStorageLocation', 'the empty text is the default of the cloud'],
  ['osDisk.managedDisk.storageAccountType', 'it is Premium_LRS where nothing is said'],
  ['osDisk.managedDisk.diskEncryptionSet.id', 'the empty text is no set'],
  ['osDisk.managedDisk.securityProfile.diskEncryptionSet.id', 'the empty text is no set'],
  ['osDisk.managedDisk.securityProfile.securityEncryptionType', 'the empty text is no encryption'],
  ['dataDisks[].lun', 'it is 0 where nothing is said'],
  ['dataDisks[].cachingType', 'it is None where nothing is said'],
  ['dataDisks[].managedDisk.storageAccountType', 'it is Premium_LRS where nothing is said'],
  ['dataDisks[].managedDisk.diskEncryptionSet.id', 'the empty text is no set'],
  ['sshPublicKey', 'the empty text is no key'],
  ['publicIP', 'there is none where nothing is said'],
  ['publicLoadBalancer', 'the empty text is no load balancer'],
  ['internalLoadBalancer', 'the empty text is no load balancer'],
  ['acceleratedNetworking', 'it is off where nothing is said'],
  ['managedIdentity', "an identity in the cluster's resource group is known by its name; the empty text is none"],
  ['zone', 'the empty text is no zone'],
  ['capacityReservationGroupID', 'the empty text is no group'],
  ['ultraSSDCapability', 'the empty text leaves it to the disks'],
  ['securityProfile.settings', 'what is not said is off, and is written out below a type'],
  ['diagnostics.boot', 'the empty text is no diagnostics'],
];

const clusterApi: Told = [
  ['image.id', 'subscriptions are the same in any case'],
  ['image.marketplace.thirdPartyImage', 'it is false where nothing is said'],
  ['osDisk.osType', 'it is Linux where nothing is said'],
  ['osDisk.cachingType', 'it is None where nothing is said'],
  ['osDisk.diffDiskSettings.option', 'the empty text is the default of the cloud'],
  ['osDisk.managedDisk.diskEncryptionSet.id', 'the empty text is no set'],
  ['osDisk.managedDisk.securityProfile.diskEncryptionSet.id', 'the empty text is no set'],
  ['osDisk.managedDisk.securityProfile.securityEncryptionType', 'the empty text is no encryption'],
  ['dataDisks[].cachingType', 'what the webhook of AzureMachines fills in is written out'],
  ['dataDisks[].managedDisk.diskEncryptionSet.id', 'the empty text is no set'],
  ['sshPublicKey', 'the empty text is no key'],
  ['allocatePublicIP', 'there is none where nothing is said'],
  ['identity', 'it is None where nothing is said'],
  ['userAssignedIdentities[].providerID', "identities in the cluster's resource group are the same in any case"],
  ['capacityReservationGroupID', 'the empty text is no group'],
  ['securityProfile.securityType', 'the empty text is no type'],
  ['securityProfile.uefiSettings', 'what is not said is off, and is written out beside a type'],
  ['diagnostics.boot', 'what the webhook of AzureMachines fills in is written out'],
  ['spotVMOptions.evictionPolicy', 'what the webhook of AzureMachines fills in is written out'],
  ['disableExtensionOperations', 'as there are no extensions they are always off'],
  ['disableVMBootstrapExtension', 'as extensions are off it says nothing more'],
];

/** What the docs list, and tests hold the conversion to. */
export const equivalences: readonly Equivalence[] = [
  ...machineApi.map(([path, reason]) => ({ side: 'machine-api' as const, path, reason })),
  ...clusterApi.map(([path, reason]) => ({ side: 'cluster-api' as const, path, reason })),
];
