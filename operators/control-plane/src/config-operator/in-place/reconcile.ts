import type { MachineSet } from '@capstan/api/cluster-api';
import { MACHINE_SETS, PAUSED_ANNOTATION } from '@capstan/hosting';
import type { Cache, Client, Reconcile } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { Clock } from '@capstan/meta';
import { targetOf, viewOf } from './view.js';
import { blockedText } from './blocked.js';
import type { Draining } from './blocked.js';
import { decidePool } from './decide.js';
import type { PoolTarget } from './decide.js';
import { gather } from './gather.js';
import { writeProgress } from './status.js';
import { upgradeNode } from './steps/upgrade-node.js';

/** What nodes are upgraded with. */
export interface InPlaceOptions {
  readonly client: Client;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly guest: { readonly client: Client; readonly cache: Cache };
  /** Whether a migration has locked the control plane of a namespace. */
  readonly isLocked: (namespace: string) => boolean;
}

const DRAIN_AGAIN_MS = 5_000;

/**
 * Upgrades the nodes of pools in place: a few at a time are cordoned, drained, given their desired configuration, and
 * uncordoned. Gather, decide, act on each node, and one report on the MachineSet.
 */
export function reconcileInPlace(options: InPlaceOptions): Reconcile {
  const { cache, client, clock, isLocked } = options;
  return async ({ name, namespace }, { signal }) => {
    const set = await cache.get<MachineSet>(MACHINE_SETS, name, { namespace }).catch(ignoreNotFound);
    const target = set === undefined || isLocked(namespace) ? undefined : activeTarget(set);
    if (set === undefined || target === undefined) return undefined;
    const found = await gather(set, options);
    const views = found.map(({ machine, node }) => viewOf(machine, node));
    const decision = decidePool(views, target, clock.now());
    const byNode = new Map(found.map((pair) => [pair.node.metadata.name ?? '', pair]));
    const draining: Draining[] = [];
    for (const each of decision.nodes) {
      const pair = byNode.get(each.node.node);
      const left = pair === undefined ? undefined : await upgradeNode(each, pair, { ...options, target, signal });
      const { node, turn } = each.node;
      if (left !== undefined) draining.push({ node, sinceMs: turn?.sinceMs ?? clock.now(), left });
    }
    await writeProgress(set, { ...decision, blocked: blockedText(draining, clock.now()) }, target, client);
    return draining.length > 0 ? { requeueAfterMs: DRAIN_AGAIN_MS } : undefined;
  };
}

/** What a MachineSet is asked for; undefined while it is paused or being deleted. */
function activeTarget(set: MachineSet): PoolTarget | undefined {
  const { annotations, deletionTimestamp } = set.metadata;
  return deletionTimestamp != null || annotations?.[PAUSED_ANNOTATION] !== undefined ? undefined : targetOf(set);
}
