import type { KubeObject } from '@capstan/meta';
import { PRIVATE_CAPI_TYPES_ANNOTATION } from '../annotations/migration.js';
import { reconcilerOf } from './reconciler.js';
import type { Reconciler } from './reconciler.js';
import { isInScope } from './scope.js';

/** As which of several operators a process runs. */
export type OperatorMode =
  /** On standard types, the only one of the management cluster or of a scope; undefined: of every scope. */
  | { readonly kind: 'standard'; readonly scope?: string | undefined }
  /** The operator on private types. */
  | { readonly kind: 'private' }
  /** The operator on standard types next to it. */
  | { readonly kind: 'legacy' }
  /** On standard types, for HostedClusters of one scope. */
  | { readonly kind: 'shard'; readonly scope: string };

/** What an operator does about a HostedCluster, its NodePools, and requests about them. */
export type Turn =
  | { readonly do: 'reconcile' }
  /** Its turn otherwise, but a lock stops it. */
  | { readonly do: 'acknowledge'; readonly lock: string }
  /** The annotations have to be corrected by the objects first. */
  | { readonly do: 'decide'; readonly state: 'invalid' | 'unmarked' }
  /** Another operator's, or to be decided by another one. */
  | { readonly do: 'leave' };

const LEAVE: Turn = { do: 'leave' };

/** What an operator of a mode does about a HostedCluster: of all operators, at most one does not leave it. */
export function turnOf(mode: OperatorMode, cluster: Pick<KubeObject, 'metadata'>): Turn {
  const found = reconcilerOf(cluster);
  const unlocked = found.by === 'nobody' ? found.stops : found;
  if (!isTurn(mode, unlocked, cluster)) return LEAVE;
  if (found.by === 'nobody') return { do: 'acknowledge', lock: found.lock };
  const isDecided = mode.kind !== 'private' || found.by !== 'undecided';
  return isDecided ? { do: 'reconcile' } : { do: 'decide', state: found.state };
}

/** Whether a HostedCluster is one of those that an operator of a mode reconciles, locked or not. */
export function isOwn(mode: OperatorMode, cluster: Pick<KubeObject, 'metadata'>): boolean {
  return turnOf(mode, cluster).do !== 'leave';
}

function isTurn(mode: OperatorMode, found: Reconciler, cluster: Pick<KubeObject, 'metadata'>): boolean {
  switch (mode.kind) {
    case 'private':
      return found.by === 'private' || found.by === 'undecided';
    case 'legacy':
      return found.by === 'legacy';
    case 'shard':
      return found.by === 'shard' && found.scope === mode.scope;
    case 'standard':
      // Without an operator on private types nothing can be done about their objects, and standard ones would be created.
      return (
        isInScope(cluster, mode.scope) &&
        (found.by === 'shard' || cluster.metadata.annotations?.[PRIVATE_CAPI_TYPES_ANNOTATION] !== 'true')
      );
  }
}
