import type { JsonObject } from '@capstan/meta';

/** The value without members that are undefined: no JSON has them. What has none is given as it is. */
export function plain<T>(value: T): T {
  return clean(value) as T;
}

function clean(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? cleanList(value) : cleanRecord(value as JsonObject);
}

function cleanList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at += 1) {
    const item = list[at];
    const kept = clean(item);
    if (kept === item) continue;
    copy ??= [...list];
    copy[at] = kept;
  }
  return copy ?? list;
}

function cleanRecord(record: JsonObject): JsonObject {
  let copy: JsonObject | undefined;
  for (const key of Object.keys(record)) {
    const item = record[key];
    const kept = clean(item);
    if (kept === item && item !== undefined) continue;
    copy ??= { ...record };
    if (kept === undefined) Reflect.deleteProperty(copy, key);
    else copy[key] = kept;
  }
  return copy ?? record;
}

/** Whether a record has nothing in it. */
export function isEmpty(value: object | undefined): boolean {
  return value === undefined || Object.values(value).every((item) => item === undefined);
}
