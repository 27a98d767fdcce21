/** Where a value comes back in another form that means the same. */
import type { Equivalence } from '@capstan/convert/machine-api';

const machineApi: readonly (readonly [path: string, reason: string])[] = [
  ['tags[]', 'tags have no order; they come back by name'],
  ['tags[].value', 'a tag without a value has the empty one'],
  ['placement.host.dedicatedHost.dynamicHostAllocation.tags[]', 'tags have no order; they come back by name'],
  ['placement.host.affinity', 'AnyAvailable without a host of its own is what a machine without it has'],
  ['placement.host.dedicatedHost.allocationStrategy', 'it is UserProvided when absent'],
  ['placement.host.dedicatedHost.id', 'an empty id is none'],
  ['placement.tenancy', 'the empty text is no tenancy'],
  ['blockDevices[]', 'the root device comes first; the others keep their order'],
  ['blockDevices[].deviceName', 'the root device is the one whose name is empty or absent'],
  ['blockDevices[].ebs.iops', 'zero is unset'],
  ['blockDevices[].ebs.kmsKey', 'a key that begins with arn: is an ARN, also when it is given as id'],
  ['metadataServiceOptions.authentication', 'it is Optional when absent'],
  ['iamInstanceProfile.id', 'the empty text is no profile'],
  ['userDataSecret.name', 'the empty text is no secret'],
  ['placement.availabilityZone', 'the empty text is no zone'],
  ['keyName', 'the empty text is no key'],
  ['networkInterfaceType', 'the empty text is the default of the cloud'],
  ['cpuOptions.confidentialCompute', 'the empty text is the default of the cloud'],
  ['marketType', 'the empty text is the default of the cloud'],
  ['capacityReservationId', 'the empty text is no reservation'],
  ['placementGroupName', 'the empty text is no group'],
  ['placementGroupPartition', 'zero is no partition'],
];

const clusterApi: readonly (readonly [path: string, reason: string])[] = [
  ['hostAffinity', 'it is "default" when absent'],
  ['hostID', 'an empty id is none'],
  ['sshKeyName', 'a machine without a key has that of its cluster, and the empty text is none'],
  ['instanceMetadataOptions.httpTokens', 'it is "optional" when absent'],
  ['iamInstanceProfile', 'the empty text is no profile'],
  ['rootVolume', 'zeros and empty texts of a volume say nothing'],
  ['nonRootVolumes[]', 'zeros and empty texts of a volume say nothing'],
  ['networkInterfaceType', 'the empty text is the default of the cloud'],
  ['cpuOptions.confidentialCompute', 'the empty text is the default of the cloud'],
  ['marketType', 'the empty text is the default of the cloud'],
  ['tenancy', 'the empty text is no tenancy'],
  ['capacityReservationId', 'the empty text is no reservation'],
  ['placementGroupName', 'the empty text is no group'],
  ['placementGroupPartition', 'zero is no partition'],
];

/** What the docs list, and tests hold the conversion to. */
export const equivalences: readonly Equivalence[] = [
  ...machineApi.map(([path, reason]) => ({ side: 'machine-api' as const, path, reason })),
  ...clusterApi.map(([path, reason]) => ({ side: 'cluster-api' as const, path, reason })),
];
