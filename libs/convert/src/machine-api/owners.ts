/** Owners of converted objects: data of the caller, who knows what is in the cluster. */
import type { JsonObject } from '@capstan/meta';
import { CLUSTER_API_GROUP } from './names.js';

/** An object of the API that is written. */
export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** The owners that converted objects get: those they are not given they do not have. */
export interface MachineOwners {
  /** Of a machine: its MachineSet or ControlPlaneMachineSet. */
  readonly set?: Owner | undefined;
  /** The Cluster: of sets and templates of Cluster API, and of its machines without a set. */
  readonly cluster?: Owner | undefined;
  /** Of an infrastructure machine: its Machine. */
  readonly machine?: Owner | undefined;
}

function reference({ apiVersion, kind, name, uid }: Owner, isController: boolean): JsonObject {
  return { apiVersion, kind, name, uid, controller: isController, blockOwnerDeletion: true };
}

function referencesOf(object: JsonObject, { cluster, machine, set }: MachineOwners): JsonObject[] {
  const { apiVersion, kind } = object;
  const group = String(apiVersion).split('/')[0] ?? '';
  const byCluster = cluster === undefined ? [] : [reference(cluster, false)];
  if (group === CLUSTER_API_GROUP) {
    if (kind === 'Machine' && set !== undefined) return [reference(set, true)];
    return kind === 'MachineHealthCheck' ? [] : byCluster;
  }
  if (group.endsWith(`.${CLUSTER_API_GROUP}`)) {
    if (String(kind).endsWith('Template')) return byCluster;
    return machine === undefined ? [] : [reference(machine, true)];
  }
  return kind === 'Machine' && set !== undefined ? [reference(set, true)] : [];
}

/** The objects with their owners; without `owners` they have no references. */
export function withOwners(objects: readonly JsonObject[], owners: MachineOwners | undefined): readonly JsonObject[] {
  if (owners === undefined) return objects;
  return objects.map((object) => {
    const ownerReferences = referencesOf(object, owners);
    if (ownerReferences.length === 0) return object;
    return { ...object, metadata: { ...(object['metadata'] as JsonObject), ownerReferences } };
  });
}
