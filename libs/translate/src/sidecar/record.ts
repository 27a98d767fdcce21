import type { JsonObject } from '@capstan/meta';
import { SidecarError } from './errors.js';
import type { EnvVar, List, PodTemplate } from './pod.js';
import { annotationsOf } from './pod.js';

/** Annotation of a pod template: what adding the proxy has changed in it, as JSON. */
export const RECORD_ANNOTATION = 'hypershift.openshift.io/kube-apiserver-proxy-changes';

/** How a field without a value was written. */
export type Blank = 'absent' | 'null';

/** How fields were written that had no value before the proxy was added, by name. */
export type Blanks<K extends string> = Partial<Record<K, Blank>>;

/** What was changed in one container. */
export interface ContainerRecord {
  readonly blanks: Blanks<'args' | 'env' | 'volumeMounts'>;
  /** Earlier values of `KUBECONFIG`, in their order. */
  readonly env: readonly EnvVar[];
  /** By flag, the arguments that it was earlier, in their order. */
  readonly flags: Readonly<Record<string, readonly (readonly string[])[]>>;
}

/** What removing the proxy must restore; everything else that it added is found by its name. */
export interface SidecarRecord {
  readonly version: 1;
  readonly blanks: Blanks<'metadata' | 'annotations' | 'initContainers' | 'volumes'>;
  readonly containers: Readonly<Record<string, ContainerRecord>>;
}

/** The record of a template; undefined where no proxy was added to it. */
export function readRecord(template: PodTemplate): SidecarRecord | undefined {
  const text = annotationsOf(template)[RECORD_ANNOTATION];
  if (text === undefined) return undefined;
  const record = parsed(text) as SidecarRecord | undefined;
  if (record?.version === 1) return record;
  throw new SidecarError(
    'not-recorded',
    `annotation ${RECORD_ANNOTATION} is not readable by this version: remove the proxy by hand, or with the version that added it`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How a field is written that has no value; undefined where it has one. */
export function blankOf(value: unknown): Blank | undefined {
  if (value === undefined) return 'absent';
  return value === null ? 'null' : undefined;
}

/** The fields of an object that have no value. */
export function blanksOf<K extends string>(object: JsonObject, ...keys: K[]): Blanks<K> {
  const blanks: Blanks<K> = {};
  for (const key of keys) {
    const blank = blankOf(object[key]);
    if (blank !== undefined) blanks[key] = blank;
  }
  return blanks;
}

/** An object with a list in place of another. One that is empty now and had no value before is written as it was. */
export function withList<T extends JsonObject>(object: T, key: string, list: List<unknown>, blank?: Blank): T {
  return list === undefined || list === null || list.length > 0 || blank === undefined
    ? restored(object, key, list)
    : restored(object, key, blank === 'null' ? null : undefined);
}

/** An object with another value of a field; undefined leaves the field out. */
export function restored<T extends JsonObject>(object: T, key: string, value: unknown): T {
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _, ...rest } = object;
  return rest as T;
}
