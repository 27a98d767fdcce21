import type { Machine } from '@capstan/api/cluster-api';
import { MACHINES } from '@capstan/hosting';
import { findObject } from '@capstan/kube';
import type { Cache, Request } from '@capstan/kube';
import type { GuestNode } from '../guest/nodes.js';
import { NODES } from '../kinds.js';

/** A Machine and its node, where that exists and is not being deleted. */
export async function gather(
  { name, namespace }: Request,
  { cache, guest }: { readonly cache: Cache; readonly guest: { readonly cache: Cache } },
): Promise<{ readonly machine: Machine; readonly node: GuestNode } | undefined> {
  const machine = await findObject<Machine>(cache, MACHINES, { name, namespace });
  const nodeName = machine?.status?.nodeRef?.name ?? '';
  if (machine === undefined || nodeName === '') return undefined;
  const node = await findObject<GuestNode>(guest.cache, NODES, { name: nodeName });
  return node === undefined || node.metadata.deletionTimestamp != null ? undefined : { machine, node };
}
