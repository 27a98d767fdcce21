import type { ClusterVersion } from '@capstan/api/config';
import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { MANAGED_BY_LABEL } from '@capstan/hosting';
import { Converger, exactly, includesDesired } from '@capstan/kube';
import type { Cache, Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_VERSIONS } from '../kinds.js';
import { desiredVersion, MANAGER, nodeBindings, OBSOLETE_BINDINGS, VERSION_NAME } from './objects.js';

/** The way into the hosted cluster. */
export interface Guest {
  readonly client: Client;
  readonly cache: Cache;
}

function convergerOf({ cache, client }: Guest, signal: AbortSignal): Converger {
  return new Converger({ client, reader: cache, signal });
}

/** Ensures what nodes need to join, and deletes what an earlier release bound. */
export async function ensureBindings(guest: Guest, signal: AbortSignal): Promise<void> {
  const converger = convergerOf(guest, signal);
  for (const name of OBSOLETE_BINDINGS) {
    const existing = await converger.find(CLUSTER_ROLE_BINDINGS, name);
    if (existing?.metadata.labels?.[MANAGED_BY_LABEL] === MANAGER)
      await converger.delete(CLUSTER_ROLE_BINDINGS, existing);
  }
  for (const object of nodeBindings()) {
    const existing = await converger.find(CLUSTER_ROLE_BINDINGS, object.metadata.name ?? '');
    if (existing !== undefined && includesDesired(comparable(existing), comparable(object), 'named')) continue;
    // The role of a binding cannot be changed.
    if (existing !== undefined) await converger.delete(CLUSTER_ROLE_BINDINGS, existing);
    await converger.perform({ verb: 'create', kind: CLUSTER_ROLE_BINDINGS, object });
  }
}

function comparable({ metadata, roleRef, subjects }: KubeObject): object {
  return { labels: metadata.labels, roleRef, subjects };
}

/** Sets the desired release on the ClusterVersion; the object as it is then. */
export async function ensureVersion(
  spec: HostedControlPlaneSpec,
  guest: Guest,
  signal: AbortSignal,
): Promise<ClusterVersion> {
  const converger = convergerOf(guest, signal);
  const before = await converger.find<ClusterVersion>(CLUSTER_VERSIONS, VERSION_NAME);
  const desired = desiredVersion(spec, before);
  return converger.ensure(CLUSTER_VERSIONS, { metadata: { name: VERSION_NAME }, spec: exactly(desired.spec) });
}
