import type { CoreKind } from '../kinds.js';
import type { Conditioned } from '../types.js';
import type { CoreObjects } from './core-objects.js';

/** Puts a finalizer on an object that lives; true when it had to be written, and the reconciliation is to stop. */
export async function ensureFinalizer<T extends Conditioned>(
  objects: CoreObjects,
  kind: CoreKind,
  object: T,
  finalizer: string,
): Promise<boolean> {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp != null || finalizers.includes(finalizer)) return false;
  const after = { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
  await objects.patch(kind, object, after);
  return true;
}

/** Takes a finalizer off, in memory. */
export function dropFinalizer(object: Conditioned, finalizer: string): void {
  object.metadata.finalizers = (object.metadata.finalizers ?? []).filter((each) => each !== finalizer);
}
