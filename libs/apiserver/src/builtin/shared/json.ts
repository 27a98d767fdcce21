import type { JsonObject, KubeObject } from '@capstan/meta';

export { cloneJson, equalJson } from '@capstan/meta';

/** The object at a key, undefined when absent or null. */
export function record(value: unknown): JsonObject | undefined {
  return value === undefined || value === null ? undefined : (value as JsonObject);
}

const NONE: readonly never[] = [];
const NO_FIELDS: Readonly<JsonObject> = Object.freeze({});

/** The object at a key for reading; an empty one when absent. */
export function fields(value: unknown): Readonly<JsonObject> {
  return value === undefined || value === null ? NO_FIELDS : (value as JsonObject);
}

/** A list of objects; empty when absent. */
export function records(value: unknown): readonly JsonObject[] {
  return value === undefined || value === null ? NONE : (value as JsonObject[]);
}

/** A list of strings; empty when absent. */
export function texts(value: unknown): readonly string[] {
  return value === undefined || value === null ? NONE : (value as string[]);
}

/** A string; empty when absent. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** An integer, or undefined when absent. Sizes beyond 2^53 only ever get compared, so rounding them is harmless. */
export function integer(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' ? Number(value) : undefined;
}

/** The string values of a map; empty when absent. */
export function textMap(value: unknown): Readonly<Record<string, string>> {
  return value === undefined || value === null
    ? (NO_FIELDS as Record<string, string>)
    : (value as Record<string, string>);
}

/** The object at `key` of `parent`, made when absent. */
export function ensure(parent: JsonObject | KubeObject, key: string): JsonObject {
  const value = parent[key];
  if (value !== undefined && value !== null) return value as JsonObject;
  const made: JsonObject = {};
  (parent as JsonObject)[key] = made;
  return made;
}

/** Sets a key only when nothing is there. */
export function defaultTo(parent: JsonObject, key: string, value: unknown): void {
  const present = parent[key];
  if (present === undefined || present === null) parent[key] = value;
}

/** Sets a string key when it is absent or empty. */
export function defaultText(parent: JsonObject, key: string, value: string): void {
  if (text(parent[key]) === '') parent[key] = value;
}

/** Sets a key, or removes it when the value is undefined. */
export function assign(parent: JsonObject | KubeObject, key: string, value: unknown): void {
  if (value === undefined) delete parent[key];
  else (parent as JsonObject)[key] = value;
}
