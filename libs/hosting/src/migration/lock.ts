import type { HostedCluster } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';

import { SCOPE_ANNOTATION } from '../annotations/hosted-clusters.js';
import {
  LEGACY_SCOPE,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_FAILURE_ANNOTATION,
  MIGRATION_IN_PROGRESS_ANNOTATION,
  MIGRATION_JOURNAL_ANNOTATION,
  PRIVATE_CAPI_TYPES_ANNOTATION,
} from '../annotations/migration.js';
import { pauseOf } from '../pause/pause.js';

/** What the lock of a migration records; everything else about it is derived from the objects. */
export interface Journal {
  /** Names this attempt: acknowledgements and the baseline are of one attempt. */
  readonly id: string;
  /** RFC 3339. */
  readonly startedAt: string;
  /** Since when it goes back to standard types: from then on it never goes forward again. */
  readonly rollback?: RollbackCause | undefined;
  /** No other migration starts after it: users asked for one more when it began. */
  readonly isLast?: boolean | undefined;
}

/** Why a migration goes back: a failure, or a request by hand. */
export interface RollbackCause {
  /** Of the closed set of reasons. */
  readonly reason: string;
  /** What exactly went wrong, or who asked for it. */
  readonly message?: string | undefined;
}

/** The reason of a rollback that was requested by hand. */
export const MANUAL_ROLLBACK = 'manual-rollback';

/** Who holds the lock of a HostedCluster. */
export type Lock =
  | { readonly holder: 'nobody' }
  | { readonly holder: 'migration'; readonly journal: Journal }
  | { readonly holder: 'foreign' };

/** How a lock without a journal is acknowledged. */
export const FOREIGN_LOCK = 'foreign';

/** Reads the lock. One without a journal that can be read is another client's, and never touched. */
export function lockOf({ metadata: { annotations = {} } }: Pick<KubeObject, 'metadata'>): Lock {
  if (annotations[MIGRATION_IN_PROGRESS_ANNOTATION] === undefined) return { holder: 'nobody' };
  const journal = readJournal(annotations[MIGRATION_JOURNAL_ANNOTATION]);
  return journal === undefined ? { holder: 'foreign' } : { holder: 'migration', journal };
}

function readJournal(text: string | undefined): Journal | undefined {
  if (text === undefined) return undefined;
  try {
    const { id, isLast, rollback, startedAt } = JSON.parse(text) as Partial<Journal>;
    if (typeof id !== 'string' || typeof startedAt !== 'string') return undefined;
    const isBack = typeof rollback?.reason === 'string';
    return { id, startedAt, ...(isLast === true ? { isLast } : {}), ...(isBack ? { rollback } : {}) };
  } catch {
    return undefined;
  }
}

/** Where a HostedCluster that the migration has locked stands. */
export type Phase = 'forward' | 'rollback' | 'finish';

/**
 * A rollback in the journal turns a migration back; without one it goes forward, and after the commit only forward. A rollback
 * by hand has a lock of its own, whose journal begins with it.
 */
export function phaseOf(cluster: Pick<HostedCluster, 'metadata'>): Phase {
  if (rollbackOf(cluster) !== undefined) return 'rollback';
  return isPrivate(cluster) ? 'finish' : 'forward';
}

/**
 * Why a locked HostedCluster goes back; undefined when it does not. Users remove the annotation to have a migration tried
 * again, so the journal alone decides once it has a rollback; a failure that another client has set is taken over into it.
 */
export function rollbackOf(cluster: Pick<HostedCluster, 'metadata'>): RollbackCause | undefined {
  const lock = lockOf(cluster);
  if (lock.holder === 'migration' && lock.journal.rollback !== undefined) return lock.journal.rollback;
  const { [MIGRATION_FAILED_ANNOTATION]: reason, [MIGRATION_FAILURE_ANNOTATION]: message } =
    cluster.metadata.annotations ?? {};
  return reason === undefined ? undefined : { reason, message };
}

