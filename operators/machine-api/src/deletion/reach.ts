/** Whether the deletion of a copy that is not authoritative is one of the resource. Pure: see decisions in the README. */
import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Authored, Authority } from '../shared/model.js';
import { isDeleting, isLiving } from '../shared/model.js';

/** What the question is decided by. */
export interface Ownership {
  readonly mapi: KubeObject | undefined;
  readonly capi: KubeObject | undefined;
  /** The set that controls either copy, by its name. */
  readonly set: {
    readonly mapi?: Authored | undefined;
    readonly capi?: KubeObject | undefined;
    readonly authority?: Authority | undefined;
  };
}

type Owner = 'none' | 'control-plane' | 'living-set' | 'deleted-set' | 'missing-set';

function ownerOf(object: KubeObject | undefined, set: KubeObject | undefined): Owner {
  const owner = object === undefined ? undefined : controllerOf(object);
  if (owner?.kind === 'ControlPlaneMachineSet') return 'control-plane';
  if (owner?.kind !== 'MachineSet') return 'none';
  if (set === undefined || set.metadata.uid !== owner.uid) return 'missing-set';
  return isDeleting(set) ? 'deleted-set' : 'living-set';
}

/** Of the copy in Machine API: a user deletes it to be rid of Machine API, a set or a health check to be rid of the machine. */
export function reachesClusterApi({ capi, mapi, set }: Ownership): boolean {
  const inClusterApi = ownerOf(capi, set.capi);
  switch (ownerOf(mapi, set.mapi)) {
    case 'control-plane':
    case 'living-set':
      return true;
    case 'deleted-set':
      // The garbage collector deletes what a set controls; that of a mere copy is none of the machines' business.
      return set.authority !== 'ClusterAPI';
    case 'missing-set':
      return inClusterApi !== 'living-set';
    case 'none':
      return inClusterApi === 'living-set' && isLiving(set.mapi);
  }
}

/** Of the copy in Cluster API. */
export function reachesMachineApi({ capi, mapi, set }: Ownership): boolean {
  const inMachineApi = ownerOf(mapi, set.mapi);
  switch (ownerOf(capi, set.capi)) {
    case 'control-plane':
    case 'living-set':
      return true;
    case 'deleted-set':
      return set.authority !== 'MachineAPI';
    case 'missing-set':
      return !(inMachineApi === 'living-set' && set.authority === 'MachineAPI');
    case 'none':
      return inMachineApi === 'living-set' || inMachineApi === 'control-plane';
  }
}
