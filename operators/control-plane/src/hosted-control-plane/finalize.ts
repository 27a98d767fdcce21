import type { HostedControlPlane } from '@capstan/api/hypershift';
import { CLEANUP_ANNOTATION, FINALIZER, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { removeFinalizer } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { ignoreNotFound, isConditionTrue } from '@capstan/meta';
import { DEPLOYMENTS, STATEFUL_SETS } from '../kinds.js';
import { isOurs } from '../objects/ownership.js';
import type { Owner } from '../objects/ownership.js';
import type { OwnedObjects } from '../objects/owned-objects.js';
import type { Snapshot } from '../objects/snapshot.js';

/** What is to be done about a control plane that is to go. */
export type EndDecision =
  | { readonly do: 'await-cleanup' }
  | { readonly do: 'end-workloads' }
  | { readonly do: 'await-workloads' }
  | { readonly do: 'release' };

/** Decides how a control plane goes: what its guest made in the cloud first, then what runs, then the rest by itself. */
export function decideEnd(hcp: HostedControlPlane, snapshot: Snapshot, owner: Owner): EndDecision {
  const conditions = hcp.status?.conditions;
  const wantsCleanup = hcp.metadata.annotations?.[CLEANUP_ANNOTATION] === 'true';
  // Nobody can ask a guest that does not answer to let go of anything.
  const canClean = isConditionTrue(conditions, 'KubeAPIServerAvailable');
  const workloads = [DEPLOYMENTS, STATEFUL_SETS]
    .flatMap((kind) => snapshot.list(kind))
    .filter((each) => isOurs(each, owner));
  const isEnding = workloads.some(({ metadata }) => metadata.deletionTimestamp != null);
  if (
    wantsCleanup &&
    canClean &&
    !isEnding &&
    workloads.length > 0 &&
    !isConditionTrue(conditions, 'CloudResourcesDestroyed')
  )
    return { do: 'await-cleanup' };
  if (workloads.length === 0) return { do: 'release' };
  return workloads.every(({ metadata }) => metadata.deletionTimestamp != null)
    ? { do: 'await-workloads' }
    : { do: 'end-workloads' };
}

/** Ends what runs for a control plane, and lets it go once nothing does. Everything else goes with its owner. */
export async function finalize(
  hcp: HostedControlPlane,
  { client, objects, owner }: { readonly client: Client; readonly objects: OwnedObjects; readonly owner: Owner },
): Promise<void> {
  const decision = decideEnd(hcp, objects.snapshot, owner);
  if (decision.do === 'end-workloads')
    for (const kind of [DEPLOYMENTS, STATEFUL_SETS]) await objects.prune(kind, () => false);
  if (decision.do !== 'release') return;
  await removeFinalizer(client, HOSTED_CONTROL_PLANES, hcp, FINALIZER).catch(ignoreNotFound);
}
