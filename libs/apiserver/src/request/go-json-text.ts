import { compareBytes, stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

/** JSON as Go prints a decoded value: the keys of every object but metadata's sorted. Only for messages. */
export function goJsonText(value: unknown): string {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return stringifyJson(value);
  const object = value as JsonObject;
  const sorted: JsonObject = {};
  for (const key of Object.keys(object).sort(compareBytes)) sorted[key] = object[key];
  return stringifyJson(sorted);
}
