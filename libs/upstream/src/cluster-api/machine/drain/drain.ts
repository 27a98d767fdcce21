import { apiErrorOf, isForbidden, isNamespaceTerminating, isNotFound, isTooManyRequests } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { shortList } from '../../conditions/messages.js';
import type { Guest } from '../../guest-clusters.js';
import { DAEMON_SETS, NAMESPACES, NODES, PODS } from '../../kinds.js';
import type { ControllerContext } from '../../controller-context.js';
import type { MachineDrainRule, Node, Pod } from '../../types.js';
import type { MachineScope } from '../scope.js';
import { fateOf, planRound, rulesFor } from './classify.js';
import type { DrainRound, PodFate } from './classify.js';

const UNREACHABLE_GRACE_SECONDS = 1;
const UNREACHABLE_SKIP_MS = 1_000;
const EVICTION_LIMIT_MS = 10_000;

/** Pods that no drain can do anything with. */
export class UndrainablePods extends Error {
  override readonly name = 'UndrainablePods';
}

/** Whether the state of a node is unknown. */
export function isUnreachable({ status }: Node): boolean {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'Unknown';
}

/** What became of a round of a drain. */
export interface Drained {
  readonly round: DrainRound;
  /** Evicted, and not yet gone. */
  readonly evicted: readonly Pod[];
  readonly failed: ReadonlyMap<string, readonly Pod[]>;
}

export function isDrained({ round, evicted, failed }: Drained): boolean {
  const left = [evicted, round.going, round.evictLater, round.await, round.awaitLater];
  return failed.size === 0 && left.every((pods) => pods.length === 0);
}

/** The node is cordoned. */
export async function cordon({ client }: Guest, node: Node): Promise<void> {
  if (node.spec?.unschedulable === true) return;
  const value = { spec: { unschedulable: true } };
  await client.patch(NODES, node.metadata.name ?? '', { type: 'merge', value });
}

/** The pods of a node with what a drain does with each. */
export async function podsOf(
  context: ControllerContext,
  guest: Guest,
  scope: MachineScope,
  node: Node,
): Promise<(readonly [Pod, PodFate])[]> {
  const { client } = guest;
  const name = node.metadata.name ?? '';
  const { items } = await client.list<Pod>(PODS, { fieldSelector: `spec.nodeName=${name}`, pageSize: 100 });
  if (items.length === 0) return [];
  const { machine, cluster } = scope;
  const { namespace = '' } = machine.metadata;
  const all = context.hasDrainRules ? await context.objects.list<MachineDrainRule>('MachineDrainRule', namespace) : [];
  const namespaces = await client.list(NAMESPACES);
  const view = {
    rules: rulesFor(all, machine, cluster),
    namespaces: new Map<string, KubeObject>(namespaces.items.map((each) => [each.metadata.name ?? '', each])),
    daemonSets: await daemonSetsOf(guest, items),
    nowMs: context.clock.now(),
    skipGoingAfterMs: isUnreachable(node) ? UNREACHABLE_SKIP_MS : undefined,
  };
  const fates = items.map((pod): readonly [Pod, PodFate] => [pod, fateOf(pod, view)]);
  const failed = fates.flatMap(([pod, fate]) => (fate.act === 'Fail' ? [`${podText(pod)}: ${fate.message}`] : []));
  if (failed.length > 0) throw new UndrainablePods(`failed to get Pods for eviction: ${failed.join(', ')}`);
  return fates;
}

/** Those of the DaemonSets the pods name that are there: orphaned pods are evicted like any other. */
async function daemonSetsOf({ client }: Guest, pods: readonly Pod[]): Promise<Set<string>> {
  const named = new Set(
    pods.flatMap(({ metadata }) =>
      (metadata.ownerReferences ?? [])
        .filter(({ kind, controller }) => kind === 'DaemonSet' && controller === true)
        .map(({ name }) => `${metadata.namespace ?? ''}/${name}`),
    ),
  );
  for (const key of named) {
    const [namespace = '', name = ''] = key.split('/');
    await client.get(DAEMON_SETS, name, { namespace }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      named.delete(key);
    });
  }
  return named;
}

