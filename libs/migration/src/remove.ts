import type { Client, ResourceKind } from '@capstan/kube';
import { ignoreNotFound, isConflict, isNotFound, ownerLevels } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { eachBounded } from './bounded.js';
import { DEFAULT_CONCURRENCY } from './inventory.js';
import type { MovedObject } from './inventory.js';

export interface RemoveOptions {
  readonly client: Client;
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Deletes objects without any controller finalizing them: finalizers are taken off first, and whatever they own is orphaned.
 * Only for objects whose controllers do not run: the instances they stand for stay as they are.
 */
export async function removeWithoutFinalizing(
  objects: readonly Pick<MovedObject, 'object' | 'kind'>[],
  { client, concurrency = DEFAULT_CONCURRENCY, signal }: RemoveOptions,
): Promise<void> {
  const remove = ({ kind, object }: Pick<MovedObject, 'object' | 'kind'>): Promise<void> =>
    removeOne(client, kind.source, object, signal);
  const isDeleted = ({ object }: Pick<MovedObject, 'object'>): boolean => object.metadata.deletionTimestamp != null;
  await eachBounded(
    objects.filter((each) => !isDeleted(each)),
    concurrency,
    remove,
  );
  // They are gone at once, and orphan nothing any more: what they own goes before them.
  const deleted = new Map(objects.filter(isDeleted).map((each) => [each.object, each]));
  for (const level of ownerLevels([...deleted.keys()]).toReversed())
    await eachBounded(
      level.flatMap((object) => deleted.get(object) ?? []),
      concurrency,
      remove,
    );
}

/** The finalizer by which the garbage collector takes a deleted owner off what it owned; it takes this one off itself. */
const ORPHAN_FINALIZER = 'orphan';

async function removeOne(
  client: Client,
  kind: ResourceKind,
  object: KubeObject,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { name = '', namespace, uid } = object.metadata;
  let current: KubeObject | undefined = object;
  while (current !== undefined) {
    const { deletionTimestamp, finalizers = [], resourceVersion } = current.metadata;
    const kept = finalizers.filter((each) => each === ORPHAN_FINALIZER);
    try {
      if (kept.length < finalizers.length) {
        const value = { metadata: { finalizers: kept, uid, resourceVersion } };
        await client.patch(kind, name, { type: 'merge', value }, { namespace, signal });
      }
      if (deletionTimestamp != null) return;
      const preconditions = { uid };
      await client.delete(kind, name, { namespace, propagationPolicy: 'Orphan', preconditions, signal });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error)) throw error;
      current = await client.get(kind, name, { namespace, signal }).catch(ignoreNotFound);
      // Another object of that name is not ours to delete.
      if (current?.metadata.uid !== uid) return;
    }
  }
}