/** Why a HostedCluster is not migrated; undefined when it can be. */
export function ineligibility(cluster: HostedCluster, nowMs: number): string | undefined {
  const { annotations = {}, deletionTimestamp } = cluster.metadata;
  if (annotations[PRIVATE_CAPI_TYPES_ANNOTATION] === 'true') return 'it is migrated';
  if (deletionTimestamp != null) return 'it is being deleted';
  if (annotations[SCOPE_ANNOTATION] !== LEGACY_SCOPE)
    return `its annotation ${SCOPE_ANNOTATION} is not ${LEGACY_SCOPE}: another operator reconciles it`;
  if (annotations[MIGRATION_IN_PROGRESS_ANNOTATION] !== undefined)
    return `another client holds the lock ${MIGRATION_IN_PROGRESS_ANNOTATION}`;
  const failed = annotations[MIGRATION_FAILED_ANNOTATION];
  if (failed !== undefined)
    return `its last migration failed (${failed}): remove the annotation ${MIGRATION_FAILED_ANNOTATION} to retry`;
  if (pauseOf(cluster.spec?.pausedUntil, nowMs).isPaused) return 'spec.pausedUntil pauses it';
  return undefined;
}

/** The HostedCluster with the lock. */
export function withLock(cluster: HostedCluster, journal: Journal): HostedCluster {
  return annotated(cluster, {
    [MIGRATION_IN_PROGRESS_ANNOTATION]: 'true',
    [MIGRATION_JOURNAL_ANNOTATION]: JSON.stringify(journal),
    // Of an earlier attempt.
    [MIGRATION_FAILURE_ANNOTATION]: undefined,
  });
}

/** The locked HostedCluster on its way back: the first cause stays, and its annotations are as it has them. */
export function withRollback(cluster: HostedCluster, cause: RollbackCause): HostedCluster {
  const lock = lockOf(cluster);
  if (lock.holder !== 'migration') return cluster;
  const { message, reason } = lock.journal.rollback ?? cause;
  const journal: Journal = { ...lock.journal, rollback: { reason, message } };
  return annotated(cluster, {
    [MIGRATION_JOURNAL_ANNOTATION]: JSON.stringify(journal),
    [MIGRATION_FAILED_ANNOTATION]: reason,
    [MIGRATION_FAILURE_ANNOTATION]: message,
  });
}

/** The HostedCluster without the lock: its operator goes on. */
export function withoutLock(cluster: HostedCluster): HostedCluster {
  return annotated(cluster, {
    [MIGRATION_IN_PROGRESS_ANNOTATION]: undefined,
    [MIGRATION_JOURNAL_ANNOTATION]: undefined,
  });
}

/** The HostedCluster after the point of no return: one write, so that it is never both legacy and private. */
export function committed(cluster: HostedCluster): HostedCluster {
  return annotated(cluster, { [PRIVATE_CAPI_TYPES_ANNOTATION]: 'true', [SCOPE_ANNOTATION]: undefined });
}

/** The HostedCluster of the legacy operator again: one write, so that it is never both. */
export function reverted(cluster: HostedCluster): HostedCluster {
  return annotated(cluster, { [PRIVATE_CAPI_TYPES_ANNOTATION]: undefined, [SCOPE_ANNOTATION]: LEGACY_SCOPE });
}

/** Whether its Cluster API objects are in the private groups. */
export function isPrivate({ metadata }: Pick<HostedCluster, 'metadata'>): boolean {
  return metadata.annotations?.[PRIVATE_CAPI_TYPES_ANNOTATION] === 'true';
}

/** The object with the annotations set, or removed where they are undefined. */
export function annotated<T extends { readonly metadata: HostedCluster['metadata'] }>(
  object: T,
  changes: Readonly<Record<string, string | undefined>>,
): T {
  const { annotations: before = {} } = object.metadata;
  // Where nothing changes the object stays as it is: an empty map instead of none would be a difference to write.
  if (Object.entries(changes).every(([key, value]) => before[key] === value)) return object;
  const merged = { ...before, ...changes };
  const annotations = Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { ...object, metadata: { ...object.metadata, annotations } };
}
