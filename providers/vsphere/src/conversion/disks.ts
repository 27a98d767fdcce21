/** Disks other than that of the template. */
import { Field, listOf, same } from '@capstan/convert';
import type { Codec } from '@capstan/convert';
import { oneOf, refused, requiredText } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { goQuote, stringifyJson } from '@capstan/meta';

const LARGEST_GIB = 16_384;

function checkedSize(value: unknown, field: Field<MachineContext>): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > LARGEST_GIB)
    field.error(`must be a whole number from 1 to ${LARGEST_GIB}, and is ${stringifyJson(value ?? null)}`);
  return value;
}

const size: Codec<MachineContext> = { forward: checkedSize, backward: checkedSize, keepsShape: true };

/** Disks are known by their names: a server takes no list with one of them twice. */
const distinctNames: MachineRule = {
  claims: { left: [], right: [] },
  convert: (scope) => {
    const disks = scope.source['dataDisks'];
    if (!Array.isArray(disks) || scope.run.from === scope.run.to) return;
    const seen = new Set<unknown>();
    const before = { before: scope.at, kind: 'field', name: 'dataDisks' } as const;
    disks.forEach((disk: unknown, index) => {
      const name = typeof disk === 'object' && disk !== null ? (disk as Record<string, unknown>)['name'] : undefined;
      if (typeof name === 'string' && seen.has(name))
        new Field({ ...scope, at: { before, kind: 'index', name: String(index) } }, ['name'], []).error(
          `Duplicate value: ${goQuote(name)}`,
        );
      seen.add(name);
    });
  },
};

/** The rules of disks. */
export const disks: readonly MachineRule[] = [
  listOf('dataDisks', 'dataDisks', [
    same('name', requiredText('must be the name of the disk, by which it is known')),
    same('sizeGiB', size),
    same('provisioningMode', oneOf('Thin', 'Thick', 'EagerlyZeroed')),
  ]),
  distinctNames,
  refused(
    'right',
    'additionalDisksGiB',
    'sizes disks that the template has, which Machine API cannot: remove it, or keep the machine in Cluster API',
  ),
];
