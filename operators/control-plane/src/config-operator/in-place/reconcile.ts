import type { Machine, MachineSet } from '@capstan/api/cluster-api';
import {
  CURRENT_CONFIG_ANNOTATION,
  DESIRED_RELEASE_ANNOTATION,
  DRAIN_BLOCKED_ANNOTATION,
  MACHINE_SETS,
  MACHINES,
  PAUSED_ANNOTATION,
  RELEASE_VERSION_ANNOTATION,
  UPGRADE_FAILURE_ANNOTATION,
  UPGRADE_PROGRESS_ANNOTATION,
} from '@capstan/hosting';
import { patchFrom } from '@capstan/kube';
import type { Cache, Client, Reconcile } from '@capstan/kube';
import { ignoreNotFound, isControlledBy } from '@capstan/meta';
import type { Clock, JsonObject } from '@capstan/meta';
import { NODES } from '../kinds.js';
import { decidePool } from './decide.js';
import type { NodeDecision, PoolDecision, PoolTarget } from './decide.js';
import { blockedText } from './blocked.js';
import type { Draining } from './blocked.js';
import { drain } from './drain.js';
import type { LeftPod } from './drain.js';
import { DESIRED_CONFIG, targetOf, TURN, viewOf, writeTurn } from './view.js';
import type { GuestNode } from './view.js';

/** What nodes are upgraded with. */
export interface InPlaceOptions {
  readonly client: Client;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly guest: { readonly client: Client; readonly cache: Cache };
}

const DRAIN_AGAIN_MS = 5_000;

/** Upgrades the nodes of pools in place: a few at a time are cordoned, drained, given their desired configuration, and uncordoned. */
export function reconcileInPlace(options: InPlaceOptions): Reconcile {
  const { cache, clock } = options;
  return async ({ name, namespace }, { signal }) => {
    const set = await cache.get<MachineSet>(MACHINE_SETS, name, { namespace }).catch(ignoreNotFound);
    if (set === undefined || set.metadata.deletionTimestamp != null) return undefined;
    const target = targetOf(set);
    if (target === undefined || set.metadata.annotations?.[PAUSED_ANNOTATION] !== undefined) return undefined;
    const { items } = await cache.list<Machine>(MACHINES, { namespace });
    const machines = items.filter(
      (machine) => isControlledBy(machine, set) && machine.metadata.deletionTimestamp == null,
    );
    const pairs = await Promise.all(machines.map((machine) => paired(machine, options)));
    const found = pairs.flatMap((pair) => (pair === undefined ? [] : [pair]));
    const decision = decidePool(
      found.map(({ machine, node }) => viewOf(machine, node)),
      target,
      clock.now(),
    );
    const byNode = new Map(found.map((pair) => [pair.node.metadata.name ?? '', pair]));
    const draining: Draining[] = [];
    for (const each of decision.nodes) {
      const pair = byNode.get(each.node.node);
      const left = pair === undefined ? undefined : await act(each, pair, { ...options, target, signal });
      const { node, turn } = each.node;
      if (left !== undefined) draining.push({ node, sinceMs: turn?.sinceMs ?? clock.now(), left });
    }
    const blocked = blockedText(draining, clock.now());
    await writeProgress(set, { ...decision, blocked }, target, options);
    return draining.length > 0 ? { requeueAfterMs: DRAIN_AGAIN_MS } : undefined;
  };
}

interface Pair {
  readonly machine: Machine;
  readonly node: GuestNode;
}

async function paired(machine: Machine, { guest }: InPlaceOptions): Promise<Pair | undefined> {
  const name = machine.status?.nodeRef?.name ?? '';
  const node = name === '' ? undefined : await guest.cache.get<GuestNode>(NODES, name).catch(ignoreNotFound);
  return node === undefined ? undefined : { machine, node };
}

/** Does what was decided; gives the pods that have yet to leave, where that has to be looked at again. */
async function act(
  decision: NodeDecision,
  { machine, node }: Pair,
  {
    client,
    clock,
    guest,
    signal,
    target,
  }: InPlaceOptions & { readonly target: PoolTarget; readonly signal: AbortSignal },
): Promise<readonly LeftPod[] | undefined> {
  const { name = '' } = node.metadata;
  const patch = async (value: JsonObject): Promise<void> => {
    await guest.client.patch(NODES, name, { type: 'merge', value }, { signal }).catch(ignoreNotFound);
  };
  switch (decision.do) {
    case 'await':
      return undefined;
    case 'begin': {
      const turn = { target: target.config, wasCordoned: decision.node.isUnschedulable, sinceMs: clock.now() };
      // Locked: an upgrade that was started a moment ago and is not in the cache yet must not start a second one.
      const { resourceVersion } = node.metadata;
      const metadata = { resourceVersion, annotations: { [TURN]: writeTurn(turn) } };
      await patch({ metadata, spec: { unschedulable: true } });
      return [];
    }
    case 'drain': {
      const left = await drain(guest.client, name, signal);
      if (left.length > 0 && !decision.isForced) return left;
      const { sinceMs = clock.now(), wasCordoned = false } = decision.node.turn ?? {};
      const annotations = {
        [DESIRED_CONFIG]: target.config,
        [DESIRED_RELEASE_ANNOTATION]: target.release,
        [TURN]: writeTurn({ target: target.config, wasCordoned, sinceMs }),
      };
      await patch({ metadata: { annotations } });
      return undefined;
    }
    case 'finish':
      // The Machine first: after the last write on the node nothing would bring this up again.
      await record(client, machine, target);
      await patch({
        metadata: { annotations: { [TURN]: null } },
        ...(decision.node.turn?.wasCordoned === true ? {} : { spec: { unschedulable: null } }),
      });
      return undefined;
    case 'record':
      await record(client, machine, target);
      return undefined;
  }
}

async function record(client: Client, machine: Machine, { release }: PoolTarget): Promise<void> {
  const { annotations, name = '', namespace } = machine.metadata;
  if (release === '' || annotations?.[RELEASE_VERSION_ANNOTATION] === release) return;
  const value = { metadata: { annotations: { [RELEASE_VERSION_ANNOTATION]: release } } };
  await client.patch(MACHINES, name, { type: 'merge', value }, { namespace }).catch(ignoreNotFound);
}

/** Writes the progress of its nodes onto the MachineSet. */
async function writeProgress(
  set: MachineSet,
  { blocked, failure, isComplete, progress }: PoolDecision & { readonly blocked: string | undefined },
  target: PoolTarget,
  { client }: InPlaceOptions,
): Promise<void> {
  const {
    [UPGRADE_PROGRESS_ANNOTATION]: _,
    [UPGRADE_FAILURE_ANNOTATION]: __,
    [DRAIN_BLOCKED_ANNOTATION]: ___,
    ...kept
  } = set.metadata.annotations ?? {};
  const annotations = {
    ...kept,
    ...(isComplete ? { [CURRENT_CONFIG_ANNOTATION]: target.config } : {}),
    ...(failure !== undefined ? { [UPGRADE_FAILURE_ANNOTATION]: failure } : {}),
    ...(blocked === undefined ? {} : { [DRAIN_BLOCKED_ANNOTATION]: blocked }),
    ...(failure === undefined && progress !== undefined ? { [UPGRADE_PROGRESS_ANNOTATION]: progress } : {}),
  };
  const after = { ...set, metadata: { ...set.metadata, annotations } };
  await patchFrom(client, MACHINE_SETS, { before: set, after }, { optimisticLock: true });
}
