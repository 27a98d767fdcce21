import type { Machine, MachineSet } from '@capstan/api/cluster-api';
import { MACHINES } from '@capstan/hosting';
import type { Cache } from '@capstan/kube';
import { ignoreNotFound, isControlledBy } from '@capstan/meta';
import { NODES } from '../kinds.js';
import type { GuestNode } from '../guest/nodes.js';

/** A machine, and the node that it has become. */
export interface MachineNode {
  readonly machine: Machine;
  readonly node: GuestNode;
}

/** The machines of a MachineSet that have a node, from both caches. */
export async function gather(
  set: MachineSet,
  { cache, guest }: { readonly cache: Cache; readonly guest: { readonly cache: Cache } },
): Promise<readonly MachineNode[]> {
  const { items } = await cache.list<Machine>(MACHINES, { namespace: set.metadata.namespace });
  const machines = items.filter(
    (machine) => isControlledBy(machine, set) && machine.metadata.deletionTimestamp == null,
  );
  const found = await Promise.all(machines.map((machine) => withNode(machine, guest.cache)));
  return found.flatMap((pair) => (pair === undefined ? [] : [pair]));
}

async function withNode(machine: Machine, cache: Cache): Promise<MachineNode | undefined> {
  const name = machine.status?.nodeRef?.name ?? '';
  const node = name === '' ? undefined : await cache.get<GuestNode>(NODES, name).catch(ignoreNotFound);
  return node === undefined ? undefined : { machine, node };
}
