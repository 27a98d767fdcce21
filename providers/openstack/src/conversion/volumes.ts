/** Disks of servers. Left is Machine API. */
import {
  addError,
  enumeration,
  getAt,
  isRecord,
  listOf,
  nested,
  optionalNested,
  rename,
  same,
  together,
  unsupported,
} from '@capstan/convert';
import type { Codec, Scope } from '@capstan/convert';
import { machineParts, oncePer, textOf, textProblem, wholeNumber } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { ignored, nonEmptyText } from './values.js';

const noSpaces = { form: { pattern: /^[^ ]+$/, mustBe: 'must be without blanks' } };

/** In Machine API a volume is made in the zone of its server unless it names one; in Cluster API either is written. */
const zoneForward: Codec<MachineContext>['forward'] = (value, field) => {
  if (value === undefined || value === '') return { from: 'Machine' };
  const problem = textProblem(value, noSpaces);
  if (problem !== undefined) field.error(problem);
  return { from: 'Name', name: value };
};

/** What is wrong with a zone of Cluster API; `undefined` when nothing is. */
function zoneProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'must be an object';
  const { from = 'Name', name } = value;
  if (from === 'Name') return nonEmptyText(name) === undefined ? 'must have a name where it is from: Name' : undefined;
  if (from !== 'Machine') return 'must be from: Name or from: Machine';
  return name === undefined ? undefined : 'must have no name where it is from: Machine';
}

const zoneBackward: Codec<MachineContext>['backward'] = (value, field) => {
  if (value === undefined) {
    if (nonEmptyText(machineParts(field.root).machine['failureDomain']) !== undefined)
      field.error(
        'is needed: in Machine API a volume without a zone is created in that of its server; set from: Machine',
      );
    return undefined;
  }
  const problem = zoneProblem(value);
  if (problem !== undefined) field.error(problem);
  return nonEmptyText(getAt(value, ['name']));
};

const zone: Codec<MachineContext> = {
  forward: zoneForward,
  backward: zoneBackward,
  normal: {
    left: nonEmptyText,
    right: (value) => {
      if (value === undefined) return { from: 'Machine' };
      return isRecord(value) ? { from: 'Name', ...value } : value;
    },
  },
};

const size = wholeNumber({ min: 1, needed: 'is needed: a size in GiB' });

function hasRootVolume(spec: JsonObject): boolean {
  const volume = spec['rootVolume'];
  return isRecord(volume) && Object.keys(volume).length > 0;
}

/** With a root volume Machine API reads the image where the volume names its source. */
const image = together<MachineContext>({
  left: ['image', 'rootVolume.sourceUUID'],
  right: ['image.filter.name'],
  forward: (values, [field, source]) => {
    const [name, volumeName] = values.map(nonEmptyText);
    const isVolume = field !== undefined && hasRootVolume(field.record);
    values.forEach((value, at) => {
      if (value !== undefined && typeof value !== 'string') [field, source][at]?.error('must be a string');
    });
    if (isVolume && name !== undefined && volumeName !== undefined && name !== volumeName)
      source?.error('is not the image: say one of them, which the machine has');
    if (name === undefined && volumeName === undefined) field?.error('is needed: the name of an image');
    return [volumeName ?? name];
  },
  backward: ([name], [field]) => {
    if (field === undefined) return [];
    if (name !== undefined && typeof name !== 'string') field.error('must be a string');
    const other = ['id', 'imageRef'].some((each) => getAt(field.record, ['image', each]) !== undefined);
    if (nonEmptyText(name) === undefined && !other) field.error('is needed: Machine API finds images by their names');
    return hasRootVolume(field.record) ? [undefined, nonEmptyText(name)] : [nonEmptyText(name)];
  },
  normal: {
    left: (values, [field]) => {
      const [name, volumeName] = values.map(nonEmptyText);
      const value = volumeName ?? name;
      return field !== undefined && hasRootVolume(field.record) ? [undefined, value] : [value];
    },
  },
});

const byName = 'is not known in Machine API, which finds images by their names: use filter.name';

/** The image, and the volume that is made of it. */
export const rootDisk: readonly MachineRule[] = [
  image,
  unsupported('right', 'image.id', byName),
  unsupported('right', 'image.imageRef', byName),
  unsupported('right', 'image.filter.tags', byName),
  optionalNested<MachineContext>('rootVolume', 'rootVolume', [
    rename('diskSize', 'sizeGiB', size),
    rename('volumeType', 'type', textOf()),
    same('availabilityZone', zone),
    ...ignored('sourceType', 'deviceType'),
  ]),
];

/** A device is a volume, or on the disk of the host: only volumes have options. */
const volumeOptions = ((): MachineRule => {
  const inner = nested<MachineContext>('volume', 'volume', [same('type', textOf()), same('availabilityZone', zone)]);
  const convert = (scope: Scope<MachineContext>): void => {
    if (scope.source['type'] === 'Volume') inner.convert(scope);
    else if (scope.run.from !== scope.run.to && (scope.source['volume'] ?? undefined) !== undefined)
      addError(scope, ['volume'], 'belongs to devices of type Volume: leave it out');
  };
  return { claims: inner.claims, convert };
})();

const deviceType = enumeration([
  ['Volume', 'Volume'],
  ['Local', 'Local'],
]);

/** Further disks. */
export const blockDevices: readonly MachineRule[] = [
  oncePer('additionalBlockDevices', 'name'),
  listOf<MachineContext>('additionalBlockDevices', 'additionalBlockDevices', [
    same('name', textOf({ needed: 'is needed' })),
    same('sizeGiB', size),
    nested('storage', 'storage', [
      {
        claims: { left: [], right: [] },
        convert: (scope) => {
          if (scope.run.from !== scope.run.to && (scope.source['type'] ?? undefined) === undefined)
            addError(scope, ['type'], 'is needed: Volume or Local');
        },
      },
      same('type', deviceType),
      volumeOptions,
    ]),
  ]),
];
