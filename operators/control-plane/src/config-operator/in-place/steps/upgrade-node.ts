import type { Machine } from '@capstan/api/cluster-api';
import { DESIRED_RELEASE_ANNOTATION, MACHINES, RELEASE_VERSION_ANNOTATION } from '@capstan/hosting';
import type { Client } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { Clock, JsonObject } from '@capstan/meta';
import { NODES } from '../../kinds.js';
import { DESIRED_CONFIG, TURN, writeTurn } from '../view.js';
import type { NodeDecision, PoolTarget } from '../decide.js';
import type { MachineNode } from '../gather.js';
import { drain } from './drain.js';
import type { LeftPod } from './drain.js';

/** What a node is upgraded with. */
export interface NodeUpgrader {
  readonly client: Client;
  readonly clock: Clock;
  readonly guest: { readonly client: Client };
  readonly target: PoolTarget;
  readonly signal: AbortSignal;
}

/** Performs the decision for a node; returns the pods that are still to be evicted, where it has to be repeated. */
export async function upgradeNode(
  decision: NodeDecision,
  { machine, node }: MachineNode,
  { client, clock, guest, signal, target }: NodeUpgrader,
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
      // The Machine first: after the last write on the node no event would reconcile this again.
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
