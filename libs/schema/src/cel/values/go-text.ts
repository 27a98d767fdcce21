/** Values as some messages show them: the way the server's own language prints them. */
import { formatDuration } from '@capstan/meta';
import { isList, isMap, listItems, mapFind, mapKeys } from './collections.js';
import {
  CelBoxed,
  CelBytes,
  CelDouble,
  CelDuration,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  typeNameOf,
} from './values.js';
import type { CelValue } from './values.js';

/** Shortest digits, with an exponent from a million on and below a ten-thousandth. */
function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return Object.is(value, -0) ? '-0' : String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function timeText({ seconds, nanos, offset }: CelTimestamp): string {
  const [date = '', clock = ''] = new Date((seconds + offset) * 1000).toISOString().slice(0, 19).split('T');
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
  const minutes = Math.abs(offset) / 60;
  const sign = offset < 0 ? '-' : '+';
  const zone = `${sign}${String(Math.floor(minutes / 60)).padStart(2, '0')}${String(minutes % 60).padStart(2, '0')}`;
  return `${date} ${clock}${fraction} ${zone} ${offset === 0 ? 'UTC' : zone}`;
}

function boxedText(value: CelBoxed): string {
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelDouble) return doubleText(value.value);
  if (value instanceof CelDuration) return formatDuration(value.nanos);
  if (value instanceof CelTimestamp) return timeText(value);
  if (value instanceof CelBytes) return `[${value.value.join(' ')}]`;
  if (value instanceof CelTypeValue) return value.name;
  if (value instanceof CelOptional) return value.present ? `optional(${goText(value.value)})` : 'optional.none()';
  return typeNameOf(value);
}

/** A value as the server's `%v` prints it. */
export function goText(value: CelValue): string {
  if (isList(value)) return `[${listItems(value).map(goText).join(', ')}]`;
  if (isMap(value)) {
    return `{${mapKeys(value)
      .map((key) => `${goText(key)}: ${goText(mapFind(value, key))}`)
      .join(', ')}}`;
  }
  if (value instanceof CelBoxed) return boxedText(value);
  return value === null || value === undefined ? '0' : String(value as string | number | bigint | boolean);
}
