/** Where a value comes back in another form that means the same. */
import type { Equivalence } from '@capstan/convert/machine-api';

type Reasons = readonly (readonly [path: string, reason: string])[];

const machineApi: Reasons = [
  ['credentialsSecret', 'what it is when absent is written out'],
  ['userDataSecret.name', 'the empty text is no secret'],
  ['image.type', 'the default is written out; an image by its id needs no type'],
  ['osDisk.osType', 'it is Linux when absent'],
  ['osDisk.cachingType', 'it is None when absent'],
  ['osDisk.diskSettings.ephemeralStorageLocation', 'the empty text is the default of the cloud'],
  ['osDisk.managedDisk.storageAccountType', 'it is Premium_LRS when absent'],
  ['osDisk.managedDisk.diskEncryptionSet.id', 'the empty text is no set'],
  ['osDisk.managedDisk.securityProfile.diskEncryptionSet.id', 'the empty text is no set'],
  ['osDisk.managedDisk.securityProfile.securityEncryptionType', 'the empty text is no encryption'],
  ['dataDisks[].lun', 'it is 0 when absent'],
  ['dataDisks[].cachingType', 'it is None when absent'],
  ['dataDisks[].managedDisk.storageAccountType', 'it is Premium_LRS when absent'],
  ['dataDisks[].managedDisk.diskEncryptionSet.id', 'the empty text is no set'],
  ['sshPublicKey', 'the empty text is no key'],
  ['publicIP', 'there is none when absent'],
  ['publicLoadBalancer', 'the empty text is no load balancer'],
  ['internalLoadBalancer', 'the empty text is no load balancer'],
  ['acceleratedNetworking', 'it is off when absent'],
  ['managedIdentity', "an identity in the cluster's resource group is known by its name; the empty text is none"],
  ['zone', 'the empty text is no zone'],
  ['capacityReservationGroupID', 'the empty text is no group'],
  ['ultraSSDCapability', 'the empty text leaves it to the disks'],
  ['securityProfile.settings', 'absent means off, and is written out with a type'],
  ['diagnostics.boot', 'the empty text is no diagnostics'],
];

const clusterApi: Reasons = [
  ['image.id', 'subscriptions are the same in any case'],
  ['image.marketplace.thirdPartyImage', 'it is false when absent'],
  ['osDisk.osType', 'it is Linux when absent'],
  ['osDisk.cachingType', 'it is None when absent'],
  ['osDisk.diffDiskSettings.option', 'the empty text is the default of the cloud'],
  ['osDisk.managedDisk.diskEncryptionSet.id', 'the empty text is no set'],
  ['osDisk.managedDisk.securityProfile.diskEncryptionSet.id', 'the empty text is no set'],
  ['osDisk.managedDisk.securityProfile.securityEncryptionType', 'the empty text is no encryption'],
  ['dataDisks[].cachingType', 'what the webhook of AzureMachines fills in is written out'],
  ['dataDisks[].managedDisk.diskEncryptionSet.id', 'the empty text is no set'],
  ['sshPublicKey', 'the empty text is no key'],
  ['allocatePublicIP', 'there is none when absent'],
  ['identity', 'it is None when absent'],
  ['userAssignedIdentities[].providerID', "identities in the cluster's resource group are the same in any case"],
  ['capacityReservationGroupID', 'the empty text is no group'],
  ['securityProfile.securityType', 'the empty text is no type'],
  ['securityProfile.uefiSettings', 'absent means off, and is written out with a type'],
  ['diagnostics.boot', 'what the webhook of AzureMachines fills in is written out'],
  ['spotVMOptions.evictionPolicy', 'what the webhook of AzureMachines fills in is written out'],
  ['disableExtensionOperations', 'as there are no extensions they are always off'],
  ['disableVMBootstrapExtension', 'extensions are off anyway'],
];

/** What the docs list, and tests hold the conversion to. */
export const equivalences: readonly Equivalence[] = [
  ...machineApi.map(([path, reason]) => ({ side: 'machine-api' as const, path, reason })),
  ...clusterApi.map(([path, reason]) => ({ side: 'cluster-api' as const, path, reason })),
];