/** Evicts the pods whose turn it is. */
export async function drainRound(
  context: ControllerContext,
  guest: Guest,
  node: Node,
  pods: readonly (readonly [Pod, PodFate])[],
): Promise<Drained> {
  const round = planRound(pods);
  const evicted: Pod[] = [];
  const failed = new Map<string, Pod[]>();
  const until = context.clock.monotonic() + EVICTION_LIMIT_MS;
  for (const pod of round.evict) {
    const outcome =
      context.clock.monotonic() > until
        ? 'eviction timeout of 10s reached, eviction will be retried'
        : await evict(guest, pod, isUnreachable(node));
    if (outcome === 'evicted') evicted.push(pod);
    else if (outcome !== 'gone') failed.set(outcome, [...(failed.get(outcome) ?? []), pod]);
  }
  return { round, evicted, failed };
}

/** Evicts a pod; returns the failure text when that is not possible. */
async function evict({ client }: Guest, { metadata }: Pod, isGraceless: boolean): Promise<string> {
  const { name = '', namespace = '' } = metadata;
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace },
    deleteOptions: isGraceless ? { gracePeriodSeconds: UNREACHABLE_GRACE_SECONDS } : {},
  };
  try {
    await client.create(PODS, eviction, { namespace, name, subresource: 'eviction' });
    return 'evicted';
  } catch (error) {
    return isNotFound(error) ? 'gone' : refusalText(error);
  }
}

function refusalText(error: unknown): string {
  if (isTooManyRequests(error)) return budgetText(error);
  if (isForbidden(error) && isNamespaceTerminating(error))
    return 'Cannot evict pod from terminating namespace: unable to create eviction (kube-controller-manager should set deletionTimestamp)';
  return error instanceof Error ? error.message : String(error);
}

function budgetText(error: unknown): string {
  const { message = '', details } = apiErrorOf(error)?.status ?? {};
  if (details === undefined) return message;
  const causes = (details.causes ?? []).map((cause) => cause.message ?? '');
  return `${message} ${causes.join(',')}`;
}

const podText = ({ metadata }: Pod): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
const podsText = (pods: readonly Pod[]): string => shortList(pods.map(podText), 3);
const noun = (pods: readonly Pod[]): string => (pods.length > 1 ? 'Pods' : 'Pod');

const BUDGET = "annot evict pod as it would violate the pod's disruption budget.";
const MAX_FAILURES = 5;

function failureLines(failed: Drained['failed']): string[] {
  const messages = [...failed.keys()].toSorted();
  const lines = messages.slice(0, MAX_FAILURES).map((message) => {
    const pods = failed.get(message) ?? [];
    const text = message.replaceAll(`C${BUDGET}`, `c${BUDGET}`);
    const failure = text.startsWith(`c${BUDGET}`) ? text : `failed to evict Pod, ${text}`;
    return `* ${noun(pods)} ${podsText(pods)}: ${failure}`;
  });
  const others = messages.slice(MAX_FAILURES).reduce((sum, message) => sum + (failed.get(message)?.length ?? 0), 0);
  if (others === 0) return lines;
  return [...lines, others === 1 ? '* 1 Pod with other issues' : `* ${others} Pods with other issues`];
}

/** The condition message of a drain that is not done. */
export function drainText(drained: Drained, startedAt: string): string {
  const { round, evicted, failed } = drained;
  const going = [...round.going, ...evicted];
  const after = 'After above Pods have been removed from the Node,';
  return [
    `Drain not completed yet (started at ${startedAt}):`,
    ...(going.length === 0
      ? []
      : [`* ${noun(going)} ${podsText(going)}: deletionTimestamp set, but still not removed from the Node`]),
    ...failureLines(failed),
    ...(round.await.length === 0 ? [] : [`* ${noun(round.await)} ${podsText(round.await)}: waiting for completion`]),
    ...(round.evictLater.length === 0
      ? []
      : [`${after} the following Pods will be evicted: ${podsText(round.evictLater)}`]),
    ...(round.awaitLater.length === 0
      ? []
      : [`${after} waiting for the following Pods to complete without eviction: ${podsText(round.awaitLater)}`]),
  ].join('\n');
}
