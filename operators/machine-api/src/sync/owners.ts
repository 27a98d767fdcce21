/** Who owns the copies: the copies of the owners. */
import type { KubeObject, OwnerReference } from '@capstan/meta';
import type { SyncedKind } from '../descriptors/descriptor.js';
import { living } from '../shared/model.js';
import { REASONS } from '../resource/reasons.js';
import type { OwnerObjects } from '../resource/inputs.js';
import type { Problem } from '../resource/reasons.js';

/** The references of a copy; undefined where they are not ours to write. */
export type Owners = { readonly references: readonly OwnerReference[] | undefined } | { readonly problem: Problem };

const groupOf = ({ apiVersion }: OwnerReference): string => apiVersion.slice(0, apiVersion.indexOf('/'));

const isCluster = (owner: OwnerReference): boolean => owner.kind === 'Cluster' && groupOf(owner) === 'cluster.x-k8s.io';

function reference({ apiVersion, kind, metadata }: KubeObject, isController: boolean): OwnerReference {
  const { name = '', uid = '' } = metadata;
  const marks = isController ? { controller: true, blockOwnerDeletion: true } : {};
  return { apiVersion, kind, name, uid, ...marks };
}

const foreign = (owner: OwnerReference): Owners => ({
  problem: {
    reason: REASONS.unsupportedOwner,
    message: `is owned by ${owner.kind} ${owner.name} (${owner.apiVersion}), which has no counterpart: remove the reference`,
    isFinal: true,
  },
});

const several = (owners: readonly OwnerReference[]): Owners => ({
  problem: {
    reason: REASONS.unsupportedOwner,
    message: `has ${owners.length} owners (${owners.map(({ kind, name }) => `${kind} ${name}`).join(', ')}): at most one can be carried over`,
    isFinal: true,
  },
});

function ofCluster(cluster: KubeObject | undefined): Owners {
  return { references: cluster === undefined ? [] : [reference(cluster, false)] };
}

/** Of the copy in Cluster API. */
export function ownersInClusterApi(kind: SyncedKind, object: KubeObject, at: OwnerObjects): Owners {
  if (kind === 'MachineHealthCheck') return { references: undefined };
  const owners = object.metadata.ownerReferences ?? [];
  const [owner] = owners;
  if (owner === undefined) return ofCluster(at.cluster);
  if (owners.length > 1) return several(owners);
  if (kind !== 'Machine' || groupOf(owner) !== 'machine.openshift.io') return foreign(owner);
  // No machine of a control plane waits for its set, whose template may be one that cannot be converted.
  if (owner.kind === 'ControlPlaneMachineSet') {
    const set = living(at.capiSet);
    return set === undefined ? ofCluster(at.cluster) : { references: [reference(set, true)] };
  }
  if (owner.kind !== 'MachineSet') return foreign(owner);
  // One that is being deleted, to be created again, lets go of the machines: they are not given back to it.
  const set = living(at.capiSet);
  if (set !== undefined) return { references: [reference(set, true)] };
  const message = `waiting for the Cluster API copy of its MachineSet ${owner.name}`;
  return { problem: { reason: REASONS.ownerNotSynchronized, message, isFinal: false } };
}

/** Of the copy in Machine API. */
export function ownersInMachineApi(kind: SyncedKind, object: KubeObject, at: OwnerObjects): Owners {
  if (kind === 'MachineHealthCheck') return { references: undefined };
  // The Cluster owns what nothing else does, and stays when a set takes a machine over.
  const owners = (object.metadata.ownerReferences ?? []).filter((each) => !isCluster(each));
  if (owners.length > 1) return several(owners);
  const [owner] = owners;
  if (owner === undefined) return { references: [] };
  const isSet =
    (owner.kind === 'MachineSet' && groupOf(owner) === 'cluster.x-k8s.io') ||
    (owner.kind === 'ControlPlaneMachineSet' && groupOf(owner) === 'machine.openshift.io');
  if (!isSet || kind !== 'Machine') return foreign(owner);
  const set = living(at.mapiSet);
  return { references: set === undefined ? [] : [reference(set, true)] };
}
