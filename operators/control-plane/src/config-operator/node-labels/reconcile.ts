import { Converger } from '@capstan/kube';
import type { Cache, Client, Reconcile } from '@capstan/kube';
import { NODES } from '../kinds.js';
import { withMachineMetadata } from './decide.js';
import { gather } from './gather.js';

/** Copies labels and taints of Machines to their nodes: gather, decide, act. */
export function reconcileNodes(options: {
  readonly cache: Cache;
  readonly guest: { readonly client: Client; readonly cache: Cache };
}): Reconcile {
  return async (request, { signal }) => {
    const found = await gather(request, options);
    if (found === undefined) return;
    // Locked: taints are one list, and others write it too.
    const converger = new Converger({ client: options.guest.client, signal });
    await converger.patch(NODES, found.node, withMachineMetadata(found.node, found.machine));
  };
}
