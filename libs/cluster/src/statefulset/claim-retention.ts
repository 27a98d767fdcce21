import type { KubeObject, OwnerReference } from '@capstan/meta';
import type { Pod } from '../workload/resources.js';
import type { StatefulSet } from './decide.js';

function referenceTo({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  const { name = '', uid = '' } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/**
 * The owners a claim should have, so that it goes with the set, or with a pod that is one too many; undefined when it
 * has them. Those of others stay.
 */
export function decideOwners(
  set: StatefulSet,
  pod: Pod,
  claim: KubeObject,
  isCondemned: boolean,
): OwnerReference[] | undefined {
  const { whenDeleted, whenScaled } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const before = claim.metadata.ownerReferences ?? [];
  const ours = new Set([set.metadata.uid, pod.metadata.uid]);
  // A pod of an earlier life counts as ours too: nobody else names this one.
  const isOurs = ({ kind, name, uid }: OwnerReference): boolean =>
    ours.has(uid) || (kind === 'Pod' && name === pod.metadata.name);
  const owner = isCondemned && whenScaled === 'Delete' ? pod : whenDeleted === 'Delete' ? set : undefined;
  const wanted = [...before.filter((each) => !isOurs(each)), ...(owner === undefined ? [] : [referenceTo(owner)])];
  const isSame = wanted.length === before.length && wanted.every(({ uid }) => before.some((each) => each.uid === uid));
  return isSame ? undefined : wanted;
}
