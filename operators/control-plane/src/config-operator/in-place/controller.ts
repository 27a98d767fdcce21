import type { Machine, MachineSet } from '@capstan/api/cluster-api';
import { MACHINE_SETS, MACHINES } from '@capstan/hosting';
import { annotationsChanged, cacheSource, contentChanged, generationChanged, or } from '@capstan/kube';
import type { Manager, Request } from '@capstan/kube';
import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Guest } from '../guest/ensure.js';
import { NODES } from '../kinds.js';
import { GATHER_MS } from '../timing.js';
import { reconcileInPlace } from './reconcile.js';
import { targetOf } from './view.js';

/** Watches MachineSets whose nodes are upgraded in place, their Machines, and those nodes. */
export function addInPlaceController(
  manager: Manager,
  guest: Guest,
  machinesOf: (node: KubeObject) => readonly Machine[],
): void {
  const { cache, client, clock } = manager;
  const sets = cache.informer<MachineSet>(MACHINE_SETS);
  // Most machines are replaced, not upgraded. What a set is asked for later brings it up itself.
  const setOf = (machine: KubeObject): Request[] => {
    const owner = controllerOf(machine);
    if (owner?.kind !== MACHINE_SETS.kind) return [];
    const { namespace = '' } = machine.metadata;
    const set = sets.store.get(`${namespace}/${owner.name}`);
    return set === undefined || targetOf(set) === undefined ? [] : [{ namespace, name: owner.name }];
  };
  manager
    .controller({
      name: 'in-place-upgrader',
      gatherMs: GATHER_MS,
      reconcile: reconcileInPlace({ client, cache, clock, guest }),
    })
    .for(MACHINE_SETS, { predicates: [or(generationChanged, annotationsChanged)] })
    .watches(MACHINES, setOf, { predicates: [contentChanged] })
    .from(cacheSource(guest.cache, NODES, {}), (node) => machinesOf(node).flatMap(setOf));
}
