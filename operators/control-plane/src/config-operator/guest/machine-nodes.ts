import type { Machine } from '@capstan/api/cluster-api';
import { MACHINES } from '@capstan/hosting';
import type { Cache } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';

const MACHINE_NODE_INDEX = 'nodeRef';

/** Finds the machines of a node, by an index that is added to the cache. */
export function machinesByNode(cache: Cache): (node: KubeObject) => readonly Machine[] {
  cache.addIndexer<Machine>(MACHINES, MACHINE_NODE_INDEX, ({ status }) => [status?.nodeRef?.name ?? '']);
  const machines = cache.informer<Machine>(MACHINES);
  return ({ metadata }) => machines.store.byIndex(MACHINE_NODE_INDEX, metadata.name ?? '');
}
