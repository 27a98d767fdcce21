import { compareBytes } from '@capstan/meta';
import type { ConditionUpdate } from '@capstan/meta';
import { isLeaving } from './resources.js';
import type { ControlPlaneMachine, ControlPlaneMachineSet } from './resources.js';

/** How many machines there may be beyond the wanted ones while they are replaced. */
const MAX_SURGE = 1;

/** The places of a control plane with the machines that hold them. */
export type Places = ReadonlyMap<number, readonly ControlPlaneMachine[]>;

/** Machines by place; empty places are there too, the lowest free ones, until there are enough. */
export function placesOf(replicas: number, machines: readonly ControlPlaneMachine[]): Places {
  const places = new Map<number, ControlPlaneMachine[]>();
  for (const machine of machines) places.set(machine.index, [...(places.get(machine.index) ?? []), machine]);
  for (let index = 0; places.size < replicas; index += 1) if (!places.has(index)) places.set(index, []);
  return new Map([...places].sort(([a], [b]) => a - b));
}

type Counts = Required<
  Pick<
    NonNullable<ControlPlaneMachineSet['status']>,
    'replicas' | 'readyReplicas' | 'updatedReplicas' | 'unavailableReplicas'
  >
>;

/** What is counted. A place is unavailable when none of its machines is ready. */
export function countReplicas(places: Places): Counts {
  const all = [...places.values()].flat();
  const ready = all.filter(({ isReady }) => isReady);
  return {
    replicas: all.length,
    readyReplicas: ready.length,
    updatedReplicas: ready.filter(({ needsUpdate }) => !needsUpdate).length,
    unavailableReplicas: [...places.values()].filter((held) => !held.some(({ isReady }) => isReady)).length,
  };
}

/** The conditions of a control plane that nothing is wrong with but its numbers. */
export function countConditions(wanted: number, counts: Counts): readonly ConditionUpdate[] {
  const { readyReplicas, unavailableReplicas, updatedReplicas } = counts;
  const available: ConditionUpdate =
    unavailableReplicas === 0
      ? { type: 'Available', status: 'True', reason: 'AllReplicasAvailable', message: '' }
      : {
          type: 'Available',
          status: 'False',
          reason: 'UnavailableReplicas',
          message: `Missing ${unavailableReplicas} available replica(s)`,
        };
  const degraded: ConditionUpdate =
    readyReplicas === 0
      ? { type: 'Degraded', status: 'True', reason: 'NoReadyMachines', message: '' }
      : { type: 'Degraded', status: 'False', reason: 'AsExpected', message: '' };
  return [available, degraded, progressing(wanted, readyReplicas, updatedReplicas)];
}

function progressing(wanted: number, ready: number, updated: number): ConditionUpdate {
  const type = 'Progressing';
  if (wanted > updated)
    return {
      type,
      status: 'True',
      reason: 'NeedsUpdateReplicas',
      message: `Observed ${wanted - updated} replica(s) in need of update`,
    };
  if (wanted < ready)
    return {
      type,
      status: 'True',
      reason: 'ExcessReplicas',
      message: `Waiting for ${ready - updated} old replica(s) to be removed`,
    };
  return { type, status: 'False', reason: 'AllReplicasUpdated', message: '' };
}

/** Why nothing may be done to a control plane. */
export interface Fault {
  readonly reason: string;
  readonly message: string;
}

/** Looks for a state in which replacing machines could break the cluster. */
export function findFault(set: ControlPlaneMachineSet, places: Places, nodes: readonly string[]): Fault | undefined {
  const wanted = set.spec?.replicas ?? 0;
  const all = [...places.values()].flat();
  if (!all.some(({ isReady }) => isReady))
    return { reason: 'NoReadyMachines', message: 'No ready control plane machines found' };
  const managed = new Set(all.map(({ machine }) => machine.status?.nodeRef?.name ?? ''));
  const unmanaged = nodes.filter((node) => !managed.has(node));
  if (unmanaged.length > 0) return { reason: 'UnmanagedNodes', message: `Found ${unmanaged.length} unmanaged node(s)` };
  if (places.size > wanted)
    return { reason: 'ExcessIndexes', message: `Observed ${places.size - wanted} index(es) in excess` };
  return excessUpdated(set, places) ?? failedReplacement(places) ?? badStrategy(set);
}

