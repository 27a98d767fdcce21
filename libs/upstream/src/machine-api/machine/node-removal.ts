import type { Manager } from '@capstan/kube';
import { isConflict, isNotFound } from '@capstan/meta';
import { NODES } from '../resources.js';
import type { Machine, NodeObject } from '../resources.js';

/** Removes the Node of a machine whose instance is gone; also one that came too late to be linked. */
export async function removeNodeOf(machine: Machine, { client }: Manager): Promise<void> {
  // Past the cache: there is no second chance.
  const { items } = await client.list<NodeObject>(NODES);
  for (const node of items) if (isNodeOf(machine, node)) await remove(client, node);
}

/** By its identity in the cloud; a node without one by its name. */
function isNodeOf({ spec, status }: Machine, node: NodeObject): boolean {
  const identity = node.spec?.providerID ?? '';
  return identity === '' ? node.metadata.name === status?.nodeRef?.name : identity === spec?.providerID;
}

async function remove(client: Manager['client'], { metadata }: NodeObject): Promise<void> {
  try {
    await client.delete(NODES, metadata.name ?? '', { preconditions: { uid: metadata.uid } });
  } catch (error) {
    // A Node of the same name that came since is not ours to remove.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
