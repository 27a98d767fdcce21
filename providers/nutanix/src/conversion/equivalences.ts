/** Where a value comes back in another form that means the same. */
import type { Equivalence } from '@capstan/convert/machine-api';

const EMPTY = 'the empty string means the same as absent';
const NUMBER = 'a quantity that is a number comes back as text';
const identifiers = ['cluster', 'image', 'project', 'dataDisks[].dataSource', 'dataDisks[].storageConfig'];
const sizes = ['memorySize', 'systemDiskSize', 'dataDisks[].diskSize'];
const disks: readonly (readonly [path: string, reason: string])[] = [
  ['dataDisks[].deviceProperties', 'a device is a disk, and the first one, when absent'],
  ['dataDisks[].storageConfig', 'the mode is Standard when absent'],
];

const machineApi: readonly (readonly [path: string, reason: string])[] = [
  ['credentialsSecret.name', 'Cluster API has credentials on the infrastructure cluster; the usual ones come back'],
  ...['bootType', 'failureDomain.name', 'userDataSecret.name', 'subnets[]', 'gpus[].name', ...identifiers].map(
    (path) => [path, EMPTY] as const,
  ),
  ...sizes.map((path) => [path, NUMBER] as const),
  ...disks,
];

const clusterApi: readonly (readonly [path: string, reason: string])[] = [
  ...['bootType', 'subnet[]', 'gpus[].name', ...identifiers].map((path) => [path, EMPTY] as const),
  ...sizes.map((path) => [path, NUMBER] as const),
  ...disks,
];

/** What the docs list, and tests hold the conversion to. */
export const equivalences: readonly Equivalence[] = [
  ...machineApi.map(([path, reason]) => ({ side: 'machine-api' as const, path, reason })),
  ...clusterApi.map(([path, reason]) => ({ side: 'cluster-api' as const, path, reason })),
];
