/** What a conversion webhook may make of an object: anything but another object. */
import { fieldErrorsMessage, goTypeName, stringifyJson, validateAnnotations, validateLabels } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { describeValue } from '../codec/index.js';

/** A converted object, or what is wrong with it; `bare` faults are reported without naming the webhook. */
export type Checked =
  | { readonly object: KubeObject }
  | { readonly fault: string; readonly about: 'bare' | 'version' | 'object' | 'metadata' };

/** Checks what came back for an object. All of its metadata stays what it was, labels and annotations left out. */
export function checkConverted(original: KubeObject, converted: unknown, desired: string): Checked {
  if (typeof converted !== 'object' || converted === null || Array.isArray(converted))
    return { fault: unreadable(converted), about: 'bare' };
  const given = converted as JsonObject;
  const { apiVersion, kind } = given;
  if (typeof kind !== 'string' || kind === '')
    return { fault: `Object 'Kind' is missing in '${stringifyJson(given)}'`, about: 'bare' };
  if (apiVersion !== desired) {
    const received = typeof apiVersion === 'string' ? apiVersion : '';
    return { fault: `invalid groupVersion (expected ${desired}, received ${received})`, about: 'version' };
  }
  if (kind !== original.kind)
    return { fault: `invalid kind (expected ${original.kind}, received ${kind})`, about: 'version' };
  const changed = changedIdentity(original, given);
  if (changed !== undefined) return { fault: changed, about: 'object' };
  const metadata = restoredMetadata(original, given);
  if (typeof metadata === 'string') return { fault: metadata, about: 'metadata' };
  return { object: { ...given, metadata } as unknown as KubeObject };
}

function unreadable(value: unknown): string {
  // Null leaves the real server with no bytes at all.
  if (value === null || value === undefined) return 'unexpected end of JSON input';
  return `json: cannot unmarshal ${describeValue(value)} into Go value of type map[string]interface {}`;
}

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

function changedIdentity({ metadata }: KubeObject, converted: JsonObject): string | undefined {
  const given = asMap(converted['metadata']);
  for (const [field, shown] of IDENTITY) {
    const expected = metadata[field] ?? '';
    const actual = given?.[field];
    const received = typeof actual === 'string' ? actual : '';
    if (expected !== received) return `must have the same ${shown}: ${expected} != ${received}`;
  }
  return undefined;
}

function restoredMetadata(original: KubeObject, converted: JsonObject): JsonObject | string {
  const given = converted['metadata'];
  if (given === undefined) return 'missing metadata in converted object';
  const fields = asMap(given);
  if (fields === undefined) return `invalid metadata of type ${typeName(given)} in converted object`;
  const metadata = { ...original.metadata } as unknown as JsonObject;
  for (const field of ['labels', 'annotations'] as const) {
    const value = fields[field];
    if (value === undefined || value === null) {
      delete metadata[field];
      continue;
    }
    const fault = textsFault(field, value, original.metadata[field]);
    if (fault !== undefined) return fault;
    metadata[field] = value;
  }
  return metadata;
}

/** Texts that were there before are not looked at again. */
function textsFault(
  field: 'labels' | 'annotations',
  value: unknown,
  before: Readonly<Record<string, string>> | undefined,
): string | undefined {
  const texts = asMap(value);
  if (texts === undefined) return `invalid metadata.${field} of type ${typeName(value)} in converted object`;
  let hasChanged = Object.keys(texts).length !== Object.keys(before ?? {}).length;
  for (const [key, each] of Object.entries(texts)) {
    if (typeof each !== 'string')
      return `metadata.${field}[${key}] must be a string, but is ${typeName(each)} in converted object`;
    if (before === undefined || !Object.hasOwn(before, key) || before[key] !== each) hasChanged = true;
  }
  if (!hasChanged) return undefined;
  const errors =
    field === 'labels'
      ? validateLabels(texts as Record<string, string>, 'metadata.labels')
      : validateAnnotations(texts as Record<string, string>, 'metadata.annotation');
  return errors.length === 0 ? undefined : fieldErrorsMessage(errors);
}

function typeName(value: unknown): string {
  return value === null ? '<nil>' : goTypeName(value);
}

function asMap(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}