function excessUpdated(set: ControlPlaneMachineSet, places: Places): Fault | undefined {
  if (set.spec?.strategy?.type !== 'OnDelete') return undefined;
  for (const [index, held] of places) {
    const excess = held.filter((each) => each.isReady && !each.needsUpdate).length - 1;
    if (excess > 0)
      return {
        reason: 'ExcessUpdatedReplicas',
        message: `Observed ${excess} updated machine(s) in excess for index ${index}`,
      };
  }
  return undefined;
}

function failedReplacement(places: Places): Fault | undefined {
  const failed = [...places.values()].flatMap((held) => {
    const isBeingReplaced = held.some(needsReplacement);
    return isBeingReplaced ? held.filter(isPending).filter(({ machine }) => machine.status?.errorMessage) : [];
  });
  if (failed.length === 0) return undefined;
  return { reason: 'FailedReplacement', message: `Observed ${failed.length} replacement machine(s) in error state` };
}

function badStrategy({ spec }: ControlPlaneMachineSet): Fault | undefined {
  const type = spec?.strategy?.type ?? '';
  if (type === 'RollingUpdate' || type === 'OnDelete') return undefined;
  const why = type === 'Recreate' ? 'update strategy "Recreate" is not supported' : `unknown update strategy: ${type}`;
  return { reason: 'InvalidStrategy', message: `invalid value for spec.strategy.type: ${why}` };
}

function needsReplacement(each: ControlPlaneMachine): boolean {
  return each.needsUpdate || isLeaving(each);
}

function isPending(each: ControlPlaneMachine): boolean {
  return !each.isReady && !each.needsUpdate && !isLeaving(each);
}

function isUpdated(each: ControlPlaneMachine): boolean {
  return each.isReady && !each.needsUpdate;
}

/** What is done to a control plane next. */
export interface Rollout {
  readonly create: readonly number[];
  readonly remove: readonly ControlPlaneMachine[];
  /** Waits for something that may come without an event: a node that becomes ready. */
  readonly isWaiting: boolean;
}

/** One pass over the places, lowest first, with no more than one machine too many at any time. */
export function decideRollout(set: ControlPlaneMachineSet, places: Places): Rollout {
  const isRolling = set.spec?.strategy?.type === 'RollingUpdate';
  let surge = countReplicas(places).replicas - (set.spec?.replicas ?? 0);
  const create: number[] = [];
  const remove: ControlPlaneMachine[] = [];
  let isWaiting = false;
  for (const [index, held] of places) {
    const surplus = isRolling ? replacedMachine(held) : undefined;
    if (surplus !== undefined) remove.push(surplus);
    isWaiting ||= held.some(isPending);
    const hasRoom = !isRolling || surge < MAX_SURGE;
    if (!hasRoom || !wantsMachine(held, isRolling)) continue;
    create.push(index);
    surge += 1;
  }
  return { create, remove: remove.filter((each) => !isLeaving(each)), isWaiting };
}

function wantsMachine(held: readonly ControlPlaneMachine[], isRolling: boolean): boolean {
  return held.length === 0 || (isRolling ? lacksReplacement(held) : wasDeleted(held));
}

function lacksReplacement(held: readonly ControlPlaneMachine[]): boolean {
  const isReplaced = held.some((each) => isPending(each) || (isUpdated(each) && !isLeaving(each)));
  return held.some(needsReplacement) && !isReplaced;
}

/** With `OnDelete` it is the user who takes the old one away. */
function wasDeleted(held: readonly ControlPlaneMachine[]): boolean {
  const [only, ...others] = held;
  return only !== undefined && others.length === 0 && isLeaving(only);
}

/** The machine of a place that is not needed any more. */
function replacedMachine(held: readonly ControlPlaneMachine[]): ControlPlaneMachine | undefined {
  if (held.length < 2) return undefined;
  const updated = held.filter(isUpdated);
  if (updated.length > 1) return [...updated].sort(byAge)[0];
  const outdated = held.filter(needsReplacement);
  // One that never got ready makes room for the next.
  const neverReady = outdated.find(({ isReady }) => !isReady);
  if (neverReady !== undefined) return neverReady;
  return updated.length > 0 ? outdated[0] : undefined;
}

function byAge(a: ControlPlaneMachine, b: ControlPlaneMachine): number {
  const { metadata: x } = a.machine;
  const { metadata: y } = b.machine;
  return compareBytes(x.creationTimestamp ?? '', y.creationTimestamp ?? '') || compareBytes(x.name ?? '', y.name ?? '');
}
