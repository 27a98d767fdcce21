import type { Machine } from '@capstan/api/cluster-api';
import { MACHINES } from '@capstan/hosting';
import { Converger } from '@capstan/kube';
import type { Cache, Client, Reconcile } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { GuestNode } from '../guest/nodes.js';
import { NODES } from '../kinds.js';
import { withMachineMetadata } from './decide.js';

/** Brings labels and taints of Machines to their nodes. */
export function reconcileNodes({
  cache,
  guest,
}: {
  readonly cache: Cache;
  readonly guest: { readonly client: Client; readonly cache: Cache };
}): Reconcile {
  return async ({ name, namespace }, { signal }) => {
    const machine = await cache.get<Machine>(MACHINES, name, { namespace }).catch(ignoreNotFound);
    const nodeName = machine?.status?.nodeRef?.name ?? '';
    if (machine === undefined || nodeName === '') return;
    const before = await guest.cache.get<GuestNode>(NODES, nodeName).catch(ignoreNotFound);
    if (before === undefined || before.metadata.deletionTimestamp != null) return;
    const after = withMachineMetadata(before, machine);
    // Taints are one list, and others write it too.
    await new Converger({ client: guest.client, signal }).patch(NODES, before, after);
  };
}
