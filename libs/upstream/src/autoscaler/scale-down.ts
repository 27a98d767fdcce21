import { amountsOf } from '@capstan/cluster';
import type { Node, Pod } from '@capstan/cluster';
import { compileLabelSelector, compareBytes, controllerOf } from '@capstan/meta';
import type { KubeObject, LabelSelector } from '@capstan/meta';
import type { AutoscalerSettings } from './flags.js';
import { isLeaving } from './node-groups.js';
import type { Membership } from './node-groups.js';
import { biggestFirst, copyOf, putOn, utilization } from './packing.js';
import type { Bin } from './packing.js';

const SAFE_ANNOTATION = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
const DISABLED_ANNOTATION = 'cluster-autoscaler.kubernetes.io/scale-down-disabled';
const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

/** A disruption budget. */
export interface Budget extends KubeObject {
  readonly spec?: { readonly selector?: LabelSelector };
  readonly status?: { readonly disruptionsAllowed?: number };
}

/** Whether a pod goes with its node without being missed. */
export function staysBehind(pod: Pod): boolean {
  const { phase } = pod.status ?? {};
  return (
    phase === 'Succeeded' ||
    phase === 'Failed' ||
    pod.metadata.annotations?.[MIRROR_ANNOTATION] !== undefined ||
    controllerOf(pod)?.kind === 'DaemonSet'
  );
}

function hasLocalStorage(pod: Pod): boolean {
  const volumes = (pod.spec?.['volumes'] ?? []) as readonly Readonly<Record<string, unknown>>[];
  return volumes.some((volume) => volume['emptyDir'] !== undefined || volume['hostPath'] !== undefined);
}

function budgetsOf(pod: Pod, budgets: readonly Budget[]): readonly Budget[] {
  return budgets.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.metadata.namespace &&
      spec?.selector !== undefined &&
      compileLabelSelector(spec.selector).matches(pod.metadata.labels ?? {}),
  );
}

type Rules = Pick<AutoscalerSettings, 'skipNodesWithLocalStorage' | 'skipNodesWithSystemPods'>;

/** Why a pod keeps its node; undefined when it may be moved. */
export function whyUnmovable(pod: Pod, budgets: readonly Budget[], rules: Rules): string | undefined {
  const safe = pod.metadata.annotations?.[SAFE_ANNOTATION];
  const covering = budgetsOf(pod, budgets);
  if (covering.some(({ status }) => (status?.disruptionsAllowed ?? 0) < 1)) return 'NotEnoughPdb';
  if (safe === 'true') return undefined;
  if (safe === 'false') return 'NotSafeToEvictAnnotation';
  if (controllerOf(pod) === undefined) return 'NotReplicated';
  if (rules.skipNodesWithSystemPods && pod.metadata.namespace === 'kube-system' && covering.length === 0)
    return 'UnmovableKubeSystemPod';
  return rules.skipNodesWithLocalStorage && hasLocalStorage(pod) ? 'LocalStorageRequested' : undefined;
}

/** A node that is considered for removal. */
export interface Looked {
  readonly bin: Bin;
  readonly pods: readonly Pod[];
  readonly membership: Membership | undefined;
}

export interface DownView {
  readonly nodes: readonly Looked[];
  readonly budgets: readonly Budget[];
  readonly settings: AutoscalerSettings;
}

function isReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
}

/** Why a node is needed, by this node alone; undefined when it is not needed. */
export function whyNeeded({ bin, membership, pods }: Looked, { budgets, settings }: DownView): string | undefined {
  const { node } = bin;
  if (membership === undefined) return 'NotAutoscaled';
  if (isLeaving(membership.machine)) return 'CurrentlyBeingDeleted';
  if (node.metadata.annotations?.[DISABLED_ANNOTATION] === 'true') return 'ScaleDownDisabledAnnotation';
  const used = utilization(bin, amountsOf(node.status?.allocatable));
  if (isReady(node) && used >= settings.scaleDownUtilizationThreshold) return 'NotUnderutilized';
  return pods
    .filter((pod) => !staysBehind(pod))
    .map((pod) => whyUnmovable(pod, budgets, settings))
    .find((why) => why !== undefined);
}

