/** Disks: a list in Machine API, of which Cluster API has the one to start from by itself. */
import { addError, constant, getAt, isRecord, move, partition, setAt } from '@capstan/convert';
import type { Codec, Path, Scope } from '@capstan/convert';
import { absentMeans, integerBetween, joint, refused } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { goQuote, stringifyJson } from '@capstan/meta';
import { NO_PROJECT, projectOf } from './cluster.js';
import { encryptionKey, keyNameOf } from './keys.js';

const MAX_DISK_GB = 65_536;
const AUTO_DELETE: Path = ['autoDelete'];
/** What the controller of Cluster API takes when absent. */
const DATA_DISK_GB = 30;
const DISK_TYPE = 'pd-standard';

/** Cluster API deletes all disks with their machine. Absent is false, as everywhere in provider specs. */
const autoDelete: MachineRule = {
  claims: { left: [{ path: 'autoDelete', fate: 'constant' }], right: [] },
  convert: (scope) => {
    if (scope.run.to === 'left') {
      setAt(scope.target, AUTO_DELETE, true);
      return;
    }
    const found = scope.run.from === 'left' ? (getAt(scope.source, AUTO_DELETE) ?? false) : true;
    if (found !== true)
      addError(
        scope,
        AUTO_DELETE,
        `is ${stringifyJson(found)}, which cannot be kept: Cluster API deletes disks with their machine`,
      );
  },
};

const notSet = { error: 'must be set' };

const anyType: Codec<MachineContext>['forward'] = (value, field) => {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') field.error('must be a string');
  else if (value === 'local-ssd') field.error('is "local-ssd", which Machine API cannot create: use another type');
  else return value;
  return undefined;
};
const diskType = absentMeans({ forward: anyType, backward: anyType }, { left: notSet, right: DISK_TYPE });

/** Zero is as large as the image, on both sides; Machine API writes it. */
const bootSize: Codec<MachineContext> = (() => {
  const number = integerBetween(0, MAX_DISK_GB);
  const orNone = (value: unknown): unknown => (value === 0 ? undefined : value);
  const orZero = (value: unknown): unknown => value ?? 0;
  return {
    forward: (value, field) => orNone(number.forward(value, field)),
    backward: (value, field) => orZero(number.backward(value, field)),
    normal: { left: orZero, right: orNone },
  };
})();

/** The project of an image must be set in Cluster API; in Machine API it is the machine's where it is not. */
const image = joint({
  left: { image: 'image' },
  right: { image: 'image', family: 'imageFamily' },
  forward: (read) => {
    const name = read.text('image');
    if (name === undefined) read.error('image', 'must be set: Cluster API has images of its own');
    if (name === undefined || name.includes('/')) return { image: name };
    const project = projectOf(read.context);
    if (project === undefined) read.error('image', NO_PROJECT, 'ClusterUnknown');
    return project === undefined ? {} : { image: `projects/${project}/global/images/${name}` };
  },
  backward: (read) => {
    const [name, family] = [read.text('image'), read.text('family')];
    if (name !== undefined && family !== undefined) read.error('family', 'is not used together with image: remove it');
    const found = name ?? family;
    if (found === undefined) read.error('image', 'must be set: Machine API has no images of its own');
    else if (!found.includes('/'))
      read.error(
        name === undefined ? 'family' : 'image',
        `is ${goQuote(found)}: must be projects/<project>/global/images/<name>`,
      );
    return { image: found };
  },
});

/** Of the same list as images that are kept, so that the field as a whole is one that is. */
const noImage: MachineRule = {
  ...refused('left', 'image', 'disks for data are empty in Cluster API: remove it'),
  claims: { left: [{ path: 'image', fate: 'mapped' }], right: [] },
};

const labels = refused('left', 'labels', 'Cluster API has no labels of single disks: set labels of the machine');

/** Both sides of `disks`. The disk to start from comes back first. */
const partitioned: MachineRule = partition<MachineContext>({
  list: 'disks',
  isOne: ({ boot }) => boot === true,
  one: {
    path: '',
    rules: [
      constant('left', 'boot', true),
      autoDelete,
      move('sizeGb', 'rootDeviceSize', bootSize),
      move('type', 'rootDeviceType', diskType),
      image,
      labels,
      ...encryptionKey('rootDiskEncryptionKey'),
    ],
  },
  rest: {
    path: 'additionalDisks',
    rules: [
      constant('left', 'boot', false),
      autoDelete,
      move('sizeGb', 'size', absentMeans(integerBetween(1, MAX_DISK_GB), { left: notSet, right: DATA_DISK_GB })),
      move('type', 'deviceType', diskType),
      noImage,
      labels,
      ...encryptionKey('encryptionKey'),
    ],
  },
});

const records = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const textAt = (value: unknown, ...path: string[]): string | undefined => {
  const found = getAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
};

/** What a key is called in the cloud, and who may use it. */
function keyText(key: unknown, { run }: Scope<MachineContext>): string | undefined {
  const account = textAt(key, 'kmsKeyServiceAccount') ?? '';
  const name = textAt(key, 'kmsKey', 'name');
  const ownName =
    name === undefined
      ? textAt(key, 'managedKey', 'kmsKeyName')
      : keyNameOf({
          name,
          keyRing: textAt(key, 'kmsKey', 'keyRing'),
          location: textAt(key, 'kmsKey', 'location'),
          projectID: textAt(key, 'kmsKey', 'projectID') ?? projectOf(run.context),
        });
  return ownName === undefined ? undefined : `${ownName} ${account}`;
}

/** The controller of Cluster API encrypts disks for data with the key of the first one, whatever theirs is. */
function compareKeys(scope: Scope<MachineContext>): void {
  const { source } = scope;
  const isLeft = scope.run.from === 'left';
  const list = isLeft ? 'disks' : 'additionalDisks';
  const disks = records(source[list]);
  const first = isLeft
    ? getAt(
        disks.find((disk) => isRecord(disk) && disk['boot'] === true),
        ['encryptionKey'],
      )
    : source['rootDiskEncryptionKey'];
  const wanted = keyText(first, scope);
  disks.forEach((disk, index) => {
    const own = keyText(getAt(disk, ['encryptionKey']), scope);
    if (own === undefined || own === wanted) return;
    const at = { before: scope.at, kind: 'field', name: list } as const;
    addError(
      { ...scope, at: { before: at, kind: 'index', name: String(index) } },
      ['encryptionKey'],
      'is not the key of the boot disk, with which Cluster API encrypts all others: use that one, or none',
    );
  });
}

function needBootDisk(scope: Scope<MachineContext>): void {
  const { disks } = scope.source;
  if (scope.run.from !== 'left' || (disks !== undefined && disks !== null && !Array.isArray(disks))) return;
  if (!records(disks).some((disk) => isRecord(disk) && disk['boot'] === true))
    addError(scope, ['disks'], 'must have one whose boot is true: machines start from it');
}

const together: MachineRule = {
  claims: { left: [], right: [] },
  convert: (scope) => {
    if (scope.run.from === scope.run.to) return;
    needBootDisk(scope);
    compareKeys(scope);
  },
};

/** All rules for disks. */
export const disks: readonly MachineRule[] = [partitioned, together];
