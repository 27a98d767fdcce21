import type { Machine, MachineSet } from '@capstan/api/cluster-api';
import { controlPlaneLock, HOSTED_CONTROL_PLANES, MACHINE_SETS, MACHINES } from '@capstan/hosting';
import {
  annotationsChanged,
  cacheSource,
  contentChanged,
  generationChanged,
  NAMESPACE_INDEX,
  or,
  requestFor,
} from '@capstan/kube';
import type { Manager, Predicate, Request } from '@capstan/kube';
import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Guest } from '../guest/guest.js';
import { NODES } from '../kinds.js';
import { GATHER_MS } from '../timing.js';
import { reconcileInPlace } from './reconcile.js';
import { targetOf } from './view.js';

/** The lock of a control plane: MachineSets go on when it is removed. */
const lockChanged: Predicate = (event) =>
  event.type !== 'update' || controlPlaneLock(event.old) !== controlPlaneLock(event.object);

/** Watches MachineSets whose nodes are upgraded in place, their Machines, and those nodes. */
export function addInPlaceController(
  manager: Manager,
  guest: Guest,
  machinesOf: (node: KubeObject) => readonly Machine[],
): void {
  const { cache, client, clock } = manager;
  const sets = cache.informer<MachineSet>(MACHINE_SETS);
  const planes = cache.informer<KubeObject>(HOSTED_CONTROL_PLANES);
  const isLocked = (namespace: string): boolean =>
    [...planes.store.byIndex(NAMESPACE_INDEX, namespace)].some((plane) => controlPlaneLock(plane) !== undefined);
  const setsOf = ({ metadata }: KubeObject): Request[] =>
    [...sets.store.byIndex(NAMESPACE_INDEX, metadata.namespace ?? '')].map(requestFor);
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
      reconcile: reconcileInPlace({ client, cache, clock, guest, isLocked }),
    })
    .for(MACHINE_SETS, { predicates: [or(generationChanged, annotationsChanged)] })
    .watches(HOSTED_CONTROL_PLANES, setsOf, { predicates: [lockChanged] })
    .watches(MACHINES, setOf, { predicates: [contentChanged] })
    .from(cacheSource(guest.cache, NODES, {}), (node) => machinesOf(node).flatMap(setOf));
}
