import type { ApiResource, Client, Discovery } from '@capstan/kube';
import {
  deepEqual,
  isConflict,
  isForbidden,
  isMethodNotSupported,
  isNotFound,
  remapOwnerReferences,
} from '@capstan/meta';
import type { KubeObject, ObjectMeta } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';
import { eachBounded } from './bounded.js';
import type { NewOwner } from './copy.js';
import { DEFAULT_CONCURRENCY } from './inventory.js';

/** An object outside of the moved groups that one of them owns. */
export interface OwnedObject {
  readonly kind: ApiResource;
  /** Its metadata alone. */
  readonly object: KubeObject;
}

export interface OwnedOptions {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly mapping: GroupMapping;
  readonly namespace: string;
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What {@link findOwned} found, and the kinds it may not list: their objects are kept by orphaning deletion alone. */
export interface Owned {
  readonly objects: readonly OwnedObject[];
  readonly unlisted: readonly string[];
}

/** Recorded many times a second, and owned by nobody. */
const NEVER_OWNED: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);

/** All objects of a namespace, of whatever kind, that are owned by one of the UIDs and not moved themselves. */
export async function findOwned(
  { client, concurrency = DEFAULT_CONCURRENCY, discovery, mapping, namespace, signal }: OwnedOptions,
  uids: ReadonlySet<string>,
): Promise<Owned> {
  const { preferred } = await discovery.snapshot(signal);
  const kinds = preferred.filter(
    ({ group, namespaced, plural, verbs }) =>
      namespaced &&
      verbs.includes('list') &&
      verbs.includes('patch') &&
      mapping.side(group) === undefined &&
      !NEVER_OWNED.has(group === '' ? plural : `${plural}.${group}`),
  );
  const found = new Map<ApiResource, readonly KubeObject[]>();
  const unlisted: string[] = [];
  await eachBounded(kinds, concurrency, async (kind) => {
    try {
      const { items } = await client.list(kind, { namespace, metadataOnly: true, signal });
      found.set(
        kind,
        items.filter(({ metadata }) => (metadata.ownerReferences ?? []).some(({ uid }) => uids.has(uid))),
      );
    } catch (error) {
      if (!isForbidden(error) && !isNotFound(error) && !isMethodNotSupported(error)) throw error;
      if (isForbidden(error)) unlisted.push(`${kind.plural}.${kind.group}`);
    }
  });
  const objects = kinds.flatMap((kind) => (found.get(kind) ?? []).map((object) => ({ kind, object })));
  return { objects, unlisted: unlisted.toSorted() };
}

/** Makes the objects owned by the new owners instead of the old ones. How many were written. */
export async function repointOwned(
  { client, concurrency = DEFAULT_CONCURRENCY, signal }: OwnedOptions,
  objects: readonly OwnedObject[],
  owners: ReadonlyMap<string, NewOwner>,
): Promise<number> {
  let written = 0;
  await eachBounded(objects, concurrency, async ({ kind, object }) => {
    let current: KubeObject | undefined = object;
    while (current !== undefined) {
      const { name = '', namespace, ownerReferences, resourceVersion }: ObjectMeta = current.metadata;
      const after = remapOwnerReferences(ownerReferences, owners);
      if (deepEqual(ownerReferences, after)) return;
      const value = { metadata: { ownerReferences: after, resourceVersion } };
      try {
        await client.patch(kind, name, { type: 'merge', value }, { namespace, metadataOnly: true, signal });
        written += 1;
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error)) throw error;
        // Its own controller wrote it meanwhile: what it owns has changed, if at all, for reasons of its own.
        current = await client.get(kind, name, { namespace, metadataOnly: true, signal });
      }
    }
  });
  return written;
}
