import { compareBytes, stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

/**
 * JSON as Go prints a patched object: keys sorted, but for metadata where the object has a Go type. Only for messages.
 */
export function goJsonText(value: unknown, isTyped = true): string {
  return stringifyJson(sorted(value, isTyped));
}

function sorted(value: unknown, isTop: boolean): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const object = value as JsonObject;
  const out: JsonObject = {};
  // Metadata goes through its Go type, which has an order of its own.
  for (const key of Object.keys(object).sort(compareBytes))
    out[key] = isTop && key === 'metadata' ? object[key] : sorted(object[key], false);
  return out;
}

/** A value as Go prints it in messages: `map[a:1 b:[x y]]`. */
export function goValueText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValueText).join(' ')}]`;
  if (typeof value !== 'object') return typeof value === 'string' ? value : stringifyJson(value);
  const object = value as JsonObject;
  const entries = Object.keys(object)
    .sort(compareBytes)
    .map((key) => `${key}:${goValueText(object[key])}`);
  return `map[${entries.join(' ')}]`;
}
