/** Conversions between types, and the parts of times. */
import {
  toBool,
  toBytes,
  toDouble,
  toDuration,
  toInt,
  toText,
  toTimestamp,
  toType,
  toUint,
} from '../values/convert.js';
import { global, method } from './declarations.js';
import type { FunctionDeclaration, Implementation } from './declarations.js';
import { noOverload } from '../values/order.js';
import { durationPart, timePart } from '../values/times.js';
import type { TimePart } from '../values/times.js';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  paramType,
  stringType,
  timestampType,
  typeOfType,
  uintType,
} from '../types/types.js';
import type { CelType } from '../types/types.js';
import { CelDuration, CelTimestamp } from '../values/values.js';

const a = paramType('A');

function conversion(
  name: string,
  result: CelType,
  from: readonly (readonly [string, CelType])[],
  run: Implementation,
): FunctionDeclaration {
  return { name, overloads: from.map(([id, type]) => global(id, [type], result, run)) };
}

/** `int('5')` and its kin. */
export const conversionFunctions: readonly FunctionDeclaration[] = [
  { name: 'type', overloads: [global('type', [a], typeOfType(a))], run: toType },
  conversion(
    'bool',
    boolType,
    [
      ['bool_to_bool', boolType],
      ['string_to_bool', stringType],
    ],
    toBool,
  ),
  conversion(
    'bytes',
    bytesType,
    [
      ['bytes_to_bytes', bytesType],
      ['string_to_bytes', stringType],
    ],
    toBytes,
  ),
  conversion(
    'double',
    doubleType,
    [
      ['double_to_double', doubleType],
      ['int64_to_double', intType],
      ['string_to_double', stringType],
      ['uint64_to_double', uintType],
    ],
    toDouble,
  ),
  conversion(
    'duration',
    durationType,
    [
      ['duration_to_duration', durationType],
      ['int64_to_duration', intType],
      ['string_to_duration', stringType],
    ],
    toDuration,
  ),
  { name: 'dyn', overloads: [global('to_dyn', [a], dynType)], run: (value) => value },
  conversion(
    'int',
    intType,
    [
      ['int64_to_int64', intType],
      ['double_to_int64', doubleType],
      ['duration_to_int64', durationType],
      ['string_to_int64', stringType],
      ['timestamp_to_int64', timestampType],
      ['uint64_to_int64', uintType],
    ],
    toInt,
  ),
  conversion(
    'string',
    stringType,
    [
      ['string_to_string', stringType],
      ['bool_to_string', boolType],
      ['bytes_to_string', bytesType],
      ['double_to_string', doubleType],
      ['duration_to_string', durationType],
      ['int64_to_string', intType],
      ['timestamp_to_string', timestampType],
      ['uint64_to_string', uintType],
    ],
    toText,
  ),
  conversion(
    'timestamp',
    timestampType,
    [
      ['timestamp_to_timestamp', timestampType],
      ['int64_to_timestamp', intType],
      ['string_to_timestamp', stringType],
    ],
    toTimestamp,
  ),
  conversion(
    'uint',
    uintType,
    [
      ['uint64_to_uint64', uintType],
      ['double_to_uint64', doubleType],
      ['int64_to_uint64', intType],
      ['string_to_uint64', stringType],
    ],
    toUint,
  ),
];

const timeIds: readonly (readonly [TimePart, string])[] = [
  ['getFullYear', 'year'],
  ['getMonth', 'month'],
  ['getDayOfYear', 'day_of_year'],
  ['getDayOfMonth', 'day_of_month'],
  ['getDate', 'day_of_month_1_based'],
  ['getDayOfWeek', 'day_of_week'],
  ['getHours', 'hours'],
  ['getMinutes', 'minutes'],
  ['getSeconds', 'seconds'],
  ['getMilliseconds', 'milliseconds'],
];

function timeFunction(part: TimePart, id: string): FunctionDeclaration {
  const run: Implementation = (time, zone) =>
    time instanceof CelTimestamp ? timePart(part, time, typeof zone === 'string' ? zone : undefined) : noOverload;
  const overloads = [
    method(`timestamp_to_${id}`, [timestampType], intType, run),
    method(`timestamp_to_${id}_with_tz`, [timestampType, stringType], intType, run),
  ];
  if (timeIds.findIndex(([name]) => name === part) >= 6) {
    const span: Implementation = (value) =>
      value instanceof CelDuration ? durationPart(part, value.nanos) : noOverload;
    overloads.push(method(`duration_to_${id}`, [durationType], intType, span));
  }
  return { name: part, overloads };
}

/** `getHours` and its kin. */
export const timeFunctions: readonly FunctionDeclaration[] = timeIds.map(([part, id]) => timeFunction(part, id));
