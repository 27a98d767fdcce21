import type { JsonObject } from '@capstan/meta';

/** The two APIs for machines. */
export type Api = 'machine-api' | 'cluster-api';

/** What people call the APIs. */
export const API_NAMES: Readonly<Record<Api, string>> = { 'machine-api': 'Machine API', 'cluster-api': 'Cluster API' };

/** The API across. */
export function otherApi(api: Api): Api {
  return api === 'machine-api' ? 'cluster-api' : 'machine-api';
}

/** Where an object was read. */
export interface Place {
  /** `machines.yaml`, `standard input`, `the cluster`. */
  readonly file: string;
  /** Of several in the file, from 1. */
  readonly document?: number | undefined;
  /** Of the file, from 1. */
  readonly line?: number | undefined;
  /** Of a list, from 1. */
  readonly item?: number | undefined;
}

/** A place as messages show it: `machines.yaml, document 2, line 14`. */
export function placeText({ document, file, item, line }: Place): string {
  const parts = [
    file,
    ...(document === undefined ? [] : [`document ${document}`]),
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(item === undefined ? [] : [`item ${item}`]),
  ];
  return parts.join(', ');
}

/** A value that was read, and where: not yet known to be an object. */
export interface Read {
  readonly value: unknown;
  readonly place: Place;
  /** Whether it was found in a directory, where there may be files about anything. */
  readonly isFound?: boolean | undefined;
}

/** A file of a directory that cannot be read, and is about something else. */
export interface Unread {
  readonly file: string;
  readonly message: string;
}

/** What files hold. */
export interface ReadFiles {
  readonly reads: readonly Read[];
  readonly unread: readonly Unread[];
}

/** An object that was read. */
export interface Source {
  readonly object: JsonObject;
  readonly place: Place;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a field below some objects; empty where there is none. */
export function textAt(object: unknown, ...names: readonly string[]): string {
  let value = object;
  for (const name of names) value = isObject(value) ? value[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/** The group of an apiVersion; empty for the core group. */
export function groupOf(object: JsonObject): string {
  const text = textAt(object, 'apiVersion');
  return text.includes('/') ? text.slice(0, text.indexOf('/')) : '';
}

/** The kind that an object declares. */
export function kindOf(object: JsonObject): string {
  return textAt(object, 'kind');
}

/** The name of an object. */
export function nameOf(object: JsonObject): string {
  return textAt(object, 'metadata', 'name');
}
