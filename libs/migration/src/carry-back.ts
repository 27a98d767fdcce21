import type { Client, ResourceKind } from '@capstan/kube';
import { deepEqual, ignoreNotFound, isNotFound, remapOwnerReferences } from '@capstan/meta';
import type { KubeObject, ObjectMeta } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';
import { eachBounded } from './bounded.js';
import { COPIED_FROM_ANNOTATION, COPIED_GENERATION_ANNOTATION, copyObjects, ownerOf } from './copy.js';
import type { NewOwner } from './copy.js';
import { rebaseGenerations } from './generations.js';
import { DEFAULT_CONCURRENCY } from './inventory.js';
import type { MovedObject } from './inventory.js';
import { findOriginal } from './pairs.js';
import { removeWithoutFinalizing } from './remove.js';
import { swapObject } from './swap.js';

export interface CarryBackOptions {
  readonly client: Client;
  readonly mapping: GroupMapping;
  readonly concurrency?: number | undefined;
  /** The original as it is to be, from how it was and how its copy is now: what stays as it was is the caller's to say. */
  readonly keep: (original: KubeObject, wanted: KubeObject) => KubeObject;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Brings originals to the state of their copies, whose controllers have acted since they were made: changes are written,
 * objects that only exist as copies are created, and originals of deleted copies are removed without being finalized, since
 * what they stood for is gone. The originals by the UID of their copies, for what the copies own.
 */
export async function carryBack(
  copies: readonly MovedObject[],
  originals: readonly MovedObject[],
  options: CarryBackOptions,
): Promise<ReadonlyMap<string, NewOwner>> {
  const { client, concurrency = DEFAULT_CONCURRENCY, mapping, signal } = options;
  const originalOf = findOriginal(originals, mapping);
  const pairs = copies.map((copy) => ({ copy, original: originalOf(copy) }));
  const owners = new Map<string, NewOwner>();
  for (const { copy, original } of pairs)
    if (original !== undefined) owners.set(copy.object.metadata.uid ?? '', ownerOf(original.object));
  const created = pairs.filter(({ original }) => original === undefined).map(({ copy }) => copy);
  const made = await copyObjects(created, { client, mapping, concurrency, owners, signal });
  for (const [uid, object] of made) owners.set(uid, ownerOf(object));
  await eachBounded(pairs, concurrency, async ({ copy, original }) => {
    if (original !== undefined) await bringBack(copy.object, original, owners, options);
  });
  const kept = new Set(pairs.map(({ original }) => original));
  const gone = originals.filter((each) => !kept.has(each) && !isCreated(each.object, made));
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
  owners: ReadonlyMap<string, NewOwner>,
  { client, keep, mapping, signal }: CarryBackOptions,
): Promise<void> {
  const swapped = swapObject(copy, mapping);
  const { annotations, finalizers, labels, ownerReferences } = swapped.metadata;
  const metadata = {
    ...original.metadata,
    labels,
    annotations: withMarksOf(original, annotations),
    finalizers,
    ownerReferences: remapOwnerReferences(ownerReferences, owners) as typeof ownerReferences,
  };
  const { apiVersion, kind } = original;
  const wanted = keep(
    original,
    compact({ ...swapped, apiVersion, kind, metadata: metadata as ObjectMeta, status: original['status'] }),
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
