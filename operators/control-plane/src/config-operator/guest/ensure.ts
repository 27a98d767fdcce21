import type { ClusterVersion } from '@capstan/api/config';
import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import type { Cache, Client } from '@capstan/kube';
import { deepEqual, ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { MANAGED_BY_LABEL } from '@capstan/provider';
import { isSubset } from '../../objects/subset.js';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_VERSIONS } from '../kinds.js';
import { desiredVersion, MANAGER, nodeBindings, OBSOLETE_BINDINGS, VERSION_NAME } from './objects.js';

/** The way into the hosted cluster. */
export interface Guest {
  readonly client: Client;
  readonly cache: Cache;
}

/** Deletes what an earlier release bound, unless somebody else has made it their own. */
async function deleteObsolete({ cache, client }: Guest, signal: AbortSignal): Promise<void> {
  for (const name of OBSOLETE_BINDINGS) {
    const existing = await cache.get(CLUSTER_ROLE_BINDINGS, name).catch(ignoreNotFound);
    if (existing?.metadata.labels?.[MANAGED_BY_LABEL] !== MANAGER) continue;
    await client.delete(CLUSTER_ROLE_BINDINGS, name, { signal }).catch(ignoreNotFound);
  }
}

/** Makes what nodes need to join. A role of a binding cannot be changed, so a binding that differs is made anew. */
export async function ensureBindings(guest: Guest, signal: AbortSignal): Promise<void> {
  const { cache, client } = guest;
  await deleteObsolete(guest, signal);
  for (const wanted of nodeBindings()) {
    const name = wanted.metadata.name ?? '';
    const existing = await cache.get(CLUSTER_ROLE_BINDINGS, name).catch(ignoreNotFound);
    if (existing !== undefined && isSubset(partsOf(wanted), partsOf(existing))) continue;
    if (existing !== undefined) await client.delete(CLUSTER_ROLE_BINDINGS, name, { signal });
    await client.create(CLUSTER_ROLE_BINDINGS, wanted, { signal });
  }
}

function partsOf({ metadata, roleRef, subjects }: KubeObject): object {
  return { labels: metadata.labels, roleRef, subjects };
}

/** Makes the ClusterVersion say the release that is wanted; gives it as it is. */
export async function ensureVersion(
  spec: HostedControlPlaneSpec,
  { cache, client }: Guest,
  signal: AbortSignal,
): Promise<ClusterVersion> {
  const before = await cache.get<ClusterVersion>(CLUSTER_VERSIONS, VERSION_NAME).catch(ignoreNotFound);
  const wanted = desiredVersion(spec, before);
  if (before === undefined) return client.create<ClusterVersion>(CLUSTER_VERSIONS, wanted, { signal });
  if (deepEqual(before.spec, wanted.spec)) return before;
  return client.update<ClusterVersion>(CLUSTER_VERSIONS, wanted, { signal });
}
