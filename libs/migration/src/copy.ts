import type { Client, ResourceKind } from '@capstan/kube';
import { deepEqual, formatApiVersion, ignoreNotFound, isAlreadyExists, isNotFound } from '@capstan/meta';
import { ownerLevels, remapOwnerReferences } from '@capstan/meta';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';
import { eachBounded } from './bounded.js';
import { MigrationError } from './errors.js';
import { DEFAULT_CONCURRENCY, nameOfObject } from './inventory.js';
import type { MovedObject } from './inventory.js';
import { allowedFinalizers } from './finalizers.js';
import { rebaseGenerations } from './generations.js';
import { isSameParts, partsOf } from './record.js';
import { swapObject } from './swap.js';

/** The UID of the object that a copy was made of. */
export const COPIED_FROM_ANNOTATION = 'hypershift.openshift.io/migrated-from-uid';
/** The generation that it had then: it shows later changes of the original. */
export const COPIED_GENERATION_ANNOTATION = 'hypershift.openshift.io/migrated-from-generation';

export interface CopyOptions {
  readonly client: Client;
  readonly mapping: GroupMapping;
  /** Requests at once. Default 8. */
  readonly concurrency?: number | undefined;
  /** What owners that are not among the objects are called in the other groups, by UID. */
  readonly owners?: ReadonlyMap<string, NewOwner> | undefined;
  /** Changes a copy before it is created; one that is there already stays as it is. */
  readonly adapt?: ((copy: KubeObject) => KubeObject) | undefined;
  /**
   * Copies that are there already are brought to what their originals are now, which may have been written since an earlier
   * attempt: for as long as nobody acts on the copies, and for identities, which clusters share.
   */
  readonly isRefreshed?: boolean | undefined;
  /**
   * Copies that an earlier attempt has created, as they were listed: they are not asked for again. One that is not among
   * them, or in another version, is found when it cannot be created.
   */
  readonly existing?: readonly MovedObject[] | undefined;
  /** Called after each object that was written, for progress. */
  readonly onCopied?: ((copy: KubeObject) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What an owner is called once it is copied. */
export type NewOwner = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>;

/**
 * Copies the objects under the other names of their groups, owners first, each with status, finalizers and field managers;
 * one that is being deleted has a copy that is being deleted. Copies that are there already are completed where an earlier
 * attempt was cut off. The copies by the UID of their original.
 */
export async function copyObjects(
  objects: readonly MovedObject[],
  options: CopyOptions,
): Promise<ReadonlyMap<string, KubeObject>> {
  const kindOf = new Map(objects.map(({ kind, object }) => [object, kind]));
  const existing = new Map((options.existing ?? []).map(({ object }) => [identityKey(object), object]));
  const copies = new Map<string, KubeObject>();
  const owners = new Map<string, NewOwner>(options.owners);
  for (const level of ownerLevels(objects.map(({ object }) => object))) {
    await eachBounded(level, options.concurrency ?? DEFAULT_CONCURRENCY, async (object) => {
      const target = kindOf.get(object)?.target;
      if (target === undefined)
        throw new MigrationError('missing-kind', `${nameOfObject(object)}: no CRD serves its kind in the other group`);
      const copy = await copyObject(object, target, { existing, owners }, options);
      copies.set(object.metadata.uid ?? '', copy);
      options.onCopied?.(copy);
    });
    for (const object of level) {
      const copy = copies.get(object.metadata.uid ?? '');
      if (copy !== undefined) owners.set(object.metadata.uid ?? '', ownerOf(copy));
    }
  }
  await deleteAsOriginals(objects, copies, options);
  return copies;
}

/** Begins deletions once every copy is there: the garbage collector takes an owner before what it owns, if it finds nothing. */
async function deleteAsOriginals(
  objects: readonly MovedObject[],
  copies: ReadonlyMap<string, KubeObject>,
  { client, concurrency = DEFAULT_CONCURRENCY, signal }: CopyOptions,
): Promise<void> {
  const deleted = objects.filter(({ object }) => object.metadata.deletionTimestamp != null);
  await eachBounded(deleted, concurrency, async ({ kind, object }) => {
    const copy = copies.get(object.metadata.uid ?? '');
    if (copy !== undefined && kind.target !== undefined) await ensureDeleted(client, kind.target, copy, signal);
  });
}

/** How references name an object. */
export function ownerOf({ apiVersion, kind, metadata: { name = '', uid = '' } }: KubeObject): NewOwner {
  return { apiVersion, kind, name, uid };
}

function identityKey({ apiVersion, kind, metadata: { name = '', namespace = '' } }: KubeObject): string {
  return `${apiVersion} ${kind} ${namespace}/${name}`;
}

/** What is there before an object is copied. */
interface Before {
  readonly existing: ReadonlyMap<string, KubeObject>;
  readonly owners: ReadonlyMap<string, NewOwner>;
}

async function copyObject(
  object: KubeObject,
  target: ResourceKind,
  { existing, owners }: Before,
  { adapt = (copy) => copy, client, isRefreshed = false, mapping, signal }: CopyOptions,
): Promise<KubeObject> {
  const wanted = adapt(copyOf(object, target, { mapping, owners }));
  // Others release identities as well, which clusters share: whether one is there, only the server knows.
  const there = target.namespaced ? existing.get(identityKey(wanted)) : undefined;
  const created = await ensureCreated(client, target, { wanted, isRefreshed, there }, signal);
  const withStatus = await ensureStatus(client, target, { created, object, wanted }, signal);
  return ensureManagedFields(client, target, { before: withStatus, wanted }, signal);
}

/** Begins to delete a copy, whose finalizers hold it: otherwise controllers would take another object in its place. */
async function ensureDeleted(
  client: Client,
  target: ResourceKind,
  { metadata: { deletionTimestamp, name = '', namespace, uid } }: KubeObject,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (deletionTimestamp != null) return;
  await client.delete(target, name, { namespace, preconditions: { uid }, signal }).catch(ignoreNotFound);
}

export interface CopyContext {
  readonly mapping: GroupMapping;
  /** New owners by the UID of the old ones. */
  readonly owners: ReadonlyMap<string, NewOwner>;
}

/**
 * The copy as it is created: everything but what the server assigns. Throws when an owner was not copied before; an object that is
 * being deleted may have outlived its owner, and its copy has none then.
 */
export function copyOf(object: KubeObject, target: ResourceKind, { mapping, owners }: CopyContext): KubeObject {
  const swapped = swapObject(object, mapping);
  const { annotations, finalizers, labels, managedFields, name, namespace } = swapped.metadata;
  const isDangling = ({ apiVersion, uid }: OwnerReference): boolean =>
    mapping.swapApiVersion(apiVersion) !== apiVersion && !owners.has(uid);
  const dangling = (object.metadata.ownerReferences ?? []).findIndex(isDangling);
  // To the garbage collector, an owner whose UID is not there is gone, and so is what it owned.
  if (dangling !== -1 && object.metadata.deletionTimestamp == null) {
    const { name: owner } = object.metadata.ownerReferences?.[dangling] ?? {};
    const where = `metadata.ownerReferences[${dangling}]`;
    throw new MigrationError('missing-owner', `${nameOfObject(object)}: ${where} names ${owner}, which is not copied`);
  }
  const references = dangling === -1 ? swapped.metadata.ownerReferences : withOwner(swapped, owners, mapping);
  const ownerReferences = remapOwnerReferences(references, owners);
  const metadata = {
    name,
    namespace,
    labels,
    annotations: {
      ...annotations,
      [COPIED_FROM_ANNOTATION]: object.metadata.uid ?? '',
      [COPIED_GENERATION_ANNOTATION]: String(object.metadata.generation ?? 1),
    },
    finalizers,
    ownerReferences,
    managedFields,
  };
  const present = Object.entries(metadata).filter(([, value]) => value !== undefined);
  return { ...swapped, apiVersion: formatApiVersion(target), kind: target.kind, metadata: Object.fromEntries(present) };
}

/** References of a copy, without those to objects of moved groups that are gone. */
function withOwner(
  { metadata: { ownerReferences = [] } }: KubeObject,
  owners: CopyContext['owners'],
  mapping: GroupMapping,
): readonly OwnerReference[] {
  return ownerReferences.filter(
    ({ apiVersion, uid }) => mapping.swapApiVersion(apiVersion) === apiVersion || owners.has(uid),
  );
}

interface Creation {
  readonly wanted: KubeObject;
  readonly isRefreshed: boolean;
  /** As it was listed, where it is known to be there. */
  readonly there: KubeObject | undefined;
}

async function ensureCreated(
  client: Client,
  target: ResourceKind,
  { isRefreshed, there: listed, wanted }: Creation,
  signal: AbortSignal | undefined,
): Promise<KubeObject> {
  const { managedFields: _, ...metadata } = wanted.metadata;
  const { name = '', namespace } = metadata;
  if (listed === undefined)
    try {
      return await client.create(target, { ...wanted, metadata }, { signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  const there = listed ?? (await client.get(target, name, { namespace, signal }));
  if (isCopyFor(there, wanted, target)) return isRefreshed ? refresh(client, target, { there, wanted }, signal) : there;
  const reason = `${nameOfObject(there)} exists and is no copy of the object with UID`;
  const uid = wanted.metadata.annotations?.[COPIED_FROM_ANNOTATION] ?? '';
  throw new MigrationError('foreign-copy', `${reason} ${uid}: delete it, or rename one of the two`);
}

/** Whether it may stand for the wanted one: an identity outlives its original, which a user may have recreated. */
function isCopyFor({ metadata }: KubeObject, wanted: KubeObject, { namespaced }: ResourceKind): boolean {
  const from = metadata.annotations?.[COPIED_FROM_ANNOTATION];
  return from === wanted.metadata.annotations?.[COPIED_FROM_ANNOTATION] || (!namespaced && from !== undefined);
}

async function refresh(
  client: Client,
  target: ResourceKind,
  { there, wanted }: { readonly there: KubeObject; readonly wanted: KubeObject },
  signal: AbortSignal | undefined,
): Promise<KubeObject> {
  const { annotations, labels, ownerReferences } = wanted.metadata;
  const { status } = there;
  const finalizers = allowedFinalizers(there, wanted.metadata.finalizers);
  const metadata = { ...there.metadata, annotations, finalizers, labels, ownerReferences } as KubeObject['metadata'];
  const after = { ...wanted, metadata, status };
  const isSame = isSameParts(partsOf(there), partsOf(after));
  if (isSame && deepEqual(there.metadata.ownerReferences, ownerReferences)) return there;
  return client.update(target, after, { signal });
}

interface Created {
  readonly object: KubeObject;
  readonly created: KubeObject;
  readonly wanted: KubeObject;
}

/** A status is written on its own: servers ignore it on creation. */
async function ensureStatus(
  client: Client,
  target: ResourceKind,
  { created, object, wanted }: Created,
  signal: AbortSignal | undefined,
): Promise<KubeObject> {
  if (wanted['status'] === undefined) return created;
  const { generation: to = 1 } = created.metadata;
  const status = rebaseGenerations(wanted['status'], { from: object.metadata.generation ?? 1, to });
  if (deepEqual(created['status'], status)) return created;
  try {
    return await client.update(target, { ...created, status }, { subresource: 'status', signal });
  } catch (error) {
    // Kinds without a status subresource took it on creation.
    if (!isNotFound(error)) throw error;
    return client.update(target, { ...created, status }, { signal });
  }
}

/** Field managers as they were, in a patch that changes nothing else, so that server-side apply goes on where it was. */
async function ensureManagedFields(
  client: Client,
  target: ResourceKind,
  { before, wanted }: { readonly before: KubeObject; readonly wanted: KubeObject },
  signal: AbortSignal | undefined,
): Promise<KubeObject> {
  const { managedFields } = wanted.metadata;
  if (managedFields === undefined || deepEqual(before.metadata.managedFields, managedFields)) return before;
  const { name = '', namespace, resourceVersion } = before.metadata;
  const value = { metadata: { managedFields, resourceVersion } };
  return client.patch(target, name, { type: 'merge', value }, { namespace, signal });
}
