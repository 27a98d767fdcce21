/** Which copy follows which, by counterpart, status and kind. Pure. */
import { controllerOf } from '@capstan/meta';
import { isLiving, sourceOf } from '../shared/model.js';
import type { Authority } from '../shared/model.js';
import { hasOwnPause } from '../shared/pause.js';
import type { Inputs } from '../resource/inputs.js';

export type Direction =
  /** Nothing is to be done, or what is left of a pair is let go. */
  | { readonly do: 'leave' }
  | { readonly do: 'release' }
  /** No authority is reported yet: that comes first, and nothing with it. */
  | { readonly do: 'adopt'; readonly authority: Authority }
  | { readonly do: 'to-cluster-api' }
  | { readonly do: 'to-machine-api' };

/** Whether a Cluster API machine belongs to a set that has a copy in Machine API. */
function isOfMirroredSet({ capi, descriptor, owningSet }: Inputs): boolean {
  if (descriptor.kind !== 'Machine' || capi === undefined) return false;
  const owner = controllerOf(capi);
  return (
    owner !== undefined &&
    owner.kind === owningSet.kind &&
    isLiving(owningSet.mapi) &&
    owningSet.capi?.metadata.uid === owner.uid &&
    isLiving(capi)
  );
}

/** Decides the direction; deletions are decided before. */
export function decideDirection(inputs: Inputs): Direction {
  const { capi, mapi } = inputs;
  if (mapi === undefined) {
    if (capi === undefined) return { do: 'leave' };
    return { do: isOfMirroredSet(inputs) ? 'to-machine-api' : 'release' };
  }
  const current = mapi.status?.authoritativeAPI ?? '';
  if (current === '') return { do: 'adopt', authority: firstAuthority(inputs) };
  switch (sourceOf(mapi)) {
    case 'MachineAPI':
      return { do: 'to-cluster-api' };
    case 'ClusterAPI':
      // Of a machine that is to be created by Cluster API from the start, Machine API has the only spec.
      return { do: capi === undefined || isHalfCreated(inputs) ? 'to-cluster-api' : 'to-machine-api' };
    case undefined:
      return { do: 'leave' };
  }
}

/** Whether this operator has created the machine and not yet what belongs to it: until then it stays paused. */
function isHalfCreated({ capi, child, descriptor }: Inputs): boolean {
  return descriptor.child === 'machine' && child === undefined && capi !== undefined && hasOwnPause(capi);
}

/** As in the spec; without a value there, the API that has the resource already. */
function firstAuthority({ capi, mapi }: Inputs): Authority {
  const asked = mapi?.spec?.authoritativeAPI;
  if (asked === 'MachineAPI' || asked === 'ClusterAPI') return asked;
  return capi === undefined ? 'MachineAPI' : 'ClusterAPI';
}
