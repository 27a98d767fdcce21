/** The volumes of a machine: one list in Machine API; in Cluster API the root volume stands alone. */
import {
  addError,
  addWarning,
  getAt,
  isRecord,
  move,
  nested,
  partition,
  same,
  together,
  warned,
} from '@capstan/convert';
import type { Codec, Field } from '@capstan/convert';
import { flag, numberBetween, optionalNumber, optionalText, refused, text } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { goQuote, stringifyJson } from '@capstan/meta';

/** The CRD of AWSMachine takes no smaller one. */
const LEAST_SIZE_GIB = 8;
const throughputs = numberBetween(125, 2000);

type Convert = Codec<MachineContext>['forward'];

const wholeSize: Convert = (value, field) => {
  if (!Number.isSafeInteger(value)) field.error('must be a whole number');
  else if ((value as number) < LEAST_SIZE_GIB)
    field.error(`is ${String(value)}, and Cluster API creates volumes of ${LEAST_SIZE_GIB} GiB and more only`);
  return value;
};

const size: Codec<MachineContext> = {
  keepsShape: true,
  forward: (value, field) => (value === undefined ? undefined : wholeSize(value, field)),
  backward: (value, field) => {
    if (value === undefined) field.error('must be set: how many GiB the volume has');
    return value === undefined ? undefined : wholeSize(value, field);
  },
};

/** Machine API leaves the size to the image, which is not known here. */
const hasSize: MachineRule = {
  claims: { left: [], right: [] },
  acts: (from, to) => from === 'left' && to === 'right',
  convert: (scope) => {
    const ebs = scope.run.from === 'left' && scope.run.to === 'right' ? getAt(scope.source, ['ebs']) : undefined;
    if (isRecord(ebs) && (ebs['volumeSize'] ?? undefined) === undefined)
      addError(
        scope,
        ['ebs', 'volumeSize'],
        'must be set: Machine API gives the volume the size of its image, and Cluster API needs one',
      );
  },
};

/** The webhooks of Cluster API refuse what AWS could not make of this type. */
const volumeType: Codec<MachineContext> = {
  ...optionalText,
  forward: (value, field) => typeWithIops(value, field),
  backward: (value, field) => typeWithIops(value, field),
};

function typeWithIops(value: unknown, field: Parameters<Convert>[1]): unknown {
  if ((value === 'io1' || value === 'io2') && (field.record['iops'] ?? 0) === 0)
    field.error(`is ${goQuote(value)}, which needs iops: set these`);
  return optionalText.forward(value, field);
}

/** AWS takes iops for types that need or allow them; Machine API leaves them out for all others. */
const iops: Codec<MachineContext> = {
  ...optionalNumber,
  forward: (value, field) => {
    const type = field.record['volumeType'];
    if (typeof value === 'number' && value !== 0 && (type === undefined || type === '' || type === 'gp2'))
      field.warn('has no effect on volumes of type gp2: remove it, or set another volumeType');
    return optionalNumber.forward(value, field);
  },
};

const throughputOf =
  (typeField: string): Convert =>
  (value, field) => {
    if (value === undefined || value === 0) return undefined;
    if (typeof value === 'number' && field.record[typeField] !== 'gp3')
      field.error(`can be set for volumes of type gp3 only: set ${typeField}, or remove it`);
    return throughputs.forward(value, field);
  };

const throughput: Codec<MachineContext> = {
  ...throughputs,
  forward: throughputOf('volumeType'),
  backward: throughputOf('type'),
};

const ARN = 'arn:';
const keyFields = (key: unknown): readonly unknown[] => {
  if (key === undefined || key === '') return [];
  return typeof key === 'string' && key.startsWith(ARN) ? [undefined, key] : [key];
};
const isSet = (value: unknown): boolean => value !== undefined && value !== '';
const keyOf = (id: unknown, arn: unknown): unknown => (isSet(id) ? id : arn);

/** The key has an id or an ARN here, and one field for both there. */
const encryptionKey: MachineRule = together<MachineContext>({
  left: ['kmsKey.id', 'kmsKey.arn'],
  right: ['encryptionKey'],
  forward: ([id, arn], fields) => {
    [id, arn].forEach((each, at) => text.forward(each, fields[at] as Field<MachineContext>));
    if (isSet(id) && isSet(arn)) fields[1]?.error('cannot be set together with id: remove one of them');
    const key = keyOf(id, arn);
    return key === '' ? [] : [key];
  },
  backward: ([key], [field]) => keyFields(text.forward(key, field as Field<MachineContext>)),
  normal: {
    left: ([id, arn]) => keyFields(keyOf(id, arn)),
    right: ([key]) => (key === '' ? [] : [key]),
  },
});

/** Both controllers delete every volume with its machine, whatever this field is. */
function deletion(report: typeof addError): MachineRule {
  const path = ['deleteOnTermination'];
  return {
    claims: { left: [{ path: 'deleteOnTermination', fate: 'derived' }], right: [] },
    convert: (scope) => {
      if (scope.run.from === 'right' || scope.run.to === 'left') return;
      const value = getAt(scope.source, path);
      if (value === undefined || value === true) return;
      if (value === false)
        report(scope, path, 'is false, which cannot be kept: volumes are deleted with their machine');
      else addError(scope, path, `must be true or false, and is ${stringifyJson(value)}`);
    },
  };
}

const volume = (report: typeof addError): readonly MachineRule[] => [
  hasSize,
  nested('ebs', '', [
    deletion(report),
    move('volumeSize', 'size', size),
    move('volumeType', 'type', volumeType),
    same('iops', iops),
    move('throughputMib', 'throughput', throughput),
    same('encrypted', flag),
    encryptionKey,
    refused('left', 'kmsKey.filters', 'cannot be kept: Cluster API takes the id or the ARN of a key'),
  ]),
  refused('left', 'noDevice', 'cannot be kept: Cluster API hides no devices of an image'),
  refused('left', 'virtualName', 'cannot be kept: Cluster API maps no instance store volumes'),
];

/** The disks of a machine. */
export const disks: MachineRule = partition<MachineContext>({
  list: 'blockDevices',
  isOne: (device) => (device['deviceName'] ?? '') === '',
  dropped: (device) =>
    (device['ebs'] ?? undefined) === undefined &&
    (device['noDevice'] ?? '') === '' &&
    (device['virtualName'] ?? '') === ''
      ? 'has no ebs and is dropped, as Machine API makes no volume of it'
      : undefined,
  one: {
    path: 'rootVolume',
    rules: [
      ...volume(addWarning),
      warned('right', 'deviceName', 'is dropped: the root device has the name that its image gives it'),
    ],
  },
  rest: { path: 'nonRootVolumes', rules: [same('deviceName', optionalText), ...volume(addError)] },
});
