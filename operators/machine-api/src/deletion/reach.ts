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
    /** Undefined where sets of the kind have no copies. */
    readonly kind?: 'MachineSet' | 'ControlPlaneMachineSet' | undefined;
    readonly mapi?: Authored | undefined;
    readonly capi?: KubeObject | undefined;
    readonly authority?: Authority | undefined;
  };
}

type Owner = 'none' | 'control-plane' | 'ended-control-plane' | 'living-set' | 'deleted-set' | 'missing-set';

function ownerOf(object: KubeObject | undefined, set: KubeObject | undefined, { kind }: Ownership['set']): Owner {
  const owner = object === undefined ? undefined : controllerOf(object);
  const own = owner !== undefined && set?.metadata.uid === owner.uid ? set : undefined;
  switch (owner?.kind) {
    case 'ControlPlaneMachineSet':
      // The end of such a set is never that of the control plane: its operator lets the machines go.
      return kind === undefined || isLiving(own) ? 'control-plane' : 'ended-control-plane';
    case 'MachineSet':
      if (own === undefined) return 'missing-set';
      return isDeleting(own) ? 'deleted-set' : 'living-set';
    default:
      return 'none';
  }
}

const isOfLivingSet = (owner: Owner): boolean => owner === 'living-set' || owner === 'control-plane';

/** Of the copy in Machine API: a user deletes it to be rid of Machine API, a set or a health check to be rid of the machine. */
export function reachesClusterApi({ capi, mapi, set }: Ownership): boolean {
  const inClusterApi = ownerOf(capi, set.capi, set);
  switch (ownerOf(mapi, set.mapi, set)) {
    case 'control-plane':
    case 'living-set':
      return true;
    case 'deleted-set':
      // The garbage collector deletes what a set controls; that of a mere copy is none of the machines' business.
      return set.authority !== 'ClusterAPI';
    case 'ended-control-plane':
      return false;
    case 'missing-set':
      return inClusterApi !== 'living-set';
    case 'none':
      return isOfLivingSet(inClusterApi) && isLiving(set.mapi);
  }
}

/** Of the copy in Cluster API. */
export function reachesMachineApi({ capi, mapi, set }: Ownership): boolean {
  const inMachineApi = ownerOf(mapi, set.mapi, set);
  switch (ownerOf(capi, set.capi, set)) {
    case 'control-plane':
    case 'living-set':
      return true;
    case 'deleted-set':
      return set.authority !== 'MachineAPI';
    case 'ended-control-plane':
      return false;
    case 'missing-set':
      return !(inMachineApi === 'living-set' && set.authority === 'MachineAPI');
    case 'none':
      // While the copy of its set is created again, the machine has been let go by the old one.
      return isOfLivingSet(inMachineApi) && !(set.authority === 'MachineAPI' && !isLiving(set.capi));
  }
}
