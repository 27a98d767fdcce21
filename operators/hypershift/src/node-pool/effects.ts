import { apply, patchFrom } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';
import { deepEqual, isNotFound } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';

/** One write. What is decided is a list of them, empty when everything is as it should be. */
export type Effect =
  | { readonly act: 'create'; readonly kind: ResourceKind; readonly object: KubeObject }
  | { readonly act: 'patch'; readonly kind: ResourceKind; readonly before: KubeObject; readonly after: KubeObject }
  | { readonly act: 'apply'; readonly kind: ResourceKind; readonly object: KubeObject }
  | { readonly act: 'delete'; readonly kind: ResourceKind; readonly object: KubeObject };

/** Who owns the fields of what is applied. */
export const FIELD_OWNER = 'hypershift-operator';

/** What makes an object as it should be: nothing when it is. */
export function bring(kind: ResourceKind, before: KubeObject | undefined, after: KubeObject): readonly Effect[] {
  if (before === undefined) return [{ act: 'create', kind, object: after }];
  return deepEqual(before, after) ? [] : [{ act: 'patch', kind, before, after }];
}

/** Whether a value has all that another has; lists count whole. What servers fill in is not looked at. */
export function covers(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) && value.length === wanted.length && wanted.every((each, at) => covers(value[at], each))
    );
  if (typeof wanted !== 'object' || wanted === null) return deepEqual(value, wanted);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(wanted).every(([key, each]) => each === undefined || covers((value as JsonObject)[key], each));
}

/**
 * Writes one effect. Patches and deletions are of the very object that was looked at: whatever came in between makes them
 * fail, and the pool is looked at again.
 */
export async function perform(client: Client, effect: Effect, signal: AbortSignal): Promise<void> {
  const { kind } = effect;
  switch (effect.act) {
    case 'create':
      await client.create(kind, effect.object, { signal });
      return;
    case 'apply':
      await apply(client, kind, effect.object, { fieldOwner: FIELD_OWNER, force: true, signal });
      return;
    case 'patch':
      await patchFrom(client, kind, effect, { optimisticLock: true, signal });
      return;
    case 'delete':
      await remove(client, kind, effect.object, signal);
  }
}

async function remove(client: Client, kind: ResourceKind, object: KubeObject, signal: AbortSignal): Promise<void> {
  const { name = '', namespace, uid } = object.metadata;
  try {
    await client.delete(kind, name, { namespace, preconditions: { uid }, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
