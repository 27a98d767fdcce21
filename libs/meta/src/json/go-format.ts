/** Go's `%v` of decoded JSON, which the server prints inside several messages. */
import type { JsonObject } from '../object.js';
import { compareBytes } from './compare-bytes.js';

/** Safe integers are int64 to the server, everything else float64, printed with `%g` in its shortest form. */
function formatNumber(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (Number.isSafeInteger(value)) return String(value + 0);
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** The name of the Go type a JSON value decodes to. */
export function goTypeName(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' && !Number.isSafeInteger(value) ? 'float64' : 'int64';
}

/** `%v`: `map[a:1 b:[x y]]` with keys in byte order, `<nil>` for null. */
export function goFormat(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return formatNumber(value);
  if (Array.isArray(value)) return `[${value.map(goFormat).join(' ')}]`;
  if (typeof value !== 'object') return String(value as string | boolean | bigint);
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
