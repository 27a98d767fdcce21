import type { KubeObject } from '@capstan/meta';
import { trackUpdate } from '../apply/index.js';
import type { ServedResource } from './served-resource.js';

/** Who writes, and when: what managed fields record. */
export interface Writer {
  readonly manager: string;
  /** RFC 3339, whole seconds. */
  readonly time: string;
}

/** Records in the object who set which of its fields; `live` is what is stored, in the same version. */
export function trackFields(
  served: ServedResource,
  subresource: string,
  objects: { readonly live: KubeObject | undefined; readonly next: KubeObject },
  writer: Writer,
): void {
  const { live, next } = objects;
  setManagedFields(next, trackUpdate(served.applyScope(subresource), { live, next, ...writer }));
}

/** Sets or removes the list. */
export function setManagedFields(object: KubeObject, entries: KubeObject['metadata']['managedFields'] | undefined): void {
  if (entries === undefined || entries.length === 0) delete object.metadata.managedFields;
  else object.metadata.managedFields = entries;
}
