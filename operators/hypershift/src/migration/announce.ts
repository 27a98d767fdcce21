import type { HostedCluster } from '@capstan/api/hypershift';
import {
  conditionsOf,
  HOSTED_CLUSTERS,
  ineligibility,
  isPrivate,
  LEGACY_SCOPE,
  lockOf,
  MIGRATION_CONDITION,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_IN_PROGRESS_ANNOTATION,
  MIGRATION_REASONS,
  migrationCondition,
  SCOPE_ANNOTATION,
} from '@capstan/hosting';
import { patchFrom } from '@capstan/kube';
import { deepEqual, formatTime, isConflict, isNotFound, setCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import type { MigrationParts } from './model.js';
import { subjectOf } from './reconcile.js';
import { migratedCondition } from './report.js';

type Reported = ReturnType<typeof migratedCondition>;

const FOREIGN_MESSAGE = `another client has set the annotation ${MIGRATION_IN_PROGRESS_ANNOTATION}: nothing reconciles this cluster until it is removed`;

/** Reports in each HostedCluster that is not being migrated whether it is going to be, and who keeps it from that. */
export async function announceMigrations(
  parts: MigrationParts,
  clusters: readonly HostedCluster[],
  { isHeld, signal }: { readonly isHeld: boolean; readonly signal: AbortSignal },
): Promise<void> {
  for (const cluster of clusters) {
    const condition = announcement(cluster, { isHeld, nowMs: parts.clock.now() });
    if (condition !== undefined) await announce(parts, cluster, condition, signal);
  }
}

/** What is to be written; undefined where the condition is what it should be. */
export function announcement(
  cluster: HostedCluster,
  { isHeld, nowMs }: { readonly isHeld: boolean; readonly nowMs: number },
): Reported | 'remove' | undefined {
  const before = migrationCondition(cluster);
  const wanted = wantedCondition(cluster, before, { isHeld, nowMs });
  if (wanted === 'keep' || (wanted === 'remove' && before === undefined)) return undefined;
  if (wanted === 'remove') return wanted;
  const { message, reason, status } = wanted;
  return before?.reason === reason && before.message === message && before.status === status ? undefined : wanted;
}

function wantedCondition(
  cluster: HostedCluster,
  before: Condition | undefined,
  { isHeld, nowMs }: { readonly isHeld: boolean; readonly nowMs: number },
): Reported | 'keep' | 'remove' {
  const { holder } = lockOf(cluster);
  if (holder === 'migration') return 'keep';
  if (holder === 'foreign') return foreignLock(cluster, before);
  if (!isPrivate(cluster)) return pending(cluster, { isHeld, nowMs });
  if (before?.reason !== MIGRATION_REASONS.foreignLock) return 'keep';
  return before.status === 'True' ? migratedCondition() : 'remove';
}

/** What it was before is needed once the lock is removed: a migrated cluster stays one. */
function foreignLock(cluster: HostedCluster, before: Condition | undefined): Reported {
  const onPrivate = before?.status === 'True' ? 'True' : 'Unknown';
  const status = isPrivate(cluster) ? onPrivate : 'False';
  return { type: MIGRATION_CONDITION, status, reason: MIGRATION_REASONS.foreignLock, message: FOREIGN_MESSAGE };
}

function pending(
  cluster: HostedCluster,
  { isHeld, nowMs }: { readonly isHeld: boolean; readonly nowMs: number },
): Reported | 'keep' {
  const { annotations = {} } = cluster.metadata;
  if (annotations[SCOPE_ANNOTATION] !== LEGACY_SCOPE || annotations[MIGRATION_FAILED_ANNOTATION] !== undefined)
    return 'keep';
  const held = isHeld ? 'migrations are held: see capstan migration resume' : 'waiting for its turn';
  const message = ineligibility(cluster, nowMs) ?? held;
  return { type: MIGRATION_CONDITION, status: 'False', reason: MIGRATION_REASONS.pending, message };
}

async function announce(
  { client, clock, recorder }: MigrationParts,
  before: HostedCluster,
  condition: Reported | 'remove',
  signal: AbortSignal,
): Promise<void> {
  const now = formatTime(clock.now());
  const others = conditionsOf(before) ?? [];
  const conditions =
    condition === 'remove'
      ? others.filter(({ type }) => type !== MIGRATION_CONDITION)
      : setCondition(others, { ...condition, lastTransitionTime: now }, now);
  if (deepEqual(others, conditions)) return;
  const after = { ...before, status: { ...before.status, conditions } } as typeof before;
  try {
    await patchFrom(
      client,
      HOSTED_CLUSTERS,
      { before, after },
      { subresource: 'status', optimisticLock: true, signal },
    );
  } catch (error) {
    // Written or deleted meanwhile: the event of that brings it back here.
    if (isConflict(error) || isNotFound(error)) return;
    throw error;
  }
  if (condition !== 'remove' && condition.reason === MIGRATION_REASONS.foreignLock)
    recorder.record(subjectOf(before), { type: 'Warning', reason: 'ForeignMigrationLock', message: FOREIGN_MESSAGE });
}
