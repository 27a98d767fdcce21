import type { ClusterVersion } from '@capstan/api/config';
import { findObject } from '@capstan/kube';
import type { Cache } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { nodeBindings, OBSOLETE_BINDINGS, VERSION_NAME } from '../guest/objects.js';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_VERSIONS, NODES } from '../kinds.js';

/** The inside of a hosted cluster, as far as it is managed and reported. */
export interface Snapshot {
  /** Those of the names that are managed, by name. */
  readonly bindings: ReadonlyMap<string, KubeObject>;
  readonly version: ClusterVersion | undefined;
  readonly nodeCount: number;
}

/** Reads it from the cache of the hosted cluster. */
export async function gather(cache: Cache): Promise<Snapshot> {
  const bindings = new Map<string, KubeObject>();
  for (const name of [...OBSOLETE_BINDINGS, ...nodeBindings().map(({ metadata }) => metadata.name ?? '')]) {
    const found = await findObject(cache, CLUSTER_ROLE_BINDINGS, { name });
    if (found !== undefined) bindings.set(name, found);
  }
  const version = await findObject<ClusterVersion>(cache, CLUSTER_VERSIONS, { name: VERSION_NAME });
  const { items: nodes } = await cache.list(NODES);
  return { bindings, version, nodeCount: nodes.length };
}
