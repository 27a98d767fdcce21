import { annotations } from '../names.js';
import type { MachineDeployment, MachineSet } from '../types.js';
import type { Intents } from './plan.js';
import { rolloutLimits, strategyOf, wanted } from './scale-limits.js';

const nameOf = ({ metadata }: MachineSet): string => metadata.name ?? '';
const replicasOf = ({ spec }: MachineSet): number => spec.replicas ?? 0;
const createdAt = ({ metadata }: MachineSet): string => metadata.creationTimestamp ?? '';

/** The sets of a deployment that is paused; there may be no current one. */
export interface PausedSets {
  readonly deployment: MachineDeployment;
  readonly current: MachineSet | undefined;
  readonly old: readonly MachineSet[];
}

/** A deployment that is paused scales all it has in proportion, and rolls nothing out. */
export function planPaused({ deployment, current, old }: PausedSets): Intents {
  const all = [...old, ...(current === undefined ? [] : [current])];
  const active = all.filter((set) => replicasOf(set) > 0);
  const target = wanted(deployment);
  const only = active.length <= 1 ? (active[0] ?? current ?? newest(old)) : undefined;
  if (only !== undefined) return changes([[only, target]]);
  if (current !== undefined && isSaturated(deployment, current))
    return changes(old.filter((set) => replicasOf(set) > 0).map((set) => [set, 0]));
  return strategyOf(deployment) === 'RollingUpdate' ? proportional(deployment, active) : new Map();
}

function newest(sets: readonly MachineSet[]): MachineSet | undefined {
  return sets.toSorted((a, b) => (createdAt(a) < createdAt(b) ? 1 : -1))[0];
}

function changes(wishes: readonly (readonly [MachineSet, number])[]): Intents {
  return new Map(wishes.filter(([set, size]) => replicasOf(set) !== size).map(([set, size]) => [nameOf(set), size]));
}

function isSaturated(deployment: MachineDeployment, set: MachineSet): boolean {
  const target = wanted(deployment);
  const desired = Number(set.metadata.annotations?.[annotations.desiredReplicas] ?? Number.NaN);
  return replicasOf(set) === target && desired === target && (set.status?.availableReplicas ?? 0) === target;
}

function proportional(deployment: MachineDeployment, sets: readonly MachineSet[]): Intents {
  const allowed = wanted(deployment) > 0 ? wanted(deployment) + rolloutLimits(deployment).maxSurge : 0;
  const toAdd = allowed - sets.reduce((total, set) => total + replicasOf(set), 0);
  // Growing, the newer comes first; shrinking, the older.
  const byTime = (a: MachineSet, b: MachineSet): number => (createdAt(a) < createdAt(b) === toAdd > 0 ? 1 : -1);
  const sorted = sets.toSorted((a, b) => replicasOf(b) - replicasOf(a) || byTime(a, b));
  let added = 0;
  const sizes = sorted.map((set): [MachineSet, number] => {
    const share = toAdd === 0 || toAdd === added ? 0 : shareOf(deployment, set, toAdd - added);
    added += share;
    return [set, replicasOf(set) + share];
  });
  // What rounding left over goes to the first.
  const [first] = sizes;
  if (first !== undefined && toAdd !== 0) first[1] = Math.max(first[1] + toAdd - added, 0);
  return changes(sizes);
}

function shareOf(deployment: MachineDeployment, set: MachineSet, left: number): number {
  const size = replicasOf(set);
  if (wanted(deployment) === 0) return Math.max(-size, left);
  const most = Number(set.metadata.annotations?.[annotations.maxReplicas] ?? deployment.status?.replicas ?? 0);
  const next = Math.round((size * (wanted(deployment) + rolloutLimits(deployment).maxSurge)) / most);
  const fraction = next - size;
  return left > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
}
