import type { Deployment, IntOrPercent, ReplicaSet } from '../workload/resources.js';
import { timeMs } from '../workload/pods.js';
import { DESIRED, intAnnotation, MAX } from './annotations.js';

/** A ReplicaSet and the size it is to have. */
export interface Resize {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

export function replicasOf(object: ReplicaSet | Deployment): number {
  return object.spec.replicas ?? 1;
}

export function sumReplicas(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + replicasOf(set), 0);
}

function sumAvailable(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + (set.status?.availableReplicas ?? 0), 0);
}

export function isRolling(deployment: Deployment): boolean {
  return deployment.spec.strategy?.type !== 'Recreate';
}

export function activeSets(sets: readonly ReplicaSet[]): ReplicaSet[] {
  return sets.filter((set) => replicasOf(set) > 0);
}

/** Oldest first; of the same second, by name. */
export function byCreation(a: ReplicaSet, b: ReplicaSet): number {
  const [x, y] = [a.metadata, b.metadata];
  return timeMs(x.creationTimestamp) - timeMs(y.creationTimestamp) || ((x.name ?? '') < (y.name ?? '') ? -1 : 1);
}

function scaled(value: IntOrPercent, total: number, round: (n: number) => number): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  return percent === undefined ? 0 : round((Number(percent) * total) / 100);
}

/** How many pods more and how many available pods fewer there may be than asked for. */
export function fenceposts(deployment: Deployment): { surge: number; unavailable: number } {
  if (!isRolling(deployment)) return { surge: 0, unavailable: 0 };
  const total = replicasOf(deployment);
  const { maxSurge = 0, maxUnavailable = 0 } = deployment.spec.strategy?.rollingUpdate ?? {};
  const surge = scaled(maxSurge, total, Math.ceil);
  const unavailable = scaled(maxUnavailable, total, Math.floor);
  // Percentages may both round to nothing, and then nothing could ever move.
  if (surge === 0 && unavailable === 0) return { surge, unavailable: Math.min(1, total) };
  return { surge, unavailable: Math.min(unavailable, total) };
}

/** The size the new ReplicaSet may have now. */
export function newSetReplicas(deployment: Deployment, all: readonly ReplicaSet[], current: number): number {
  const wanted = replicasOf(deployment);
  if (!isRolling(deployment)) return wanted;
  const room = wanted + fenceposts(deployment).surge - sumReplicas(all);
  return room <= 0 ? current : current + Math.min(room, wanted - current);
}

/** The step of the new ReplicaSet towards its size. */
export function resizeNew(deployment: Deployment, newSet: ReplicaSet, old: readonly ReplicaSet[]): Resize | undefined {
  const current = replicasOf(newSet);
  const wanted = replicasOf(deployment);
  if (current === wanted) return undefined;
  const replicas = current > wanted ? wanted : newSetReplicas(deployment, [...old, newSet], current);
  return replicas === current ? undefined : { set: newSet, replicas };
}

/** The steps of the old ReplicaSets towards nothing: pods that are unhealthy anyway first, then as many as can be missed. */
export function resizeOld(deployment: Deployment, newSet: ReplicaSet, old: readonly ReplicaSet[]): Resize[] {
  const sets = activeSets(old).sort(byCreation);
  if (sets.length === 0) return [];
  const minAvailable = replicasOf(deployment) - fenceposts(deployment).unavailable;
  const newUnavailable = replicasOf(newSet) - (newSet.status?.availableReplicas ?? 0);
  let removable = sumReplicas([...sets, newSet]) - minAvailable - newUnavailable;
  if (removable <= 0) return [];
  const sizes = new Map(sets.map((set) => [set, replicasOf(set)]));
  const take = (set: ReplicaSet, count: number): number => {
    const size = sizes.get(set) ?? 0;
    const taken = Math.max(0, Math.min(count, size));
    sizes.set(set, size - taken);
    return taken;
  };
  for (const set of sets) {
    const unhealthy = replicasOf(set) - (set.status?.availableReplicas ?? 0);
    removable -= take(set, Math.min(removable, unhealthy));
  }
  let spare = sumAvailable([...old, newSet]) - minAvailable;
  for (const set of sets) spare -= take(set, spare);
  return sets
    .map((set) => ({ set, replicas: sizes.get(set) ?? 0 }))
    .filter(({ set, replicas }) => replicas !== replicasOf(set));
}

/** The steps by which the ReplicaSets follow a Deployment that was scaled, in proportion while it rolls out. */
export function resizeScaled(
  deployment: Deployment,
  newSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): Resize[] {
  const wanted = replicasOf(deployment);
  const all = newSet === undefined ? [...old] : [...old, newSet];
  const active = activeSets(all);
  if (active.length <= 1) {
    const set = active[0] ?? newSet ?? [...old].sort(byCreation).at(-1);
    // Even at its size it needs the annotation of the Deployment's size, or the Deployment would look scaled for ever.
    return set === undefined ? [] : [{ set, replicas: wanted }];
  }
  if (newSet !== undefined && isSaturated(deployment, newSet))
    return activeSets(old).map((set) => ({ set, replicas: 0 }));
  return isRolling(deployment) ? proportionally(deployment, active) : [];
}

function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  const wanted = replicasOf(deployment);
  return (
    replicasOf(set) === wanted && intAnnotation(set, DESIRED) === wanted && set.status?.availableReplicas === wanted
  );
}

function proportionally(deployment: Deployment, active: readonly ReplicaSet[]): Resize[] {
  const wanted = replicasOf(deployment);
  const max = wanted + fenceposts(deployment).surge;
  const toAdd = (wanted > 0 ? max : 0) - sumReplicas(active);
  // The largest first; of the same size, the newest grows first and the oldest shrinks first.
  const sets = [...active].sort(
    (a, b) => replicasOf(b) - replicasOf(a) || (toAdd > 0 ? byCreation(b, a) : byCreation(a, b)),
  );
  let added = 0;
  const resizes = sets.map((set) => {
    const size = replicasOf(set);
    if (toAdd === 0 || added === toAdd) return { set, replicas: size };
    const annotated = intAnnotation(set, MAX) ?? 0;
    const before = annotated === 0 ? (deployment.status?.replicas ?? 0) : annotated;
    const fraction = share(size, wanted, max, before);
    const left = toAdd - added;
    const change = toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
    added += change;
    return { set, replicas: size + change };
  });
  const [largest] = resizes;
  // What rounding left over.
  if (largest !== undefined) resizes[0] = { set: largest.set, replicas: Math.max(0, largest.replicas + toAdd - added) };
  return resizes;
}

function share(size: number, wanted: number, max: number, maxBefore: number): number {
  if (wanted === 0) return -size;
  if (maxBefore === 0) return 0;
  return Math.round((size * max) / maxBefore) - size;
}

/** True when the Deployment was scaled since its ReplicaSets were last annotated. */
export function wasScaled(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  return activeSets(sets).some((set) => {
    const desired = intAnnotation(set, DESIRED);
    return desired !== undefined && desired !== replicasOf(deployment);
  });
}
