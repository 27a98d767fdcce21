import type { ApiResource } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';
import { eachBounded } from './bounded.js';
import { COPIED_FROM_ANNOTATION, copyObjects } from './copy.js';
import { DEFAULT_CONCURRENCY, identityOf, listAll, movedKinds } from './inventory.js';
import type { InventoryOptions, MovedObject } from './inventory.js';
import { withoutCopyMarks } from './marks.js';
import { isSameParts, partsOf } from './record.js';
import { removeWithoutFinalizing } from './remove.js';
import { swapObject } from './swap.js';

/** Those of the cluster-scoped identities of one side that no object of that side refers to, in whatever namespace. */
async function unreferredIdentities(
  options: Omit<InventoryOptions, 'namespace'>,
  identities: readonly MovedObject[],
): Promise<readonly MovedObject[]> {
  if (identities.length === 0) return [];
  // Objects refer to identities of their own provider.
  const groups = new Set(identities.map(({ kind }) => kind.source.group));
  const kinds = (await movedKinds({ ...options, namespace: '' })).filter(
    ({ source }) => source.namespaced && groups.has(source.group),
  );
  const referred = new Set<string>();
  await eachBounded(kinds, options.concurrency ?? DEFAULT_CONCURRENCY, async (kind) => {
    for (const { object } of await listAll({ ...options, concurrency: 1 }, [kind], undefined)) {
      const identity = identityOf(object);
      if (identity !== undefined) referred.add(`${identity.kind} ${identity.name}`);
    }
  });
  return identities.filter(({ object: { kind, metadata } }) => !referred.has(`${kind} ${metadata.name ?? ''}`));
}

/** An identity, and the one of the same kind and name on the other side. */
export interface IdentityPair {
  readonly identity: MovedObject;
  readonly counterpart: MovedObject;
}

/** Those of the identities that exist on the other side as well. */
export async function identityPairs(
  identities: readonly MovedObject[],
  { client, concurrency = DEFAULT_CONCURRENCY, signal }: Pick<InventoryOptions, 'client' | 'concurrency' | 'signal'>,
): Promise<readonly IdentityPair[]> {
  const found: IdentityPair[] = [];
  await eachBounded(identities, concurrency, async (identity) => {
    const { source, target } = identity.kind;
    if (target === undefined) return;
    const object = await client.get(target, identity.object.metadata.name ?? '', { signal }).catch(ignoreNotFound);
    if (object === undefined) return;
    found.push({ identity, counterpart: { kind: { source: target as ApiResource, target: source }, object } });
  });
  return found;
}

/**
 * Deletes the counterparts of identities, which are of the side of the options, once no object of that side refers to them. Only
 * where one of the two was copied from the other: then nothing is lost.
 */
export async function releaseIdentities(
  pairs: readonly IdentityPair[],
  options: Omit<InventoryOptions, 'namespace'>,
): Promise<void> {
  const { client, concurrency, signal } = options;
  const copied = pairs.filter(
    ({ counterpart: { object }, identity }) => isCopyOf(object, identity.object) || isCopyOf(identity.object, object),
  );
  const unreferred = await unreferredIdentities(
    options,
    copied.map(({ counterpart }) => counterpart),
  );
  await removeWithoutFinalizing(unreferred, { client, concurrency, signal });
}

function isCopyOf({ metadata }: KubeObject, original: KubeObject): boolean {
  return metadata.annotations?.[COPIED_FROM_ANNOTATION] === original.metadata.uid;
}

/**
 * Brings copies of identities to what their standard ones are now, which users change while clusters on standard types refer to
 * them. Those that no such cluster refers to are the users' own under their private name.
 */
export async function refreshIdentities(options: Omit<InventoryOptions, 'namespace' | 'side'>): Promise<void> {
  const { client, concurrency, mapping, signal } = options;
  const kinds = (await movedKinds({ ...options, side: 'private', namespace: '' })).filter(
    ({ source }) => !source.namespaced,
  );
  const copies = (await listAll(options, kinds, undefined)).filter(
    ({ object: { metadata } }) => metadata.annotations?.[COPIED_FROM_ANNOTATION] !== undefined,
  );
  const pairs = await identityPairs(copies, options);
  const stale = pairs
    .filter(({ counterpart, identity }) => !isFollowed(counterpart.object, identity.object, mapping))
    .map(({ counterpart }) => counterpart);
  const unreferred = new Set(await unreferredIdentities({ ...options, side: 'standard' }, stale));
  const referred = stale.filter((each) => !unreferred.has(each));
  await copyObjects(referred, { client, mapping, concurrency, isRefreshed: true, signal });
}

/** Whether a copy is what its original is. */
function isFollowed(original: KubeObject, copy: KubeObject, mapping: GroupMapping): boolean {
  return isSameParts(partsOf(swapObject(original, mapping)), partsOf(withoutCopyMarks(copy)));
}
