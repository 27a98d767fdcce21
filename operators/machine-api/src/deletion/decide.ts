/** What becomes of a resource of which a copy was deleted: the rows of the specification's table. Pure. */
import type { Authority } from '../shared/model.js';

/** How a copy is. */
export type Presence = 'absent' | 'living' | 'deleting';

export interface DeletionInputs {
  readonly mapi: Presence;
  readonly capi: Presence;
  /** Who acts on the resource; while authority moves, who did. Undefined without a copy in Machine API, or a status. */
  readonly source: Authority | undefined;
  /** Whether the deletion of the copy that is not authoritative is one of the resource. */
  readonly isReaching: boolean;
}

export type DeletionDecision =
  /** No copy was deleted. */
  | 'none'
  /** The authoritative copy was: the other one follows it, and ends after it. */
  | 'finish'
  /** The other one was, by who manages the machine: the authoritative one follows. */
  | 'propagate'
  /** The copy in Machine API was, and Cluster API goes on alone. */
  | 'detach'
  /** The copy in Cluster API was: it ends, and is created again. */
  | 'renew'
  /** What is left of a resource has no counterpart, and is not held for one. */
  | 'release';

/** Decides about deletions, before anything else is decided about a resource. */
export function decideDeletion({ capi, isReaching, mapi, source }: DeletionInputs): DeletionDecision {
  if (mapi === 'absent') return capi === 'deleting' ? 'release' : 'none';
  // Nothing was ever done about it.
  if (source === undefined) return mapi === 'deleting' ? 'release' : 'none';
  const [own, other] = source === 'MachineAPI' ? [mapi, capi] : [capi, mapi];
  if (own === 'deleting') return 'finish';
  if (own === 'absent') return other === 'deleting' ? 'release' : 'none';
  if (other !== 'deleting') return 'none';
  if (isReaching) return 'propagate';
  return source === 'ClusterAPI' ? 'detach' : 'renew';
}
