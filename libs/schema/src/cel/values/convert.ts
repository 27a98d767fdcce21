/** Conversions between types: `int('5')`, `string(1.5)`. */
import { parseTimestamp } from './data.js';
import { parseGoDuration } from './format-duration.js';
import { intOf, uintOf } from './numbers.js';
import { formatSeconds, formatTimestamp, isTimestampSeconds } from './times.js';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelError,
  CelOpaque,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  kindOf,
  typeNameOf,
} from './values.js';
import type { CelValue } from './values.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const two63 = 2 ** 63;
const two64 = 2 ** 64;

function failed(value: CelValue, target: string): CelError {
  return new CelError(`type conversion error from '${typeNameOf(value)}' to '${target}'`);
}

/** Decimal digits of a double as `%g` prints them. */
export function formatG(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  const shown = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${shown}`;
}

/** The bounds themselves do not survive the way through a double. */
function doubleToInt(value: number): CelValue {
  if (!(value > -two63 && value < two63)) return new CelError('integer overflow');
  return intOf(BigInt(Math.trunc(value)));
}

function textToInt(text: string): CelValue {
  const parsed = /^[+-]?\d+$/.test(text) ? intOf(BigInt(text.replace(/^\+/, ''))) : undefined;
  return parsed === undefined || parsed instanceof CelError ? failed(text, 'int') : parsed;
}

/** `int(value)`. */
export function toInt(value: CelValue): CelValue {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof CelUint) return intOf(value.value);
  if (value instanceof CelDouble) return doubleToInt(value.value);
  if (typeof value === 'string') return textToInt(value);
  if (value instanceof CelTimestamp) return value.seconds;
  return value instanceof CelDuration ? intOf(value.nanos) : failed(value, 'int');
}

/** `uint(value)`. */
export function toUint(value: CelValue): CelValue {
  if (value instanceof CelUint) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return uintOf(BigInt(value));
  if (value instanceof CelDouble) {
    if (!(value.value >= 0 && value.value < two64)) return new CelError('unsigned integer overflow');
    return uintOf(BigInt(Math.trunc(value.value)));
  }
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return failed(value, 'uint');
  const parsed = uintOf(BigInt(value));
  return parsed instanceof CelError ? failed(value, 'uint') : parsed;
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const separated = /(\d)_(?=\d)/g;
const special = /^([+-]?)(?:inf|infinity)$/i;

function parseGoFloat(text: string): number | undefined {
  if (/^nan$/i.test(text)) return Number.NaN;
  const infinite = special.exec(text);
  if (infinite !== null) return infinite[1] === '-' ? -Infinity : Infinity;
  const plain = text.replace(separated, '$1');
  if (!decimal.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** `double(value)`. */
export function toDouble(value: CelValue): CelValue {
  if (value instanceof CelDouble) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return new CelDouble(Number(value));
  if (value instanceof CelUint) return new CelDouble(Number(value.value));
  const parsed = typeof value === 'string' ? parseGoFloat(value) : undefined;
  return parsed === undefined ? failed(value, 'double') : new CelDouble(parsed);
}

/** `string(value)`. */
export function toText(value: CelValue): CelValue {
  switch (kindOf(value)) {
    case 'string':
      return value;
    case 'bool':
    case 'int':
      return String(value);
    case 'uint':
      return String((value as CelUint).value);
    case 'double':
      return formatG((value as CelDouble).value);
    case 'timestamp':
      return formatTimestamp(value as CelTimestamp);
    case 'duration':
      return formatSeconds((value as CelDuration).nanos);
    case 'null':
      return 'null';
    case 'type':
      return (value as CelTypeValue).name;
    case 'bytes':
      return bytesToText(value as CelBytes);
    default:
      return failed(value, 'string');
  }
}

function bytesToText(bytes: CelBytes): CelValue {
  try {
    return decoder.decode(bytes.value);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** `bytes(value)`. */
export function toBytes(value: CelValue): CelValue {
  if (typeof value === 'string') return new CelBytes(encoder.encode(value));
  return value instanceof CelBytes ? value : failed(value, 'bytes');
}

const truths = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const untruths = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** `bool(value)`. */
export function toBool(value: CelValue): CelValue {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && truths.has(value)) return true;
  return typeof value === 'string' && untruths.has(value) ? false : failed(value, 'bool');
}

/** `timestamp(value)`. */
export function toTimestamp(value: CelValue): CelValue {
  if (value instanceof CelTimestamp) return value;
  if (typeof value === 'number' || typeof value === 'bigint') {
    return isTimestampSeconds(value) ? new CelTimestamp(Number(value), 0) : new CelError('timestamp overflow');
  }
  const parsed = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (parsed === undefined) return failed(value, 'google.protobuf.Timestamp');
  return isTimestampSeconds(parsed.seconds) ? parsed : new CelError('timestamp overflow');
}

/** `duration(value)`. */
export function toDuration(value: CelValue): CelValue {
  if (value instanceof CelDuration) return value;
  const parsed = typeof value === 'string' ? parseGoDuration(value) : undefined;
  return parsed === undefined ? failed(value, 'google.protobuf.Duration') : new CelDuration(parsed);
}

/** `type(value)`. */
export function toType(value: CelValue): CelTypeValue {
  return new CelTypeValue(value instanceof CelOpaque ? value.typeName : typeNameOf(value));
}
