/** The annotation of client-side apply, which kubectl's server-side apply takes over from. */
import { JsonSyntaxError, annotationsMaxBytes, parseJson, utf8Length, getOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { ApplyType } from './apply-type.js';
import { asMap } from './apply-type.js';
import { compareValues } from './compare.js';
import { difference, hasPath } from './field-set.js';
import { fieldSetOf } from './field-set-of.js';
import { goJson } from './go-json.js';
import { ItemError } from './path-element.js';
import type { ApplyScope } from './scope.js';
import { ApplyTypeError } from './type-error.js';
import { requireFit } from './validate.js';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

function annotationsOf(object: JsonObject): JsonObject | undefined {
  return asMap(asMap(object['metadata'])?.['annotations']);
}

function lastApplied(object: JsonObject): string {
  const annotations = annotationsOf(object);
  const text = annotations === undefined ? undefined : getOwn(annotations, ANNOTATION);
  return typeof text === 'string' ? text : '';
}

/**
 * The fields client-side apply set and that still have its values: a server-side apply may take these without force.
 * Undefined when there is no annotation to decide it.
 */
export function allowedByLastApplied(
  live: { readonly value: unknown; readonly type: ApplyType },
  scope: ApplyScope,
): ((path: readonly string[]) => boolean) | undefined {
  const text = lastApplied(live.value as JsonObject);
  if (text === '') return undefined;
  try {
    const applied = asMap(parseJson(text).value);
    if (applied === undefined || applied['apiVersion'] !== scope.apiVersion) return undefined;
    requireFit(live.value, live.type);
    requireFit(applied, live.type);
    const { added, modified, removed } = compareValues(applied, live.value, live.type);
    const set = difference(difference(difference(fieldSetOf(applied, live.type), modified), added), removed);
    return (path) => hasPath(set, path);
  } catch (error) {
    if (error instanceof ApplyTypeError || error instanceof ItemError || error instanceof JsonSyntaxError)
      return undefined;
    throw error;
  }
}

/** The object with the annotation brought up to date, if it has one; it goes when it makes the annotations too large. */
export function refreshLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  if (lastApplied(object) === '') return object;
  const annotations = { ...annotationsOf(object) };
  annotations[ANNOTATION] = `${goJson(withoutAnnotation(config), 'document')}\n`;
  if (sizeOf(annotations) > annotationsMaxBytes) delete annotations[ANNOTATION];
  return { ...object, metadata: { ...asMap(object['metadata']), annotations } };
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const annotations = annotationsOf(config);
  if (annotations === undefined || !Object.hasOwn(annotations, ANNOTATION)) return config;
  const { [ANNOTATION]: _last, ...rest } = annotations;
  return { ...config, metadata: { ...asMap(config['metadata']), annotations: rest } };
}

function sizeOf(annotations: JsonObject): number {
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) size += utf8Length(key) + utf8Length(String(value));
  return size;
}
