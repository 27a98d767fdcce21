import type { KubeObject } from '@capstan/meta';
import type { Client } from './client.js';
import { patchFrom } from './patches.js';
import type { ResourceRef } from './resource.js';

/** Whether the object has the finalizer. */
export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) === true;
}

/** A copy with the finalizer; the very same object when it has it. */
export function withFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  if (hasFinalizer(object, finalizer)) return object;
  const finalizers = [...(object.metadata.finalizers ?? []), finalizer];
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

/** A copy without the finalizer; the very same object when it has none. */
export function withoutFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  if (!hasFinalizer(object, finalizer)) return object;
  const finalizers = object.metadata.finalizers?.filter((each) => each !== finalizer) ?? [];
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

/**
 * Writes the finalizer, before the first thing it is to undo is done. Refused with a conflict when the object has changed:
 * the list of finalizers is replaced whole.
 */
export function addFinalizer<T extends KubeObject>(
  client: Client,
  ref: ResourceRef,
  object: T,
  finalizer: string,
): Promise<T> {
  return patchFrom(client, ref, { before: object, after: withFinalizer(object, finalizer) }, { optimisticLock: true });
}

/** Takes the finalizer off, once nothing is left to be undone. Refused with a conflict when the object has changed. */
export function removeFinalizer<T extends KubeObject>(
  client: Client,
  ref: ResourceRef,
  object: T,
  finalizer: string,
): Promise<T> {
  const after = withoutFinalizer(object, finalizer);
  return patchFrom(client, ref, { before: object, after }, { optimisticLock: true });
}
