/** A NutanixMachineProviderConfig and the spec of a NutanixMachine. */
import { compose, enumeration, move, same } from '@capstan/convert';
import type { Codec } from '@capstan/convert';
import { credentials, optionalText, refused } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { disks } from './disks.js';
import { optionalIdentifier, requiredIdentifier } from './identifiers.js';
import { categories, gpus, subnets } from './lists.js';
import { count, quantity } from './quantities.js';

const SECURE = 'SecureBoot';

const knownBootTypes: Codec<MachineContext> = compose(
  optionalText,
  enumeration([
    ['Legacy', 'legacy'],
    ['UEFI', 'uefi'],
  ]),
);

/** Cluster API has no secure boot: a machine that must have it may not come up without. */
const bootType: Codec<MachineContext> = {
  ...knownBootTypes,
  forward: (value, field) => {
    if (value !== SECURE) return knownBootTypes.forward(value, field);
    field.error('is SecureBoot, which Cluster API cannot: use UEFI, or keep the machine in Machine API');
    return undefined;
  },
  backward: (value, field) => knownBootTypes.backward(value === '' ? undefined : value, field),
  normal: {
    left: (value) => (value === '' ? undefined : value),
    right: (value) => (value === '' ? undefined : value),
  },
};

/** The rules of the infrastructure machine. */
export const infrastructure: readonly MachineRule[] = [
  refused('left', 'metadata', 'has no place in Cluster API: set labels and annotations on the machine itself'),
  credentials('nutanix-credentials'),
  requiredIdentifier('cluster', 'cluster'),
  requiredIdentifier('image', 'image'),
  refused(
    'right',
    'imageLookup',
    'finds an image by the version of Kubernetes, which Machine API cannot: name the image itself',
  ),
  ...subnets,
  same('vcpusPerSocket', count),
  same('vcpuSockets', count),
  same('memorySize', quantity),
  same('systemDiskSize', quantity),
  same('bootType', bootType),
  optionalIdentifier('project', 'project'),
  ...categories,
  gpus,
  disks,
];

/** The rule of the place where a machine is. */
export const failureDomain: MachineRule = move('failureDomain.name', 'failureDomain', optionalText);
