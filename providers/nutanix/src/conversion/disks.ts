/** Disks other than that of the system. */
import { listOf, optionalNested, same, together } from '@capstan/convert';
import type { Codec, Field } from '@capstan/convert';
import { oneOf } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { optionalIdentifier, shown, uuidIdentifier } from './identifiers.js';
import { index, quantity } from './quantities.js';

/** One of a few texts, of which the first is meant when absent; it is then written on both sides. */
function filled(...values: readonly [string, ...string[]]): Codec<MachineContext> {
  const { forward, backward } = oneOf(...values);
  const fill = (value: unknown): unknown => (value === undefined || value === '' ? values[0] : value);
  return {
    forward: (value, field) => forward(fill(value), field),
    backward: (value, field) => backward(fill(value), field),
    normal: { left: fill, right: fill },
    keepsShape: true,
  };
}

const adapters: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['Disk', ['SCSI', 'IDE', 'PCI', 'SATA', 'SPAPR']],
  ['CDRom', ['IDE', 'SATA']],
]);

const fillDevice = ([device, adapter]: readonly unknown[]): readonly unknown[] => [
  device === undefined || device === '' ? 'Disk' : device,
  adapter,
];

function checkedDevice(values: readonly unknown[], fields: readonly Field<MachineContext>[]): readonly unknown[] {
  const [device, adapter] = fillDevice(values);
  const known = adapters.get(device);
  const one = (value: unknown, supported: readonly string[]): string =>
    `Unsupported value: ${shown(value ?? '')}: supported values: ${supported.map(shown).join(', ')}`;
  if (known === undefined) fields[0]?.error(one(device, ['Disk', 'CDRom']));
  else if (typeof adapter !== 'string' || !known.includes(adapter)) fields[1]?.error(one(adapter, known));
  return [device, adapter];
}

const device: MachineRule = together<MachineContext>({
  left: ['deviceType', 'adapterType'],
  right: ['deviceType', 'adapterType'],
  forward: checkedDevice,
  backward: checkedDevice,
  normal: { left: fillDevice, right: fillDevice },
});

/** The rules of disks. */
export const disks: MachineRule = listOf<MachineContext>('dataDisks', 'dataDisks', [
  same('diskSize', quantity),
  optionalNested('deviceProperties', 'deviceProperties', [device, same('deviceIndex', index)]),
  optionalNested('storageConfig', 'storageConfig', [
    same('diskMode', filled('Standard', 'Flash')),
    optionalIdentifier('storageContainer', 'storageContainer', uuidIdentifier),
  ]),
  optionalIdentifier('dataSource', 'dataSource'),
]);
