import type { HostedCluster } from '@capstan/api/hypershift';
import {
  conditionsOf,
  endOf,
  HOSTED_CLUSTERS,
  ineligibility,
  isPrivate,
  LEGACY_SCOPE,
  lockOf,
  MIGRATION_CONDITION,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_FAILURE_ANNOTATION,
  MIGRATION_IN_PROGRESS_ANNOTATION,
  MIGRATION_REASONS,
  migrationCondition,
  reconcilerOf,
  SCOPE_ANNOTATION,
  withoutEnd,
} from '@capstan/hosting';
import { patchFrom } from '@capstan/kube';
import { deepEqual, formatTime, isConflict, isNotFound, setCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import type { MigrationParts } from './model.js';
import type { MigrationProgress } from './progress.js';
import { clearRefusal, isRefused, reportRefusal } from './refusals.js';
import { subjectOf } from './subject.js';

type Reported = Omit<Condition, 'lastTransitionTime'>;

const FOREIGN_MESSAGE = `another client has set the annotation ${MIGRATION_IN_PROGRESS_ANNOTATION}: nothing reconciles this cluster until it is removed`;
const MIGRATED_MESSAGE = 'Cluster API objects are in the private groups';

/** What announcements depend on. */
export interface Announcing {
  /** Why no further cluster is migrated; undefined where the next one may be. */
  readonly held?: string | undefined;
  readonly memory: MigrationProgress;
  readonly signal: AbortSignal;
}

/**
 * Reports in each HostedCluster that is not being migrated whether it is going to be, how its migration has ended, and who keeps
 * it from that. One that cannot be written keeps no other from being reported; the first other error is thrown after all.
 */
export async function announceMigrations(
  parts: MigrationParts,
  clusters: readonly HostedCluster[],
  announcing: Announcing,
): Promise<void> {
  const failures: unknown[] = [];
  for (const cluster of clusters)
    await announceMigration(parts, cluster, announcing).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Reports how one HostedCluster stands, and a migration that has succeeded until that is written. */
export async function announceMigration(
  parts: MigrationParts,
  cluster: HostedCluster,
  { held, memory, signal }: Announcing,
): Promise<void> {
  const condition = announcement(cluster, { held, nowMs: parts.clock.now() });
  try {
    const after = condition === undefined ? cluster : await announce(parts, cluster, condition, signal);
    await reportEnd(parts, after, { memory, signal });
    clearRefusal(cluster, { memory, what: 'condition' });
  } catch (error) {
    // Written or deleted meanwhile: the event of that brings it back here.
    if (isConflict(error) || isNotFound(error)) return;
    if (!isRefused(error)) throw error;
    reportRefusal(parts, cluster, { error, memory, what: 'condition' });
  }
}

/** What is to be written; undefined where the condition is what it should be. */
export function announcement(
  cluster: HostedCluster,
  { held, nowMs }: { readonly held?: string | undefined; readonly nowMs: number },
): Reported | 'remove' | undefined {
  const before = migrationCondition(cluster);
  const wanted = wantedCondition(cluster, before, { held, nowMs });
  if (wanted === 'keep' || (wanted === 'remove' && before === undefined)) return undefined;
  if (wanted === 'remove') return wanted;
  const { message, reason, status } = wanted;
  return before?.reason === reason && before.message === message && before.status === status ? undefined : wanted;
}

function wantedCondition(
  cluster: HostedCluster,
  before: Condition | undefined,
  given: { readonly held: string | undefined; readonly nowMs: number },
): Reported | 'keep' | 'remove' {
  const { holder } = lockOf(cluster);
  // Of one whose annotations do not decide, its controller reports what is wrong.
  if (holder === 'migration' || reconcilerOf(cluster).by === 'undecided') return 'keep';
  if (holder === 'foreign') return foreignLock(cluster, before);
  if (isPrivate(cluster)) return wasMigrated(cluster, before) ? migrated() : 'remove';
  return onStandardTypes(cluster, { ...given, before });
}

/** Reasons whose status keeps what the cluster was before: they end with a lock of another client, or once annotations decide. */
const OVER: ReadonlySet<string> = new Set([MIGRATION_REASONS.foreignLock, MIGRATION_REASONS.bothGroups]);
const OF_MIGRATED: ReadonlySet<string> = new Set([
  MIGRATION_REASONS.inProgress,
  MIGRATION_REASONS.rollingBack,
  MIGRATION_REASONS.migrated,
]);

/** Whether a cluster on private types was migrated: one that was created on them has no condition but for a foreign lock. */
function wasMigrated(cluster: HostedCluster, before: Condition | undefined): boolean {
  if (endOf(cluster) !== undefined || OF_MIGRATED.has(before?.reason ?? '')) return true;
  return before?.status === 'True' && OVER.has(before.reason);
}

/** What it was before is needed once the lock is removed: a migrated cluster stays one. */
function foreignLock(cluster: HostedCluster, before: Condition | undefined): Reported {
  const onPrivate = wasMigrated(cluster, before) ? 'True' : 'Unknown';
  const status = isPrivate(cluster) ? onPrivate : 'False';
  return { type: MIGRATION_CONDITION, status, reason: MIGRATION_REASONS.foreignLock, message: FOREIGN_MESSAGE };
}

function onStandardTypes(
  cluster: HostedCluster,
  {
    before,
    held = 'waiting for its turn',
    nowMs,
  }: { readonly before: Condition | undefined; readonly held: string | undefined; readonly nowMs: number },
): Reported | 'keep' | 'remove' {
  const { [SCOPE_ANNOTATION]: scope, [MIGRATION_FAILED_ANNOTATION]: failed } = cluster.metadata.annotations ?? {};
  if (scope !== LEGACY_SCOPE) return before?.reason === MIGRATION_REASONS.bothGroups ? 'remove' : 'keep';
  if (failed !== undefined) return failedCondition(cluster, failed);
  const message = ineligibility(cluster, nowMs) ?? held;
  return { type: MIGRATION_CONDITION, status: 'False', reason: MIGRATION_REASONS.pending, message };
}

function failedCondition({ metadata }: HostedCluster, reason: string): Reported {
  const cause = metadata.annotations?.[MIGRATION_FAILURE_ANNOTATION] ?? 'no cause recorded';
  const message = `rolled back (${reason}): ${cause}; remove the annotation ${MIGRATION_FAILED_ANNOTATION} to retry`;
  return { type: MIGRATION_CONDITION, status: 'False', reason: MIGRATION_REASONS.failed, message };
}

/** What a migrated cluster reports for good. */
function migrated(): Reported {
  return { type: MIGRATION_CONDITION, status: 'True', reason: MIGRATION_REASONS.migrated, message: MIGRATED_MESSAGE };
}

async function announce(
  { client, clock, recorder }: MigrationParts,
  before: HostedCluster,
  condition: Reported | 'remove',
  signal: AbortSignal,
): Promise<HostedCluster> {
  const now = formatTime(clock.now());
  const others = conditionsOf(before) ?? [];
  const conditions =
    condition === 'remove'
      ? others.filter(({ type }) => type !== MIGRATION_CONDITION)
      : setCondition(others, { ...condition, lastTransitionTime: now }, now);
  if (deepEqual(others, conditions)) return before;
  const after = { ...before, status: { ...before.status, conditions } } as typeof before;
  const options = { subresource: 'status', optimisticLock: true, signal };
  const written = await patchFrom(client, HOSTED_CLUSTERS, { before, after }, options);
  if (condition !== 'remove' && condition.reason === MIGRATION_REASONS.foreignLock)
    recorder.record(subjectOf(before), { type: 'Warning', reason: 'ForeignMigrationLock', message: FOREIGN_MESSAGE });
  return written;
}

/** Logs, records and counts a migration that has succeeded, before the HostedCluster forgets it: rather twice than never. */
async function reportEnd(
  { client, logger, recorder }: MigrationParts,
  before: HostedCluster,
  { memory, signal }: Pick<Announcing, 'memory' | 'signal'>,
): Promise<void> {
  const ended = endOf(before);
  if (ended === undefined) return;
  const { name, namespace, uid } = before.metadata;
  const { machines, seconds } = ended;
  if (memory.succeeded(`${uid} ${seconds}`, ended)) {
    logger.info('Migration completed successfully', { namespace, name, seconds, machines });
    const message = MIGRATED_MESSAGE;
    recorder.record(subjectOf(before), { type: 'Normal', reason: 'MigrationCompleted', message });
  }
  const options = { optimisticLock: true, signal };
  await patchFrom(client, HOSTED_CLUSTERS, { before, after: withoutEnd(before) }, options);
}
