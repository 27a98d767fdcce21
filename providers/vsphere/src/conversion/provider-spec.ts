/** A VSphereMachineProviderSpec and the spec of a VSphereMachine. */
import { constant, nested, same } from '@capstan/convert';
import type { Codec } from '@capstan/convert';
import {
  credentials,
  numberBetween,
  oneOf,
  optionalText,
  refused,
  requiredText,
  textList,
} from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { stringifyJson } from '@capstan/meta';
import { disks } from './disks.js';
import { network } from './network.js';

const INT32 = 2 ** 31;
const int32: Codec<MachineContext> = { ...numberBetween(-INT32, INT32 - 1), keepsShape: true };
const int64: Codec<MachineContext> = {
  ...numberBetween(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  keepsShape: true,
};

/** Machine API leaves zero to the template; Cluster API has a default of its own, which is the least as well. */
function sizeWithDefault(codec: Codec<MachineContext>, standard: number, unit: string): Codec<MachineContext> {
  const { keepsAbsence: _absence, ...rest } = codec;
  return {
    ...rest,
    forward: (value, field) => {
      const size = codec.forward(value, field);
      const is = value === undefined || value === 0 ? 'is not set' : `is ${stringifyJson(value)}`;
      if (value === undefined || value === 0 || value === 1)
        field.warn(`${is}: Cluster API makes it ${standard} ${unit}, and takes nothing from the template: set it`);
      return size;
    },
  };
}

const cloneModes = oneOf('fullClone', 'linkedClone');

/** The defaults of the APIs are opposites. */
const cloneMode: Codec<MachineContext> = {
  forward: (value, field) => cloneModes.forward(value === undefined || value === '' ? 'fullClone' : value, field),
  backward: (value, field) => cloneModes.backward(value === undefined || value === '' ? 'linkedClone' : value, field),
  normal: {
    left: (value) => (value === undefined || value === '' ? 'fullClone' : value),
    right: (value) => (value === undefined || value === '' ? 'linkedClone' : value),
  },
  keepsShape: true,
};

/** The datacenter there is when there is but one. The webhook of vSphere machines writes it when absent. */
const ANY = '*';

const datacenter: Codec<MachineContext> = {
  forward: (value, field) => optionalText.forward(value, field) ?? ANY,
  backward: (value, field) => optionalText.backward(value === ANY ? undefined : value, field),
  normal: {
    left: (value) => (value === ANY || value === '' ? undefined : value),
    right: (value) => (value === undefined || value === '' ? ANY : value),
  },
  keepsShape: true,
};

const ONLY_OS = 'Linux';

/** Linux is what a machine has when absent. */
const operatingSystem: MachineRule = (() => {
  const { claims, convert } = refused(
    'right',
    'os',
    'is another one than Linux, which is all that Machine API makes: keep the machine in Cluster API',
  );
  return { claims, convert: (scope) => scope.source['os'] !== ONLY_OS && convert(scope) };
})();

const noPlace = 'has no place in Machine API: remove it, or keep the machine in Cluster API';

/** The rules of the infrastructure machine. */
export const infrastructure: readonly MachineRule[] = [
  refused('left', 'metadata', 'has no place in Cluster API: set labels and annotations on the machine itself'),
  credentials('vsphere-cloud-credentials'),
  same('template', requiredText('must name the template that machines are cloned from')),
  same('snapshot', optionalText),
  same('cloneMode', cloneMode),
  nested('workspace', '', [
    same('server', optionalText),
    same('datacenter', datacenter),
    same('folder', optionalText),
    same('datastore', optionalText),
    same('resourcePool', optionalText),
    refused('left', 'vmGroup', 'has no place in Cluster API: machines are put into no group of VMs there'),
  ]),
  network,
  same('numCPUs', sizeWithDefault(int32, 2, 'CPUs')),
  ...['numCoresPerSocket', 'diskGiB'].map((name) => same<MachineContext>(name, int32)),
  same('memoryMiB', sizeWithDefault(int64, 2048, 'MiB')),
  same('tagIDs', textList()),
  ...disks,
  constant<MachineContext>('right', 'powerOffMode', 'hard'),
  operatingSystem,
  refused(
    'right',
    'failureDomain',
    'is not read by the programs of vSphere: say it on the Machine that the infrastructure belongs to',
  ),
  ...[
    'cryptoKeyID',
    'cryptoProfile',
    'customVMXKeys',
    'ftEncryptionMode',
    'guestSoftPowerOffTimeout',
    'hardwareVersion',
    'migrateEncryption',
    'namingStrategy',
    'nestedHV',
    'pciDevices',
    'resources',
    'storagePolicyName',
    'thumbprint',
  ].map((name) => refused('right', name, noPlace)),
];
