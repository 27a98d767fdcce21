/** Messages of older releases: values in Go syntax instead of JSON, and a few other words. */
import { type FieldError, RawValue, compareBytes, goQuote } from '@capstan/meta';
import { isInt64 } from './int64.js';
import { formatFloat } from './numbers.js';

/** The release that changed how values are printed, and the words here along with it. */
const newWordingSince = 34;

/** `%#v` of decoded JSON: `map[string]interface {}{"a":1, "b":"x"}`. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    return isInt64(value) ? String(value) : formatFloat(Number(value));
  }
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  const members = Object.entries(value).sort(([a], [b]) => compareBytes(a, b));
  return `map[string]interface {}{${members.map(([name, item]) => `${goQuote(name)}:${goSyntax(item)}`).join(', ')}}`;
}

function legacyValue(value: unknown): unknown {
  if (value === null) return 'null';
  const compound = typeof value === 'object' && !(value instanceof RawValue);
  return compound ? new RawValue(goSyntax(value)) : value;
}

/** The errors with their values as the release prints them. */
export function withReleaseValues(errors: readonly FieldError[], minor: number): readonly FieldError[] {
  if (minor >= newWordingSince) return errors;
  return errors.map((error) => {
    const detail = error.type === 'TooMany' ? error.detail.replace(/ 1 item$/, ' 1 items') : error.detail;
    return { ...error, detail, badValue: legacyValue(error.badValue) };
  });
}

/** Complaints about embedded resources: older releases say more about missing type fields. */
export function withReleaseReasons(errors: readonly FieldError[], minor: number): readonly FieldError[] {
  if (minor >= newWordingSince) return errors;
  return errors.map((error) => {
    const missing = error.type === 'Required' && /\.(?:apiVersion|kind)$/.test(error.field);
    return missing ? { ...error, detail: 'must not be empty' } : error;
  });
}
