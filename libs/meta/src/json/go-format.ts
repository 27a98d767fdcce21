/** Go's `%v` of decoded JSON, which the server prints inside several messages. */
import type { JsonObject } from '../object.js';
import { compareBytes } from './compare-bytes.js';

function formatFloat(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 21) {
    // JavaScript goes exponential only below 1e-6 and from 1e21 on, so here it writes the number out as Go does.
    return String(value);
  }
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}

/** The name of the Go type a JSON value decodes to. */
export function goTypeName(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' && !Number.isInteger(value) ? 'float64' : 'int64';
}

/** `%v`: `map[a:1 b:[x y]]` with keys in byte order, `<nil>` for null. */
export function goFormat(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return formatFloat(value);
  if (Array.isArray(value)) return `[${value.map(goFormat).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const object = value as JsonObject;
  const keys = Object.keys(object).sort(compareBytes);
  return `map[${keys.map((key) => `${key}:${goFormat(object[key])}`).join(' ')}]`;
}

/** `%s`: strings as they are, other scalars marked as ill-fitting. */
export function goFormatString(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (typeof value === 'object') return goFormat(value);
  return `%!s(${goTypeName(value)}=${goFormat(value)})`;
}
