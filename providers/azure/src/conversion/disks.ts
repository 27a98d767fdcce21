/** The disk of the system, and those for data. */
import { enumeration, getAt, listOf, move, nested, same } from '@capstan/convert';
import type { Codec } from '@capstan/convert';
import { absentMeans, joint, oneOf, optionalText, refused, text, integerBetween } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { goQuote } from '@capstan/meta';

const ULTRA = 'UltraSSD_LRS';
const SYSTEM_DISK_GIB = { least: 1, most: 2048 };
const DATA_DISK_GIB = { least: 4, most: 32_767 };
const HIGHEST_LUN = 63;

const caching = enumeration([
  ['None', 'None'],
  ['ReadOnly', 'ReadOnly'],
  ['ReadWrite', 'ReadWrite'],
]);

const noType = { error: 'must be set: Machine API would take Premium_LRS' };

/** Machine API has a default of its own; Cluster API leaves it to the cloud. */
const accountType = absentMeans(text, { left: 'Premium_LRS', right: noType });

const dataAccountType = absentMeans(
  enumeration([
    ['Standard_LRS', 'Standard_LRS'],
    ['Premium_LRS', 'Premium_LRS'],
    [ULTRA, ULTRA],
  ]),
  { left: 'Premium_LRS', right: noType },
);

const encryptionSet: MachineRule = nested('diskEncryptionSet', 'diskEncryptionSet', [same('id', optionalText)]);

const linuxFirst = absentMeans(text, { left: 'Linux', right: 'Linux' });

const osType: Codec<MachineContext> = {
  ...linuxFirst,
  forward: (value, field) => {
    if (value === 'Windows')
      field.warn(
        'machines with Windows are set up otherwise: Machine API runs the user data as a script, Cluster API leaves it to cloudbase-init',
      );
    return linuxFirst.forward(value, field);
  },
};

const sizeNeeded = { error: 'must be set: Machine API has no disk as large as its image' };

/** Both sides of `osDisk`. */
export const systemDisk: MachineRule = nested('osDisk', 'osDisk', [
  same('osType', osType),
  same(
    'diskSizeGB',
    absentMeans(integerBetween(SYSTEM_DISK_GIB.least, SYSTEM_DISK_GIB.most), {
      left: { error: 'must be set' },
      right: sizeNeeded,
    }),
  ),
  // Azure would decide by the type of the disk, but AzureMachines have this default in their schema.
  same('cachingType', absentMeans(caching, { left: 'None', right: 'None' })),
  nested('diskSettings', 'diffDiskSettings', [
    move('ephemeralStorageLocation', 'option', oneOf('Local')),
    refused('right', 'placement', 'Machine API has no field for the placement of an ephemeral disk'),
  ]),
  nested('managedDisk', 'managedDisk', [
    same('storageAccountType', accountType),
    encryptionSet,
    nested('securityProfile', 'securityProfile', [
      same('securityEncryptionType', oneOf('VMGuestStateOnly', 'DiskWithVMGuestState')),
      encryptionSet,
    ]),
  ]),
]);

/** What the webhook of AzureMachines fills in: not what Machine API has when absent. */
function webhookCaching(disk: Readonly<Record<string, unknown>>): string {
  return getAt(disk, ['managedDisk', 'storageAccountType']) === ULTRA ? 'None' : 'ReadWrite';
}

const dataCaching: Codec<MachineContext> = {
  forward: (value, field) => caching.forward(value === undefined || value === '' ? 'None' : value, field),
  backward: (value, field) =>
    caching.backward(value === undefined || value === '' ? webhookCaching(field.record) : value, field),
  normal: {
    left: (value) => (value === undefined || value === '' ? 'None' : value),
    right: (value, field) => (value === undefined || value === '' ? webhookCaching(field.record) : value),
  },
};

/** Cluster API deletes the disks of a machine with it, so that Machine API must say the same. */
const nameAndDeletion = joint({
  left: { nameSuffix: 'nameSuffix', deletionPolicy: 'deletionPolicy' },
  right: { nameSuffix: 'nameSuffix' },
  forward: (read) => {
    const policy = read.text('deletionPolicy');
    if (policy === undefined) read.error('deletionPolicy', 'must be set');
    else if (policy !== 'Delete')
      read.error(
        'deletionPolicy',
        `is ${goQuote(policy)}, which cannot be kept: Cluster API deletes data disks with their machine`,
      );
    const nameSuffix = read.text('nameSuffix');
    if (nameSuffix === undefined) read.error('nameSuffix', 'must be set');
    return { nameSuffix };
  },
  backward: (read) => {
    const nameSuffix = read.text('nameSuffix');
    if (nameSuffix === undefined) read.error('nameSuffix', 'must be set');
    return { nameSuffix, deletionPolicy: 'Delete' };
  },
});

/** Both sides of `dataDisks`. */
export const dataDisks: MachineRule = listOf('dataDisks', 'dataDisks', [
  nameAndDeletion,
  same(
    'diskSizeGB',
    absentMeans(integerBetween(DATA_DISK_GIB.least, DATA_DISK_GIB.most), {
      left: { error: 'must be set' },
      right: { error: 'must be set' },
    }),
  ),
  same(
    'lun',
    absentMeans(integerBetween(0, HIGHEST_LUN), {
      left: 0,
      right: { error: 'must be set: write the number of the disk that its machines are to see' },
    }),
  ),
  same('cachingType', dataCaching),
  nested('managedDisk', 'managedDisk', [
    same('storageAccountType', dataAccountType),
    encryptionSet,
    refused('right', 'securityProfile', 'only the disk of the system has one in Machine API: remove it'),
  ]),
]);
