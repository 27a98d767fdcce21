/** How the recorded tables show values. */
import { isList, isMap, listItems, mapFind, mapKeys } from './values/collections.js';
import { formatTimestamp } from './values/times.js';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelError,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
} from './values/values.js';
import type { CelValue } from './values/values.js';

function showDouble(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function showBox(value: CelValue): string {
  if (value instanceof CelDouble) return `double:${showDouble(value.value)}`;
  if (value instanceof CelUint) return `uint:${value.value}`;
  if (value instanceof CelBytes) return `bytes:${Buffer.from(value.value).toString('hex')}`;
  if (value instanceof CelTimestamp) return `ts:${formatTimestamp(value)}`;
  if (value instanceof CelDuration) return `dur:${value.nanos}`;
  if (value instanceof CelOptional) return value.present ? `opt(${show(value.value)})` : 'none';
  if (value instanceof CelTypeValue) return `type:${value.name}`;
  if (value instanceof CelError) return `error:${value.message}`;
  return value instanceof CelOpaque ? value.typeName : 'unknown';
}

/** A value with its types, maps in the order of their keys, as the recorded tables have it. */
export function show(value: CelValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `string:${JSON.stringify(value).replace(/[<>&]/g, escaped)}`;
  if (typeof value === 'number' || typeof value === 'bigint') return `int:${value}`;
  if (typeof value === 'boolean') return `bool:${value}`;
  if (isList(value)) return `[${listItems(value).map(show).join(',')}]`;
  if (!isMap(value)) return showBox(value);
  const entries = mapKeys(value).map((key) => `${show(key)}:${show(mapFind(value, key))}`);
  return `{${entries.sort().join(',')}}`;
}

function escaped(char: string): string {
  return `\\u00${char.charCodeAt(0).toString(16)}`;
}
