/** Where a value comes back in another form that means the same. */
import type { Equivalence } from '@capstan/convert/machine-api';

type Told = readonly (readonly [path: string, reason: string])[];

const machineApi: Told = [
  ['credentialsSecret', 'what it is where nothing is said is written out'],
  ['userDataSecret.name', 'the empty text is no secret'],
  ['canIPForward', 'it is false where nothing is said'],
  ['disks[]', 'the boot disk comes first; the others keep their order'],
  ['disks[].sizeGb', 'a boot disk of no size is as large as its image'],
  ['disks[].image', "a bare name is an image of the machine's project, which is written out"],
  ['disks[].encryptionKey.kmsKey.projectID', "it is the machine's where nothing is said"],
  ['disks[].encryptionKey.kmsKeyServiceAccount', 'the empty text is the default account'],
  ['networkInterfaces[]', 'what the cluster says of its network is written out'],
  ['networkInterfaces[].publicIP', 'there is none where nothing is said'],
  ['networkInterfaces[].subnetwork', 'the empty text is no subnet'],
  ['zone', 'the empty text is no zone'],
  ['preemptible', 'it is false where nothing is said'],
  ['provisioningModel', 'the empty text is the default of the cloud'],
  ['restartPolicy', 'what the cloud does anyway need not be said'],
  ['onHostMaintenance', 'the empty text is the default of the cloud'],
  ['confidentialCompute', 'the empty text is the default of the cloud'],
  ['shieldedInstanceConfig.secureBoot', 'the empty text is the default of the cloud'],
  ['shieldedInstanceConfig.virtualizedTrustedPlatformModule', 'the empty text is the default of the cloud'],
  ['shieldedInstanceConfig.integrityMonitoring', 'the empty text is the default of the cloud'],
];

const clusterApi: Told = [
  ['ipForwarding', 'it is Enabled where nothing is said'],
  ['image', 'a family of images is written as an image, as the controller reads both alike'],
  ['imageFamily', 'a family of images is written as an image, as the controller reads both alike'],
  ['rootDeviceSize', 'zero is as large as the image'],
  ['rootDeviceType', 'what the controller takes where nothing is said is written out'],
  ['rootDiskEncryptionKey.kmsKeyServiceAccount', 'the empty text is the default account'],
  ['additionalDisks[].deviceType', 'what the controller takes where nothing is said is written out'],
  ['additionalDisks[].size', 'what the controller takes where nothing is said is written out'],
  ['additionalDisks[].encryptionKey.kmsKeyServiceAccount', 'the empty text is the default account'],
  ['guestAccelerators[].type', 'only the zone and the name of a type count'],
  ['publicIP', 'there is none where nothing is said'],
  ['subnet', 'the empty text is no subnet'],
  ['serviceAccounts', 'what the controller takes where nothing is said is written out'],
  ['preemptible', 'it is false where nothing is said'],
  ['provisioningModel', 'Standard is what is meant where nothing is said'],
  ['onHostMaintenance', 'the empty text is the default of the cloud'],
  ['confidentialCompute', 'the empty text is the default of the cloud'],
  ['shieldedInstanceConfig.secureBoot', 'the empty text is the default of the cloud'],
  ['shieldedInstanceConfig.virtualizedTrustedPlatformModule', 'the empty text is the default of the cloud'],
  ['shieldedInstanceConfig.integrityMonitoring', 'the empty text is the default of the cloud'],
];

/** What the docs list, and tests hold the conversion to. */
export const equivalences: readonly Equivalence[] = [
  ...machineApi.map(([path, reason]) => ({ side: 'machine-api' as const, path, reason })),
  ...clusterApi.map(([path, reason]) => ({ side: 'cluster-api' as const, path, reason })),
];
