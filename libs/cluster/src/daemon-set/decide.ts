import type { KubeObject, LabelSelector } from '@capstan/meta';
import { withoutZeros } from '../workload/conditions.js';
import type { WorkloadCondition } from '../workload/conditions.js';
import { isAvailable, isFinished, isReady, timeMs } from '../workload/pods.js';
import type { IntOrPercent, Pod, PodTemplate } from '../workload/resources.js';
import { decidePlacement, targetNode } from './placement.js';
import type { Node } from './placement.js';

export const REVISION_LABEL = 'controller-revision-hash';

export interface DaemonSetStatus {
  currentNumberScheduled?: number;
  numberMisscheduled?: number;
  desiredNumberScheduled?: number;
  numberReady?: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
  conditions?: WorkloadCondition[];
}

export interface DaemonSet extends KubeObject {
  spec: {
    selector: LabelSelector;
    template: PodTemplate;
    updateStrategy?: {
      type?: string;
      rollingUpdate?: { maxUnavailable?: IntOrPercent; maxSurge?: IntOrPercent };
    };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
  };
  status?: DaemonSetStatus;
}

export interface DaemonInput {
  readonly set: DaemonSet;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  /** The hash of the template the set has now. */
  readonly hash: string;
  readonly nowMs: number;
}

/** What to do in one look. */
export interface DaemonStep {
  /** Names of nodes that lack a pod. */
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
  /** Pods that have failed, among those to be removed. */
  readonly failed: readonly Pod[];
}

/** A node as the set sees it. */
interface Spot {
  readonly name: string;
  readonly shouldRun: boolean;
  readonly mayStay: boolean;
  /** The set's pods on it, the oldest first. */
  readonly pods: readonly Pod[];
}

function survey({ nodes, pods, set }: DaemonInput): Spot[] {
  const there = new Map<string, Pod[]>();
  for (const pod of [...pods].sort(byAge)) {
    const node = targetNode(pod);
    const own = there.get(node);
    if (own === undefined) there.set(node, [pod]);
    else own.push(pod);
  }
  return nodes.map((node) => {
    const { name = '' } = node.metadata;
    return { name, pods: there.get(name) ?? [], ...decidePlacement(set.spec.template.spec, node) };
  });
}

const isLeaving = (pod: Pod): boolean => pod.metadata.deletionTimestamp != null;
const isNew = (pod: Pod, hash: string): boolean => pod.metadata.labels?.[REVISION_LABEL] === hash;
const byAge = (a: Pod, b: Pod): number => timeMs(a.metadata.creationTimestamp) - timeMs(b.metadata.creationTimestamp);

/** One pod on each node that should have one, and none elsewhere; then the update. */
export function decideDaemons(input: DaemonInput): DaemonStep {
  const placed = place(input);
  if (placed.create.length > 0 || placed.remove.length > 0) return placed;
  return input.set.spec.updateStrategy?.type === 'OnDelete' ? placed : { ...placed, ...update(input) };
}

function place(input: DaemonInput): DaemonStep {
  const { maxSurge = 0 } = input.set.spec.updateStrategy?.rollingUpdate ?? {};
  const isSurging = maxSurge !== 0 && maxSurge !== '0%';
  const spots = survey(input);
  const staying = (spot: Spot): Pod[] => spot.pods.filter((pod) => !isLeaving(pod));
  const failed = spots.flatMap((spot) => staying(spot).filter(isFinished));
  const surplus = spots.flatMap((spot) => {
    const alive = staying(spot).filter((pod) => !isFinished(pod));
    // The oldest stays; with surge the new one comes before the old one goes.
    return spot.mayStay ? alive.slice(isSurging ? alive.length : 1) : alive;
  });
  const create = spots.filter(({ pods, shouldRun }) => shouldRun && pods.length === 0).map(({ name }) => name);
  return { create, remove: [...failed, ...surplus], failed };
}

/** A number of nodes: percentages are rounded up. */
export function ofNodes(value: IntOrPercent | undefined, fallback: number, nodes: number): number {
  if (value === undefined) return fallback;
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * nodes) / 100);
}

