/** Where a value comes back in another form that means the same. */
import type { Equivalence } from '@capstan/convert/machine-api';

type Reasons = readonly (readonly [path: string, reason: string])[];

const machineApi: Reasons = [
  ['credentialsSecret', 'what it is when absent is written out'],
  ['userDataSecret.name', 'the empty text is no secret'],
  ['canIPForward', 'it is false when absent'],
  ['disks[]', 'the boot disk comes first; the others keep their order'],
  ['disks[].sizeGb', 'a boot disk of no size is as large as its image'],
  ['disks[].image', "a bare name is an image of the machine's project, which is written out"],
  ['disks[].encryptionKey.kmsKey.projectID', "it is the machine's when absent"],
  ['disks[].encryptionKey.kmsKeyServiceAccount', 'the empty text is the default account'],
  ['networkInterfaces[]', 'the network of the cluster is written out'],
  ['networkInterfaces[].publicIP', 'there is none when absent'],
  ['networkInterfaces[].subnetwork', 'the empty text is no subnet'],
  ['zone', 'the empty text is no zone'],
  ['preemptible', 'it is false when absent'],
  ['provisioningModel', 'the empty text is the default of the cloud'],
  ['restartPolicy', 'the default of the cloud is not written'],
  ['onHostMaintenance', 'the empty text is the default of the cloud'],
  ['confidentialCompute', 'the empty text is the default of the cloud'],
  ['shieldedInstanceConfig.secureBoot', 'the empty text is the default of the cloud'],
  ['shieldedInstanceConfig.virtualizedTrustedPlatformModule', 'the empty text is the default of the cloud'],
  ['shieldedInstanceConfig.integrityMonitoring', 'the empty text is the default of the cloud'],
];

const clusterApi: Reasons = [
  ['ipForwarding', 'it is Enabled when absent'],
  ['image', 'a family of images is written as an image, as the controller reads both alike'],
  ['imageFamily', 'a family of images is written as an image, as the controller reads both alike'],
  ['rootDeviceSize', 'zero is as large as the image'],
  ['rootDeviceType', 'the default of the controller is written out'],
  ['rootDiskEncryptionKey.kmsKeyServiceAccount', 'the empty text is the default account'],
  ['additionalDisks[].deviceType', 'the default of the controller is written out'],
  ['additionalDisks[].size', 'the default of the controller is written out'],
  ['additionalDisks[].encryptionKey.kmsKeyServiceAccount', 'the empty text is the default account'],
  ['guestAccelerators[].type', 'only the zone and the name of a type count'],
  ['publicIP', 'there is none when absent'],
  ['subnet', 'the empty text is no subnet'],
  ['serviceAccounts', 'the default of the controller is written out'],
  ['preemptible', 'it is false when absent'],
  ['provisioningModel', 'absent means Standard'],
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
