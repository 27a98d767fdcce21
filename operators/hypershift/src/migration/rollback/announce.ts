import type { HostedCluster } from '@capstan/api/hypershift';
import { MANUAL_ROLLBACK, rollbackOf } from '@capstan/hosting';
import type { MigrationParts } from '../model.js';
import type { MigrationProgress } from '../progress.js';
import { subjectOf } from '../subject.js';

/** Logs and records that a user has a migrated cluster rolled back; of every other rollback, its failure was. */
export function announceRollback(
  { logger, recorder }: MigrationParts,
  cluster: HostedCluster,
  { id, memory }: { readonly id: string; readonly memory: MigrationProgress },
): void {
  const cause = rollbackOf(cluster);
  if (cause?.reason !== MANUAL_ROLLBACK || !memory.isNews(`rollback ${id}`, cause.reason)) return;
  const { name, namespace } = cluster.metadata;
  const { message = 'no message' } = cause;
  logger.info('Rolling back HostedCluster', { namespace, name, id, message });
  const text = `Rollback to standard Cluster API types started: ${message}`;
  recorder.record(subjectOf(cluster), { type: 'Normal', reason: 'MigrationRollbackStarted', message: text });
}

/** Logs and records that a cluster is on standard types again, whatever brought it back. */
export function announceRolledBack({ logger, recorder }: MigrationParts, cluster: HostedCluster): void {
  const { name, namespace } = cluster.metadata;
  const reason = rollbackOf(cluster)?.reason;
  logger.info('Migration rolled back', { namespace, name, reason });
  const message = `Cluster API objects are in the standard groups again (${reason ?? 'no reason recorded'})`;
  recorder.record(subjectOf(cluster), { type: 'Normal', reason: 'MigrationRolledBack', message });
}
