import type { HostedControlPlane } from '@capstan/api/hypershift';
import { FINALIZER, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { removeFinalizer } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import { DEPLOYMENTS, STATEFUL_SETS } from '../../kinds.js';
import type { OwnedObjects } from '../../objects/owned-objects.js';
import type { Owner } from '../../objects/ownership.js';
import { decideDeletion } from './decide.js';

/** Deletes the workloads of a control plane, then its finalizer. The garbage collector deletes everything else. */
export async function reconcileDeletion(
  hcp: HostedControlPlane,
  { client, objects, owner }: { readonly client: Client; readonly objects: OwnedObjects; readonly owner: Owner },
): Promise<void> {
  const decision = decideDeletion(hcp, objects.snapshot, owner);
  if (decision.do === 'delete-workloads')
    for (const kind of [DEPLOYMENTS, STATEFUL_SETS]) await objects.prune(kind, () => false);
  if (decision.do !== 'remove-finalizer') return;
  await removeFinalizer(client, HOSTED_CONTROL_PLANES, hcp, FINALIZER).catch(ignoreNotFound);
}