function update(input: DaemonInput): Partial<DaemonStep> {
  const { hash, nowMs, set } = input;
  const { minReadySeconds = 0, updateStrategy = {} } = set.spec;
  const wanted = survey(input).filter(({ shouldRun }) => shouldRun);
  const maxSurge = ofNodes(updateStrategy.rollingUpdate?.maxSurge, 0, wanted.length);
  const maxUnavailable = ofNodes(updateStrategy.rollingUpdate?.maxUnavailable, 1, wanted.length);
  const well = (pod: Pod): boolean => !isLeaving(pod) && isAvailable(pod, minReadySeconds, nowMs);
  const rows = wanted.map(({ name, pods }) => ({
    node: name,
    old: pods.find((pod) => !isNew(pod, hash) && !isLeaving(pod)),
    fresh: pods.find((pod) => isNew(pod, hash)),
    isWell: pods.some(well),
  }));
  if (maxSurge > 0) return surge(rows, maxSurge, well);
  const ill = rows.filter(({ old, isWell }) => old !== undefined && !isWell).map(({ old }) => old as Pod);
  const unavailable = rows.filter(({ isWell }) => !isWell).length;
  const others = rows.filter(({ old, isWell }) => old !== undefined && isWell).map(({ old }) => old as Pod);
  // Those that serve nobody go at once.
  return { remove: [...ill, ...others.slice(0, Math.max(0, maxUnavailable - unavailable))] };
}

interface Row {
  readonly node: string;
  readonly old: Pod | undefined;
  readonly fresh: Pod | undefined;
  readonly isWell: boolean;
}

/** The new pod first: the old one goes when that is available, or was of no use itself. */
function surge(rows: readonly Row[], maxSurge: number, well: (pod: Pod) => boolean): Partial<DaemonStep> {
  const remove = rows.filter(
    ({ fresh, old }) => old !== undefined && fresh !== undefined && (well(fresh) || !well(old)),
  );
  const surging = rows.filter(({ fresh, old }) => old !== undefined && fresh !== undefined).length;
  const waiting = rows.filter(({ fresh, old }) => old !== undefined && fresh === undefined);
  const ill = waiting.filter(({ isWell }) => !isWell);
  const create = waiting.filter(({ isWell }) => isWell).slice(0, Math.max(0, maxSurge - surging));
  return {
    create: create.map(({ node }) => node),
    remove: [...remove, ...ill].map(({ old }) => old as Pod),
  };
}

/** The status, node by node. */
export function daemonSetStatus(input: DaemonInput): DaemonSetStatus {
  const { hash, nowMs, set } = input;
  const { minReadySeconds = 0 } = set.spec;
  const spots = survey({ ...input, pods: input.pods.filter((pod) => !isFinished(pod)) });
  const wanted = spots.filter(({ shouldRun }) => shouldRun);
  const count = (fits: (pod: Pod) => boolean): number => wanted.filter(({ pods }) => pods.some(fits)).length;
  const ready = (pod: Pod): boolean => isReady(pod) && !isLeaving(pod);
  const available = count((pod) => ready(pod) && isAvailable(pod, minReadySeconds, nowMs));
  return withoutZeros<DaemonSetStatus>(
    {
      currentNumberScheduled: count(() => true),
      numberMisscheduled: spots.filter(({ pods, shouldRun }) => !shouldRun && pods.length > 0).length,
      desiredNumberScheduled: wanted.length,
      numberReady: count(ready),
      observedGeneration: set.metadata.generation ?? 0,
      updatedNumberScheduled: count((pod) => isNew(pod, hash) && !isLeaving(pod)),
      numberAvailable: available,
      numberUnavailable: wanted.length - available,
      ...(set.status?.collisionCount === undefined ? {} : { collisionCount: set.status.collisionCount }),
      ...(set.status?.conditions === undefined ? {} : { conditions: set.status.conditions }),
    },
    ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'],
  );
}
