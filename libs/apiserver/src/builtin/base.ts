/** What strategies have in common. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import { assign, cloneJson, equalJson } from './shared/json.js';
import type { ResourceStrategy, UpdateStrategy } from './strategy.js';

/** Sets the generation of an update: one more when something that counts has changed, else as it was. */
export function setGeneration(obj: KubeObject, old: KubeObject, changed: boolean): void {
  const before = old.metadata.generation;
  assign(obj.metadata as JsonObject, 'generation', changed ? (before ?? 0) + 1 : before);
}

/** Counts changes of the named fields. */
function bumpGeneration(obj: KubeObject, old: KubeObject, fields: readonly string[] = ['spec']): void {
  setGeneration(
    obj,
    old,
    fields.some((field) => !equalJson(obj[field], old[field])),
  );
}

/** Puts back a field of the stored object, absent included. The two then share it; neither is mutated below that point. */
export function keepField(obj: KubeObject, old: KubeObject, field: string): void {
  assign(obj, field, old[field]);
}

/** Puts back what a status update may not touch in metadata, for the kinds that are strict about it. */
export function keepMetadata(obj: KubeObject, old: KubeObject): void {
  const metadata = obj.metadata as JsonObject;
  const before = old.metadata as JsonObject;
  for (const key of ['labels', 'annotations', 'finalizers', 'ownerReferences', 'deletionTimestamp', 'generation'])
    assign(metadata, key, before[key]);
}

/** A status update changes status alone; `more` keeps further parts of the stored object. */
export function statusUpdate(
  validateUpdate?: UpdateStrategy['validateUpdate'],
  more?: (obj: KubeObject, old: KubeObject) => void,
): UpdateStrategy {
  return {
    prepareForUpdate: (obj, old) => {
      keepField(obj, old, 'spec');
      more?.(obj, old);
    },
    ...(validateUpdate ? { validateUpdate } : {}),
  };
}

/** The flags most kinds share. */
export const BASE = {
  nameValidator: 'dns1123-subdomain',
  hasGeneration: false,
  allowCreateOnUpdate: false,
  allowUnconditionalUpdate: true,
  returnsDeletedObject: false,
  defaultGarbageCollection: 'Background',
  fieldLabels: {},
} as const satisfies ResourceStrategy;

/** A kind with `spec` and `status`: status emptied on create and kept on update, generation counted. */
export function specAndStatus(
  emptyStatus: Readonly<JsonObject>,
  overrides: Partial<ResourceStrategy>,
): ResourceStrategy {
  return {
    ...BASE,
    hasGeneration: true,
    prepareForCreate: (obj) => {
      obj['status'] = cloneJson(emptyStatus);
      obj.metadata.generation = 1;
    },
    prepareForUpdate: (obj, old) => {
      keepField(obj, old, 'status');
      bumpGeneration(obj, old);
    },
    subresources: { status: statusUpdate() },
    ...overrides,
  };
}

/** A kind with neither status nor generation. */
export function plain(overrides: Partial<ResourceStrategy>): ResourceStrategy {
  return { ...BASE, ...overrides };
}

/** A kind without status whose generation counts changes of the named fields. */
export function counted(fields: readonly string[], overrides: Partial<ResourceStrategy>): ResourceStrategy {
  return {
    ...BASE,
    hasGeneration: true,
    prepareForCreate: (obj) => {
      obj.metadata.generation = 1;
    },
    prepareForUpdate: (obj, old) => bumpGeneration(obj, old, fields),
    ...overrides,
  };
}