/** A node that could go, and the pods that would have to move. */
export interface Unneeded {
  readonly name: string;
  readonly membership: Membership;
  readonly moving: readonly Pod[];
  readonly isReady: boolean;
}

/**
 * The nodes that are not needed: each one's pods find a place on those that stay. They are taken one after the other, so
 * that two nodes never count on the same room; empty ones first.
 */
export function findUnneeded(view: DownView, isGoing: (node: string) => boolean): readonly Unneeded[] {
  const staying = new Map(
    view.nodes
      .filter(({ bin }) => isReady(bin.node) && !isGoing(bin.node.metadata.name ?? ''))
      .map(({ bin }) => [bin.node.metadata.name ?? '', copyOf(bin)]),
  );
  const left = new Map<string, number>();
  const candidates = view.nodes
    .filter((looked) => !isGoing(looked.bin.node.metadata.name ?? '') && whyNeeded(looked, view) === undefined)
    .map((looked) => ({ looked, moving: looked.pods.filter((pod) => !staysBehind(pod)) }))
    .sort((a, b) => a.moving.length - b.moving.length || byName(a.looked, b.looked));
  const unneeded: Unneeded[] = [];
  for (const { looked, moving } of candidates) {
    const { membership, bin } = looked;
    if (membership === undefined) continue;
    const { group } = membership;
    const spare = left.get(group.id) ?? group.target - group.min;
    if (spare <= 0 || !fitElsewhere(moving, bin.node.metadata.name ?? '', staying)) continue;
    left.set(group.id, spare - 1);
    unneeded.push({ name: bin.node.metadata.name ?? '', membership, moving, isReady: isReady(bin.node) });
  }
  return unneeded;
}

function byName(a: Looked, b: Looked): number {
  return compareBytes(a.bin.node.metadata.name ?? '', b.bin.node.metadata.name ?? '');
}

/** Moves the pods in thought; changes nothing when one of them finds no place. */
function fitElsewhere(pods: readonly Pod[], from: string, staying: Map<string, Bin>): boolean {
  const others = [...staying].filter(([name]) => name !== from);
  const bins = others.map(([, bin]) => copyOf(bin));
  if (!biggestFirst(pods).every((pod) => putOn(bins, pod))) return false;
  staying.delete(from);
  others.forEach(([name], at) => {
    const bin = bins[at];
    if (bin !== undefined) staying.set(name, bin);
  });
  return true;
}

/** When things happened, by the monotonic clock. */
export interface Cooldowns {
  readonly lastScaleUpMs: number;
  readonly lastDeleteMs: number;
  readonly lastFailureMs: number;
}

/** Whether it is too early to take any node away. */
export function isCoolingDown(at: Cooldowns, settings: AutoscalerSettings, nowMs: number): boolean {
  return (
    at.lastScaleUpMs + settings.scaleDownDelayAfterAddMs > nowMs ||
    at.lastDeleteMs + settings.scaleDownDelayAfterDeleteMs > nowMs ||
    at.lastFailureMs + settings.scaleDownDelayAfterFailureMs > nowMs
  );
}

const MOST_EMPTY_AT_ONCE = 10;

/** Those that have been unneeded for long enough: empty ones together, others one at a time. */
export function chooseLeaving(
  unneeded: readonly Unneeded[],
  sinceMs: ReadonlyMap<string, number>,
  settings: AutoscalerSettings,
  nowMs: number,
): readonly Unneeded[] {
  const due = unneeded.filter(({ isReady: ready, name }) => {
    const waitMs = ready ? settings.scaleDownUnneededTimeMs : settings.scaleDownUnreadyTimeMs;
    return (sinceMs.get(name) ?? nowMs) + waitMs <= nowMs;
  });
  const empty = due.filter(({ moving }) => moving.length === 0);
  return empty.length > 0 ? empty.slice(0, MOST_EMPTY_AT_ONCE) : due.slice(0, 1);
}
