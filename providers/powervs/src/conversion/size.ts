/** How large a machine is. Each API has its own defaults, which are written down on the way to the other. */
import { same, together } from '@capstan/convert';
import type { Codec, Field } from '@capstan/convert';
import { numberBetween, oneOf } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { stringifyJson } from '@capstan/meta';

type Convert = Codec<MachineContext>['forward'];

/** Of machines that ask for none, in both APIs. */
export const SYSTEM_TYPE = 's922';
const PROCESSOR_TYPE = 'Shared';
const MEMORY = { left: 32, right: 2 };
/** Of machines that share processors; others have one. */
const PROCESSORS = { left: '0.5', right: '0.25' };
const LEAST_PROCESSORS = 0.25;
const MAX_INT32 = 2_147_483_647;

/** The value, or what stands for none. */
function filled(codec: Codec<MachineContext>, left: unknown, right: unknown): Codec<MachineContext> {
  const orElse =
    (other: unknown): Convert =>
    (value, field) =>
      value === undefined || value === '' || value === 0 ? other : codec.forward(value, field);
  const normal = (other: unknown) => (value: unknown) =>
    value === undefined || value === '' || value === 0 ? other : value;
  return {
    keepsShape: true,
    forward: orElse(left),
    backward: orElse(right),
    normal: { left: normal(left), right: normal(right) },
  };
}

const systemTypes = oneOf('s922', 'e980', 's1022', 'e1050', 'e1080', 's1122');
const processorTypes = oneOf('Dedicated', 'Shared', 'Capped');

const isNone = (value: unknown): boolean => value === undefined || value === 0 || value === '';
const NUMBER = /^\d+(?:\.\d+)?$/;

function checkProcessors(value: unknown, field: Field<MachineContext>): void {
  const isNumber = Number.isSafeInteger(value) || (typeof value === 'string' && NUMBER.test(value));
  if (!isNumber) field.error(`must be a number, as it is or as a string, and is ${stringifyJson(value)}`);
  else if (Number(value) < LEAST_PROCESSORS) field.error(`must be ${LEAST_PROCESSORS} or more`);
}

/** The default number depends on the type. */
const processors =
  (side: 'left' | 'right') => (values: readonly unknown[], fields: readonly Field<MachineContext>[]) => {
    const [type, count] = values;
    const [typeField, countField] = fields;
    if (!isNone(count) && countField !== undefined) checkProcessors(count, countField);
    if (!isNone(type) && typeField !== undefined) processorTypes.forward(type, typeField);
    return normalProcessors(side)(values);
  };

const normalProcessors =
  (side: 'left' | 'right') =>
  ([type, count]: readonly unknown[]): readonly unknown[] => {
    const kind = isNone(type) ? PROCESSOR_TYPE : type;
    return [kind, isNone(count) ? (kind === 'Dedicated' ? 1 : PROCESSORS[side]) : count];
  };

/** The size of a machine. */
export const size: readonly MachineRule[] = [
  same('systemType', filled(systemTypes, SYSTEM_TYPE, SYSTEM_TYPE)),
  together<MachineContext>({
    left: ['processorType', 'processors'],
    right: ['processorType', 'processors'],
    forward: processors('left'),
    backward: processors('right'),
    normal: { left: normalProcessors('left'), right: normalProcessors('right') },
  }),
  same('memoryGiB', filled(numberBetween(MEMORY.right, MAX_INT32), MEMORY.left, MEMORY.right)),
];
