import type { KubeObject, OwnerReference } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';

/** An object whose deletion, or whose owner's, is still the garbage collector's. */
export interface PendingCollection {
  readonly object: KubeObject;
  readonly reason: string;
}

/** By these the garbage collector takes part in a deletion. */
const FOREGROUND_FINALIZER = 'foregroundDeletion';
const ORPHAN_FINALIZER = 'orphan';

/**
 * What has to be waited for before objects are copied. A deletion that waits for finalizers is not among it: copies are deleted
 * in the same way, and the controllers that the finalizers belong to go on with them. The garbage collector cannot be stopped
 * with these controllers: what it is about to do to originals must be done before they are copied.
 */
export function pendingCollections(
  objects: readonly KubeObject[],
  mapping: GroupMapping,
): readonly PendingCollection[] {
  const byUid = new Map(objects.map((object) => [object.metadata.uid ?? '', object]));
  return objects.flatMap((object) => {
    const reason = reasonOf(object, byUid, mapping);
    return reason === undefined ? [] : [{ object, reason }];
  });
}

function reasonOf(
  object: KubeObject,
  byUid: ReadonlyMap<string, KubeObject>,
  mapping: GroupMapping,
): string | undefined {
  const { finalizers = [] } = object.metadata;
  if (isDeleted(object)) return finalizers.includes(ORPHAN_FINALIZER) ? 'its dependents are orphaned' : undefined;
  for (const reference of object.metadata.ownerReferences ?? []) {
    const owner = byUid.get(reference.uid);
    if (owner === undefined && isMoved(reference, mapping)) return `its owner ${reference.name} is deleted`;
    if (owner !== undefined && isCollectedWith(owner, reference)) return `it is deleted with ${reference.name}`;
  }
  return undefined;
}

/** Whether the garbage collector deletes what blocks the deletion of the owner. */
function isCollectedWith(owner: KubeObject, { blockOwnerDeletion }: OwnerReference): boolean {
  const isForeground = owner.metadata.finalizers?.includes(FOREGROUND_FINALIZER) === true;
  return isDeleted(owner) && isForeground && blockOwnerDeletion === true;
}

function isMoved({ apiVersion }: OwnerReference, mapping: GroupMapping): boolean {
  return mapping.swapApiVersion(apiVersion) !== apiVersion;
}

function isDeleted({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp != null;
}
