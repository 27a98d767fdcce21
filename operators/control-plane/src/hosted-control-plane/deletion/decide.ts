import type { HostedControlPlane } from '@capstan/api/hypershift';
import { CLEANUP_ANNOTATION } from '@capstan/hosting';
import { isConditionTrue } from '@capstan/meta';
import { DEPLOYMENTS, STATEFUL_SETS } from '../../kinds.js';
import { isOurs } from '../../objects/ownership.js';
import type { Owner } from '../../objects/ownership.js';
import type { Snapshot } from '../../objects/snapshot.js';

/** What to do for a control plane that is being deleted. */
export type DeletionDecision =
  | { readonly do: 'await-cleanup' }
  | { readonly do: 'delete-workloads' }
  | { readonly do: 'await-workloads' }
  | { readonly do: 'remove-finalizer' };

/** Decides the next step: first the cloud resources of its cluster, then its workloads, then the finalizer. */
export function decideDeletion(hcp: HostedControlPlane, snapshot: Snapshot, owner: Owner): DeletionDecision {
  const conditions = hcp.status?.conditions;
  const wantsCleanup = hcp.metadata.annotations?.[CLEANUP_ANNOTATION] === 'true';
  // A cluster whose API server does not answer cannot delete its cloud resources.
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
  if (workloads.length === 0) return { do: 'remove-finalizer' };
  return workloads.every(({ metadata }) => metadata.deletionTimestamp != null)
    ? { do: 'await-workloads' }
    : { do: 'delete-workloads' };
}
