import { minOf } from '@capstan/meta';
import { amountsOf } from '@capstan/cluster';
import type { Node, Pod } from '@capstan/cluster';
import type { Random } from '@capstan/meta';
import type { NodeGroup } from './node-groups.js';
import { biggestFirst, binOf, copyOf, putOn } from './packing.js';
import type { Bin } from './packing.js';

/** A group with what its next node would be. */
export interface Candidate {
  readonly group: NodeGroup;
  readonly template: Node;
  /** What is on every node of it from the start. */
  readonly daemons: readonly Pod[];
  /** Wanted, and not there yet. */
  readonly upcoming: number;
  /** Machines of it do not come: more would not either. */
  readonly isStuck: boolean;
}

/** Growing one group by so many. */
export interface Growth {
  readonly group: NodeGroup;
  readonly count: number;
  readonly pods: readonly Pod[];
  /** What would be paid for and not asked for, as a share of cpu and of memory together. */
  readonly waste: number;
}

/** Whether a pod is unschedulable, and worth a new node. */
export function isUnschedulable(pod: Pod, cutoff: number): boolean {
  const { priority } = (pod.spec ?? {}) as { readonly priority?: number };
  if (pod.metadata.deletionTimestamp != null || (pod.spec?.nodeName ?? '') !== '') return false;
  if ((priority ?? 0) < cutoff) return false;
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return scheduled?.status === 'False' && scheduled.reason === 'Unschedulable';
}

/** Pods that find no place on what is there and on what is coming. */
export function homeless(
  pods: readonly Pod[],
  there: readonly Bin[],
  candidates: readonly Candidate[],
): readonly Pod[] {
  const coming = candidates.flatMap(({ daemons, template, upcoming }) =>
    Array.from({ length: Math.max(0, upcoming) }, () => binOf(template, daemons)),
  );
  const bins = [...there.map(copyOf), ...coming];
  return biggestFirst(pods).filter((pod) => !putOn(bins, pod));
}

/** How many more nodes of a group the pods would need, and which of them would fit. */
export function growthOf(
  { daemons, group, template }: Candidate,
  pods: readonly Pod[],
  room: number,
): Growth | undefined {
  const bins: Bin[] = [];
  const placed: Pod[] = [];
  const limit = Math.min(room, group.max - group.target);
  for (const pod of biggestFirst(pods)) {
    if (putOn(bins, pod)) placed.push(pod);
    else if (bins.length < limit) {
      const bin = binOf(template, daemons);
      if (!putOn([bin], pod)) continue;
      bins.push(bin);
      placed.push(pod);
    }
  }
  return placed.length === 0 ? undefined : { group, count: bins.length, pods: placed, waste: wasteOf(bins, template) };
}

function wasteOf(bins: readonly Bin[], template: Node): number {
  const offered = amountsOf(template.status?.allocatable);
  return ['cpu', 'memory'].reduce((total, name) => {
    const all = (offered.get(name) ?? 0) * bins.length;
    const asked = bins.reduce((sum, { used }) => sum + (used.get(name) ?? 0), 0);
    return total + (all === 0 ? 0 : (all - asked) / all);
  }, 0);
}

/** Keeps the best by one measure. */
function fewest(growths: readonly Growth[], measure: (growth: Growth) => number): readonly Growth[] {
  const best = minOf(growths.map(measure));
  return growths.filter((growth) => measure(growth) === best);
}

/** Chooses among ways to grow: each expander keeps what is best to it, and chance decides among the rest. */
export function choose(growths: readonly Growth[], expanders: readonly string[], random: Random): Growth | undefined {
  let left = growths;
  for (const expander of expanders) {
    if (left.length <= 1) break;
    if (expander === 'least-waste') left = fewest(left, ({ waste }) => waste);
    else if (expander === 'most-pods') left = fewest(left, ({ pods }) => -pods.length);
  }
  return left.length <= 1 ? left[0] : left[random.below(left.length)];
}

/** The inputs of a decision to scale up. */
export interface GrowthView {
  readonly pending: readonly Pod[];
  readonly there: readonly Bin[];
  readonly candidates: readonly Candidate[];
  /** How many more nodes there may be altogether. */
  readonly room: number;
  readonly expanders: readonly string[];
}

/** Which group is to grow, if any pod needs it. */
export function decideGrowth(view: GrowthView, random: Random): Growth | undefined {
  const pods = homeless(view.pending, view.there, view.candidates);
  if (pods.length === 0 || view.room <= 0) return undefined;
  const growths = view.candidates
    .filter(({ group, isStuck }) => !isStuck && group.target < group.max)
    .flatMap((candidate) => growthOf(candidate, pods, view.room) ?? []);
  return choose(growths, view.expanders, random);
}
