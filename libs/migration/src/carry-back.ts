import type { Client, ResourceKind } from '@capstan/kube';
import { deepEqual, ignoreNotFound, isNotFound, remapOwnerReferences } from '@capstan/meta';
import type { KubeObject, ObjectMeta } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';
import { eachBounded } from './bounded.js';
import { COPIED_FROM_ANNOTATION, COPIED_GENERATION_ANNOTATION, copyObjects, ownerOf } from './copy.js';
import type { NewOwner } from './copy.js';
import { allowedFinalizers } from './finalizers.js';
import { rebaseGenerations } from './generations.js';
import { DEFAULT_CONCURRENCY } from './inventory.js';
import type { MovedObject } from './inventory.js';
import { merged } from './merge.js';
import { findOriginal, hadCopy } from './pairs.js';
import type { CopyRecord } from './record.js';
import { removeWithoutFinalizing } from './remove.js';
import { swapObject } from './swap.js';

export interface CarryBackOptions {
  readonly client: Client;
  readonly mapping: GroupMapping;
  readonly concurrency?: number | undefined;
  /** The original as it is to be, from how it was and how its copy is now: what stays as it was is the caller's to say. */
  readonly keep: (original: KubeObject, wanted: KubeObject) => KubeObject;
  /** What the originals were when they were copied; undefined where they were deleted since then, after the commit. */
  readonly record?: CopyRecord | undefined;
  /** An object without what the migration itself has written to it, as it was recorded. */
  readonly normalize?: ((object: KubeObject) => KubeObject) | undefined;
  /** An original that has to be created, as it is to be. */
  readonly adapt?: ((wanted: KubeObject) => KubeObject) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Brings originals to the state of their copies, whose controllers have acted since they were made: changes are written,
 * objects that only exist as copies are created unless a client has deleted their originals, and originals of deleted copies are
 * removed without being finalized, since what they stood for is gone. Objects that were never copied are another client's, and stay. The originals by the UID of
 * their copies, for what the copies own.
 */
export async function carryBack(
  copies: readonly MovedObject[],
  originals: readonly MovedObject[],
  options: CarryBackOptions,
): Promise<ReadonlyMap<string, NewOwner>> {
  const { adapt, client, concurrency = DEFAULT_CONCURRENCY, mapping, record, signal } = options;
  const originalOf = findOriginal(originals, mapping);
  const pairs = copies.map((copy) => ({ copy, original: originalOf(copy) }));
  const owners = new Map<string, NewOwner>();
  for (const { copy, original } of pairs)
    if (original !== undefined) owners.set(copy.object.metadata.uid ?? '', ownerOf(original.object));
  const created = pairs
    .filter(({ copy, original }) => original === undefined && record?.has(copy.object.metadata.uid ?? '') !== true)
    .map(({ copy }) => copy);
  const made = await copyObjects(created, { client, mapping, concurrency, owners, adapt, signal });
  for (const [uid, object] of made) owners.set(uid, ownerOf(object));
  const moved = new Set(copies.map(({ object }) => object.metadata.uid ?? ''));
  await eachBounded(pairs, concurrency, async ({ copy, original }) => {
    if (original !== undefined) await bringBack(copy.object, original, { moved, owners }, options);
  });
  const kept = new Set(pairs.map(({ original }) => original));
  const isOld = hadCopy(copies, record);
  const gone = originals.filter((each) => !kept.has(each) && !isCreated(each.object, made) && isOld(each.object));
  await removeWithoutFinalizing(gone, { client, concurrency, signal });
  return owners;
}

/** An attempt that was cut off has created it already. */
function isCreated({ metadata }: KubeObject, made: ReadonlyMap<string, KubeObject>): boolean {
  return [...made.values()].some((each) => each.metadata.uid === metadata.uid);
}

async function bringBack(
  copy: KubeObject,
  { kind: { source }, object: original }: MovedObject,
  { moved, owners }: { readonly moved: ReadonlySet<string>; readonly owners: ReadonlyMap<string, NewOwner> },
  { client, keep, mapping, normalize = (object) => object, record, signal }: CarryBackOptions,
): Promise<void> {
  const swapped = swapObject(copy, mapping);
  const base = record?.get(copy.metadata.uid ?? '');
  const { annotations, body: from, finalizers, labels } = merged({ base, original, swapped }, normalize);
  // An owner whose original a client has deleted is none any more: to the garbage collector, nothing else would be left.
  const ownerReferences = swapped.metadata.ownerReferences?.filter(({ uid }) => owners.has(uid) || !moved.has(uid));
  const metadata = {
    ...original.metadata,
    labels,
    annotations: withMarksOf(original, annotations),
    finalizers: allowedFinalizers(original, finalizers),
    ownerReferences: remapOwnerReferences(ownerReferences, owners) as typeof ownerReferences,
  };
  const { apiVersion, kind } = original;
  const wanted = keep(
    original,
    compact({ ...from, apiVersion, kind, metadata: metadata as ObjectMeta, status: original['status'] }),
  );
  const written = deepEqual(compact(original), wanted) ? original : await client.update(source, wanted, { signal });
  await bringStatusBack(client, source, { copy, swapped, written }, signal);
  // Its private controller was deleting it: the standard one goes on with that.
  if (copy.metadata.deletionTimestamp == null || original.metadata.deletionTimestamp != null) return;
  const { name = '', namespace, uid } = original.metadata;
  await client.delete(source, name, { namespace, preconditions: { uid }, signal }).catch(ignoreNotFound);
}

interface Written {
  readonly copy: KubeObject;
  readonly swapped: KubeObject;
  readonly written: KubeObject;
}

async function bringStatusBack(
  client: Client,
  source: ResourceKind,
  { copy, swapped, written }: Written,
  signal: AbortSignal | undefined,
): Promise<void> {
  const from = copy.metadata.generation ?? 1;
  const to = written.metadata.generation ?? 1;
  const status = rebaseGenerations(swapped['status'], { from, to });
  if (status === undefined || deepEqual(written['status'], status)) return;
  await client
    .update(source, { ...written, status }, { subresource: 'status', signal })
    .catch((error: unknown) =>
      isNotFound(error) ? client.update(source, { ...written, status }, { signal }) : Promise.reject(error as Error),
    );
}

/** Of the copy; an original that an earlier attempt created stays recognizable as one. */
function withMarksOf({ metadata }: KubeObject, of: Annotations): Annotations {
  const { [COPIED_FROM_ANNOTATION]: _, [COPIED_GENERATION_ANNOTATION]: __, ...rest } = of ?? {};
  const marks = [COPIED_FROM_ANNOTATION, COPIED_GENERATION_ANNOTATION].flatMap((name) => {
    const value = metadata.annotations?.[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const all = { ...rest, ...Object.fromEntries(marks) };
  return Object.keys(all).length === 0 ? undefined : all;
}

type Annotations = KubeObject['metadata']['annotations'];

/** Without fields that are undefined, which no server returns. */
function compact(object: KubeObject): KubeObject {
  const defined = <T extends object>(of: T): T =>
    Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as T;
  return { ...defined(object), metadata: defined(object.metadata) } as KubeObject;
}
