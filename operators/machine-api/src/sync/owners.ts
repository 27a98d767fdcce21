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
  if (kind === 'MachineSet' || groupOf(owner) !== 'machine.openshift.io') return foreign(owner);
  // It is in another namespace than the copies, where no owner reference leads.
  if (owner.kind === 'ControlPlaneMachineSet') return ofCluster(at.cluster);
  if (owner.kind !== 'MachineSet') return foreign(owner);
  if (at.capiSet !== undefined) return { references: [reference(at.capiSet, true)] };
  const message = `waits for the Cluster API copy of its MachineSet ${owner.name}`;
  return { problem: { reason: REASONS.ownerNotSynchronized, message, isFinal: false } };
}

/** Of the copy in Machine API. */
export function ownersInMachineApi(kind: SyncedKind, object: KubeObject, at: OwnerObjects): Owners {
  if (kind === 'MachineHealthCheck') return { references: undefined };
  const owners = object.metadata.ownerReferences ?? [];
  if (owners.length > 1) return several(owners);
  const [owner] = owners;
  if (owner === undefined) return { references: [] };
  if (groupOf(owner) !== 'cluster.x-k8s.io') return foreign(owner);
  if (owner.kind === 'Cluster') return { references: [] };
  if (owner.kind !== 'MachineSet' || kind === 'MachineSet') return foreign(owner);
  const set = living(at.mapiSet);
  return { references: set === undefined ? [] : [reference(set, true)] };
}
