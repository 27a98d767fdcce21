import { getCondition } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { MIGRATION_IN_PROGRESS_ANNOTATION } from '../annotations/migration.js';

/** The reason of `ReconciliationActive` while a migration holds the lock. */
export const MIGRATION_IN_PROGRESS_REASON = 'MigrationInProgress';
const MESSAGE = /^Reconciliation is stopped by the migration lock (\S+):/u;

/** The condition by which a controller acknowledges a lock, once its last reconcile has ended. */
export function acknowledgement(lock: string): { type: string; status: 'False'; reason: string; message: string } {
  return {
    type: 'ReconciliationActive',
    status: 'False',
    reason: MIGRATION_IN_PROGRESS_REASON,
    message: `Reconciliation is stopped by the migration lock ${lock}: reconciliation resumes when the lock is removed`,
  };
}

/** Which lock a controller has acknowledged. */
export function acknowledgedLock(conditions: readonly Condition[] | undefined): string | undefined {
  const condition = getCondition(conditions, 'ReconciliationActive');
  if (condition?.status !== 'False' || condition.reason !== MIGRATION_IN_PROGRESS_REASON) return undefined;
  return MESSAGE.exec(condition.message)?.[1];
}

/** The lock of a HostedControlPlane, by the id that is to be acknowledged; undefined while no migration holds one. */
export function controlPlaneLock({ metadata }: Pick<KubeObject, 'metadata'>): string | undefined {
  return metadata.annotations?.[MIGRATION_IN_PROGRESS_ANNOTATION];
}
