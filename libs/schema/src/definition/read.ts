/** Reads parts of a CRD; what is absent, or of another type, reads as empty. */
import type { JsonObject } from '@capstan/meta';

const NONE: readonly never[] = [];
const NO_FIELDS: Readonly<JsonObject> = Object.freeze({});

/** The object at a key; undefined when there is none. */
export function record(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The object at a key for reading. */
export function fields(value: unknown): Readonly<JsonObject> {
  return record(value) ?? NO_FIELDS;
}

/** A string. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A list. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : NONE;
}

/** A list of strings. */
export function texts(value: unknown): readonly string[] {
  return list(value).filter((item) => typeof item === 'string');
}
