import type { HostedCluster } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';
import { SCOPE_ANNOTATION } from '../annotations/hosted-clusters.js';
import {
  LEGACY_SCOPE,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_IN_PROGRESS_ANNOTATION,
  MIGRATION_JOURNAL_ANNOTATION,
  PRIVATE_CAPI_TYPES_ANNOTATION,
} from '../annotations/migration.js';
import { FOREIGN_LOCK, lockOf } from '../migration/lock.js';
import { MIGRATION_REASONS, migrationCondition } from '../migration/progress.js';

/** In which groups the control plane namespace of a HostedCluster has objects of Cluster API. */
export interface CapiEvidence {
  readonly standard: boolean;
  readonly private: boolean;
}

/** Annotations to set, or to remove where they are undefined. */
export type AnnotationChanges = Readonly<Record<string, string | undefined>>;

/** One of the operators that may reconcile a HostedCluster. */
export type OneOperator =
  | { readonly by: 'private' }
  | { readonly by: 'legacy' }
  /** Another operator with that scope, which reconciles nothing else. */
  | { readonly by: 'shard'; readonly scope: string };

/** Which operator reconciles a HostedCluster by its annotations. */
export type Reconciler =
  | OneOperator
  /** The lock stops the operator that reconciles it otherwise, which acknowledges it by that id. */
  | { readonly by: 'nobody'; readonly lock: string; readonly stops: Exclude<Reconciler, { readonly lock: string }> }
  /** Its annotations do not decide: the operator on private types reads the objects and corrects the annotations. */
  | { readonly by: 'undecided'; readonly state: 'invalid' | 'unmarked' };

type Annotated = Pick<KubeObject, 'metadata'>;

/** Which operator reconciles a HostedCluster; at any moment, all operators answer this alike. */
export function reconcilerOf(cluster: Annotated): Reconciler {
  const found = unlockedReconcilerOf(cluster.metadata.annotations ?? {});
  const lock = lockOf(cluster);
  if (lock.holder === 'nobody') return found;
  return { by: 'nobody', lock: lock.holder === 'foreign' ? FOREIGN_LOCK : lock.journal.id, stops: found };
}

function unlockedReconcilerOf(
  annotations: Readonly<Record<string, string>>,
): Exclude<Reconciler, { readonly lock: string }> {
  const { [SCOPE_ANNOTATION]: scope = '' } = annotations;
  const isPrivate = annotations[PRIVATE_CAPI_TYPES_ANNOTATION] === 'true';
  if (scope !== '' && scope !== LEGACY_SCOPE) return { by: 'shard', scope };
  const isLockLost =
    annotations[MIGRATION_IN_PROGRESS_ANNOTATION] === undefined &&
    annotations[MIGRATION_JOURNAL_ANNOTATION] !== undefined;
  if (isLockLost || (isPrivate && scope === LEGACY_SCOPE)) return { by: 'undecided', state: 'invalid' };
  if (isPrivate) return { by: 'private' };
  if (scope === LEGACY_SCOPE || annotations[MIGRATION_FAILED_ANNOTATION] !== undefined) return { by: 'legacy' };
  return { by: 'undecided', state: 'unmarked' };
}

/** Whether no operator reconciles a HostedCluster because both groups have objects, as its controller has found it. */
export function isInBothGroups(cluster: HostedCluster): boolean {
  return (
    reconcilerOf(cluster).by === 'undecided' && migrationCondition(cluster)?.reason === MIGRATION_REASONS.bothGroups
  );
}

/** How annotations that do not decide are corrected. */
export type Correction =
  | { readonly changes: AnnotationChanges; readonly because: string }
  /** Nothing is written: a user has to decide. */
  | { readonly problem: string };

const TO_PRIVATE: AnnotationChanges = { [PRIVATE_CAPI_TYPES_ANNOTATION]: 'true', [SCOPE_ANNOTATION]: undefined };
const TO_LEGACY: AnnotationChanges = {
  [PRIVATE_CAPI_TYPES_ANNOTATION]: undefined,
  [SCOPE_ANNOTATION]: LEGACY_SCOPE,
};

/** What a HostedCluster whose annotations do not decide becomes, by the objects of its control plane. */
export function correctionOf({ metadata }: Annotated, evidence: CapiEvidence): Correction {
  const { annotations = {} } = metadata;
  const journal = { [MIGRATION_JOURNAL_ANNOTATION]: undefined };
  const locked = { [MIGRATION_IN_PROGRESS_ANNOTATION]: 'true' };
  const interrupted = lockOf({ metadata: { annotations: { ...annotations, ...locked } } });
  // Its Deployments may be scaled down, which the rollback alone ends: objects do not show that.
  if (interrupted.holder === 'migration' && interrupted.journal.rollback !== undefined)
    return { changes: locked, because: 'the journal of a rollback is there: the lock is set again' };
  if (evidence.standard && evidence.private) {
    if (interrupted.holder === 'migration')
      return {
        changes: locked,
        because: 'both groups have objects, and the journal of a migration is there: the lock is set again',
      };
    return { problem: 'both groups have objects, and no journal of a migration is there' };
  }
  if (evidence.standard) return { changes: { ...TO_LEGACY, ...journal }, because: 'the standard groups have objects' };
  if (evidence.private) return { changes: { ...TO_PRIVATE, ...journal }, because: 'the private groups have objects' };
  return { changes: { ...TO_PRIVATE, ...journal }, because: 'no group has objects' };
}
