import { compileLabelSelector, controllerOf, minOf } from '@capstan/meta';
import type { KubeObject, LabelSelector } from '@capstan/meta';
import { annotations, labels } from '../../names.js';
import type { Cluster, Machine, MachineDrainRule, Pod } from '../../types.js';

/** What a drain does with a pod: those of a lower order first. */
export type PodFate =
  | { readonly act: 'Drain'; readonly order: number }
  | { readonly act: 'WaitCompleted'; readonly order: number }
  | { readonly act: 'Skip' }
  | { readonly act: 'Fail'; readonly message: string };

/** What is known in addition to the pod itself. */
export interface DrainView {
  readonly rules: readonly MachineDrainRule[];
  readonly namespaces: ReadonlyMap<string, KubeObject>;
  /** `namespace/name` of the DaemonSets that are there. */
  readonly daemonSets: ReadonlySet<string>;
  readonly nowMs: number;
  /** A node that does not answer cannot finish pods: those going for longer than this are not waited for. */
  readonly skipGoingAfterMs?: number | undefined;
}

const DRAIN: PodFate = { act: 'Drain', order: 0 };
const SKIP: PodFate = { act: 'Skip' };

function matches(selector: LabelSelector | undefined, object: KubeObject): boolean {
  return selector === undefined || compileLabelSelector(selector).matches(object.metadata.labels ?? {});
}

/** The rules that count for a machine, by name. */
export function rulesFor(rules: readonly MachineDrainRule[], machine: Machine, cluster: Cluster): MachineDrainRule[] {
  return rules
    .filter(({ spec }) => {
      const machines = spec.machines ?? [];
      return (
        machines.length === 0 ||
        machines.some((each) => matches(each.selector, machine) && matches(each.clusterSelector, cluster))
      );
    })
    .toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
}

function isFinished({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function isOfDaemonSet(pod: Pod, { daemonSets }: DrainView): boolean {
  const controller = controllerOf(pod);
  if (controller?.kind !== 'DaemonSet' || isFinished(pod)) return false;
  return daemonSets.has(`${pod.metadata.namespace ?? ''}/${controller.name}`);
}

function isForsaken({ metadata }: Pod, { nowMs, skipGoingAfterMs }: DrainView): boolean {
  if (skipGoingAfterMs === undefined || metadata.deletionTimestamp == null) return false;
  return Math.floor((nowMs - Date.parse(metadata.deletionTimestamp)) / 1000) * 1000 > skipGoingAfterMs;
}

/** What a drain does with a pod. */
export function fateOf(pod: Pod, view: DrainView): PodFate {
  if (isForsaken(pod, view) || isOfDaemonSet(pod, view)) return SKIP;
  if (pod.metadata.annotations?.[annotations.mirrorPod] !== undefined) return SKIP;
  const asked = (pod.metadata.labels?.[labels.drain] ?? '').toLowerCase();
  if (asked === 'skip') return SKIP;
  if (asked.replace('-', '') === 'waitcompleted') return { act: 'WaitCompleted', order: 0 };
  const namespace = view.namespaces.get(pod.metadata.namespace ?? '');
  if (namespace === undefined) return { act: 'Fail', message: 'Pod Namespace does not exist' };
  const rule = view.rules.find(({ spec }) => {
    const pods = spec.pods ?? [];
    return (
      pods.length === 0 ||
      pods.some((each) => matches(each.selector, pod) && matches(each.namespaceSelector, namespace))
    );
  });
  return rule === undefined ? DRAIN : fateByRule(rule);
}

function fateByRule({ metadata, spec: { drain } }: MachineDrainRule): PodFate {
  switch (drain.behavior) {
    case 'Drain':
      return { act: 'Drain', order: drain.order ?? 0 };
    case 'Skip':
      return SKIP;
    case 'WaitCompleted':
      return { act: 'WaitCompleted', order: 0 };
    default: {
      const message = `MachineDrainRule "${metadata.name ?? ''}" has unknown spec.drain.behavior: "${drain.behavior}"`;
      return { act: 'Fail', message };
    }
  }
}

/** The pods of a node sorted by what is to be done with each now. */
export interface DrainRound {
  readonly evict: readonly Pod[];
  readonly evictLater: readonly Pod[];
  readonly going: readonly Pod[];
  readonly await: readonly Pod[];
  readonly awaitLater: readonly Pod[];
  readonly skipped: readonly Pod[];
}

const podName = ({ metadata }: Pod): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;

/** Decides what a drain does next: only pods of the lowest order, all others wait. */
export function planRound(pods: readonly (readonly [Pod, PodFate])[]): DrainRound {
  const round = {
    evict: [] as Pod[],
    evictLater: [] as Pod[],
    going: [] as Pod[],
    await: [] as Pod[],
    awaitLater: [] as Pod[],
    skipped: [] as Pod[],
  };
  const orders = pods.flatMap(([, fate]) => ('order' in fate ? [fate.order] : []));
  const lowest = minOf(orders);
  for (const [pod, fate] of pods.toSorted(([a], [b]) => (podName(a) < podName(b) ? -1 : 1))) {
    if (fate.act === 'WaitCompleted') (fate.order === lowest ? round.await : round.awaitLater).push(pod);
    else if (fate.act !== 'Drain') round.skipped.push(pod);
    else if (pod.metadata.deletionTimestamp != null) round.going.push(pod);
    else (fate.order === lowest ? round.evict : round.evictLater).push(pod);
  }
  return round;
}
