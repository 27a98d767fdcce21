import type { Machine } from '@capstan/api/cluster-api';
import { MACHINES } from '@capstan/hosting';
import { annotationsChanged, cacheSource, labelsChanged, requestFor } from '@capstan/kube';
import type { Manager, Predicate } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Guest } from '../guest/guest.js';
import type { GuestNode } from '../guest/nodes.js';
import { NODES } from '../kinds.js';
import { GATHER_MS } from '../timing.js';
import { reconcileNodes } from './reconcile.js';

/** Changes of the labels and annotations that a Machine copies to its node, once it has one. */
const nodeMetadataChanged: Predicate<Machine> = (event) => {
  const node = event.object.status?.nodeRef?.name;
  if (node === undefined) return false;
  const isNew = event.type !== 'update' || event.old.status?.nodeRef?.name !== node;
  return isNew || labelsChanged(event) || annotationsChanged(event);
};

/** Changes of the metadata and taints that a node gets from its Machine. */
const nodeChanged: Predicate<GuestNode> = (event) => {
  const isNew = event.type !== 'update' || !deepEqual(event.old.spec?.taints, event.object.spec?.taints);
  return isNew || labelsChanged(event) || annotationsChanged(event);
};

/** Watches Machines, and the nodes that get labels and taints from them. */
export function addNodeLabelsController(
  manager: Manager,
  guest: Guest,
  machinesOf: (node: KubeObject) => readonly Machine[],
): void {
  const { cache } = manager;
  manager
    .controller({ name: 'node-labels', gatherMs: GATHER_MS, reconcile: reconcileNodes({ cache, guest }) })
    .for<Machine>(MACHINES, { predicates: [nodeMetadataChanged] })
    .from(cacheSource<GuestNode>(guest.cache, NODES, {}), (node) => machinesOf(node).map(requestFor), [nodeChanged]);
}
