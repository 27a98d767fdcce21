import type { MachineDeployment, MachineSet } from '../types.js';
import { byAge } from './rollout-fields.js';
import { rolloutLimits, strategyOf, wanted } from './scale-limits.js';

/** The sets of a deployment as they should be, but for how many replicas each is to have. */
export interface Sets {
  readonly deployment: MachineDeployment;
  readonly current: MachineSet;
  readonly old: readonly MachineSet[];
}

/** How many replicas sets are to have, by name; those not named stay as they are. */
export type Intents = Map<string, number>;

const nameOf = ({ metadata }: MachineSet): string => metadata.name ?? '';
const specOf = ({ spec }: MachineSet): number => spec.replicas ?? 0;
const there = ({ status }: MachineSet): number => status?.replicas ?? 0;
const available = ({ status }: MachineSet): number => status?.availableReplicas ?? 0;
const sum = (sets: readonly MachineSet[], count: (set: MachineSet) => number): number =>
  sets.reduce((total, set) => total + count(set), 0);

/** How many replicas each set is to have next. */
export function planRollout(sets: Sets): Intents {
  const intents: Intents = new Map();
  scaleCurrent(sets, intents);
  if (strategyOf(sets.deployment) === 'OnDelete') shrinkOnDelete(sets, intents);
  else {
    shrinkRolling(sets, intents);
    breakDeadlock(sets, intents);
  }
  return intents;
}

/** The current set grows as far as may be, and never beyond what the deployment wants. */
function scaleCurrent({ deployment, current, old }: Sets, intents: Intents): void {
  const target = wanted(deployment);
  const has = specOf(current);
  if (has === target) return;
  if (has > target) {
    intents.set(nameOf(current), target);
    return;
  }
  const most = target + rolloutLimits(deployment).maxSurge;
  const total = sum([...old, current], (set) => Math.max(specOf(set), there(set)));
  const room = Math.max(most - total, 0);
  const more = strategyOf(deployment) === 'OnDelete' ? room : Math.min(room, target - has);
  if (more > 0) intents.set(nameOf(current), has + more);
}

/** Old sets shrink to what is left of them, and by what the deployment no longer wants. */
function shrinkOnDelete({ deployment, current, old }: Sets, intents: Intents): void {
  const oldTotal = sum(old, specOf);
  if (oldTotal === 0) return;
  let excess = Math.max(oldTotal + (intents.get(nameOf(current)) ?? specOf(current)) - wanted(deployment), 0);
  const sorted = old.toSorted(byAge);
  for (const set of sorted) {
    const lost = Math.max(specOf(set) - there(set), 0);
    if (specOf(set) <= 0 || lost === 0) continue;
    intents.set(nameOf(set), Math.max(specOf(set) - lost, 0));
    excess -= lost;
  }
  for (const set of sorted) {
    const has = intents.get(nameOf(set)) ?? specOf(set);
    if (excess <= 0 || has <= 0) continue;
    const fewer = Math.min(has, excess);
    intents.set(nameOf(set), Math.max(has - fewer, 0));
    excess -= fewer;
  }
}

/** Old sets shrink as far as enough remains available; what is not available goes first. */
function shrinkRolling({ deployment, current, old }: Sets, intents: Intents): void {
  if (sum(old, specOf) === 0) return;
  const all = [...old, current];
  const least = Math.max(wanted(deployment) - rolloutLimits(deployment).maxUnavailable, 0);
  const pending = sum(all, (set) => {
    const target = Math.min(specOf(set), intents.get(nameOf(set)) ?? specOf(set));
    return Math.max(there(set) - target, 0);
  });
  const notYet = Math.max(specOf(current) - available(current), 0);
  const budget = Math.max(sum(all, specOf) - pending - least - notYet, 0);
  const state = { budget, available: sum(all, available), least };
  const sorted = old.toSorted(byAge);
  for (const onlyUnavailable of [true, false])
    for (const set of sorted) shrinkOne(set, state, { intents, onlyUnavailable });
}

interface ShrinkState {
  budget: number;
  available: number;
  readonly least: number;
}

function shrinkOne(
  set: MachineSet,
  state: ShrinkState,
  { intents, onlyUnavailable }: { readonly intents: Intents; readonly onlyUnavailable: boolean },
): void {
  const has = intents.get(nameOf(set)) ?? specOf(set);
  if (state.budget <= 0 || has <= 0) return;
  const most = onlyUnavailable ? Math.max(has - available(set), 0) : has;
  let fewer = Math.min(most, state.budget);
  if (fewer === 0) return;
  if (available(set) > 0) {
    let lost = Math.max(there(set) - Math.max(has - fewer, 0), 0);
    const spare = state.available - state.least;
    if (lost > 0 && spare < lost) {
      const target = Math.min(there(set) - Math.max(spare, 0), has);
      fewer = Math.max(has - target, 0);
      lost = Math.max(there(set) - target, 0);
    }
    state.available -= Math.min(available(set), lost);
  }
  if (fewer <= 0) return;
  intents.set(nameOf(set), Math.max(has - fewer, 0));
  state.budget = Math.max(state.budget - fewer, 0);
}

/** An old machine that never becomes available would hold up a rollout for ever: one goes. */
function breakDeadlock({ current, old }: Sets, intents: Intents): void {
  const isAllAvailable = sum(old, there) === 0 || sum(old, there) === sum(old, available);
  const isMoving = [...old, current].some((set) => specOf(set) !== there(set) || intents.has(nameOf(set)));
  if (isAllAvailable || isMoving || available(current) !== there(current)) return;
  const stuck = old.find((set) => available(set) !== there(set) && specOf(set) !== 0);
  if (stuck !== undefined) intents.set(nameOf(stuck), Math.max(specOf(stuck) - 1, 0));
}
