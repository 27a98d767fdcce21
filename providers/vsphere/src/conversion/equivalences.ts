/** Where a value comes back in another form that means the same. */
import type { Equivalence } from '@capstan/convert/machine-api';

const EMPTY = 'the empty string means the same as absent';
const ZERO = 'zero means the same as absent: the template decides';

const sizes = ['numCPUs', 'numCoresPerSocket', 'memoryMiB', 'diskGiB'];

const machineApi: readonly (readonly [path: string, reason: string])[] = [
  ['credentialsSecret.name', 'Cluster API has credentials on the infrastructure cluster; the usual ones come back'],
  ['cloneMode', 'it is fullClone when absent, and linkedClone in Cluster API, where it is written'],
  ['workspace.datacenter', '* is the one there is, as when absent'],
  ...['snapshot', 'userDataSecret.name', 'workspace.server', 'workspace.folder', 'workspace.datastore'].map(
    (path) => [path, EMPTY] as const,
  ),
  ...['workspace.resourcePool', 'network.devices[].networkName', 'network.devices[].gateway'].map(
    (path) => [path, EMPTY] as const,
  ),
  ['dataDisks[].provisioningMode', EMPTY],
  ...sizes.map((path) => [path, ZERO] as const),
];

const clusterApi: readonly (readonly [path: string, reason: string])[] = [
  ['cloneMode', 'it is linkedClone when absent, and fullClone in Machine API, where it is written'],
  ['datacenter', 'it is * when absent: so does the webhook of vSphere machines fill it in'],
  ['os', 'it is Linux when absent'],
  ['network.devices[].networkName', 'Cluster API has it also when it is empty'],
  ...['snapshot', 'server', 'folder', 'datastore', 'resourcePool', 'dataDisks[].provisioningMode'].map(
    (path) => [path, EMPTY] as const,
  ),
  ...['network.devices[].gateway4', 'network.devices[].gateway6'].map((path) => [path, EMPTY] as const),
  ...sizes.map((path) => [path, ZERO] as const),
];

/** What the docs list, and tests hold the conversion to. */
export const equivalences: readonly Equivalence[] = [
  ...machineApi.map(([path, reason]) => ({ side: 'machine-api' as const, path, reason })),
  ...clusterApi.map(([path, reason]) => ({ side: 'cluster-api' as const, path, reason })),
];
