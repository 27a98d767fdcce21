import { patchFrom } from '@capstan/kube';
import { deepEqual, formatTime, setCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import {
  HOSTED_CLUSTERS,
  MIGRATION_CONDITION,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_FAILURE_ANNOTATION,
  MIGRATION_REASONS,
  isPrivate,
  lockOf,
  phaseOf,
  stepText,
} from '@capstan/hosting';
import type { Migration, Waiting } from './model.js';
import type { Step } from './plan.js';

/** Which step of how many. */
export interface StepPlace {
  readonly step: Step;
  readonly at: number;
  readonly of: number;
}

export interface StepProgress extends StepPlace {
  readonly waiting: Waiting | undefined;
}

/** Writes where the migration stands into the condition, when that has changed; only waits and ends are worth a write. */
export async function reportProgress(migration: Migration, progress: StepProgress): Promise<void> {
  const isLast = progress.at === progress.of - 1;
  if (progress.waiting === undefined && !isLast) return;
  const { hostedCluster: before, parts, signal } = migration;
  const conditions = before.status?.conditions as readonly Condition[] | undefined;
  const update = conditionOf(migration, progress);
  const next = setCondition(
    conditions ?? [],
    { ...update, lastTransitionTime: formatTime(parts.clock.now()) },
    formatTime(parts.clock.now()),
  );
  if (deepEqual(conditions, next)) return;
  const after = { ...before, status: { ...before.status, conditions: next } } as typeof before;
  migration.hostedCluster = await patchFrom(
    parts.client,
    HOSTED_CLUSTERS,
    { before, after },
    { subresource: 'status', optimisticLock: true, signal },
  );
}

function conditionOf(
  { hostedCluster }: Migration,
  { at, of, step, waiting }: StepProgress,
): Omit<Condition, 'lastTransitionTime'> {
  const type = MIGRATION_CONDITION;
  const { annotations = {} } = hostedCluster.metadata;
  const failed = annotations[MIGRATION_FAILED_ANNOTATION];
  if (lockOf(hostedCluster).holder !== 'migration') {
    if (isPrivate(hostedCluster) && failed === undefined) return migratedCondition();
    const cause = annotations[MIGRATION_FAILURE_ANNOTATION] ?? 'no cause recorded';
    const message = `rolled back (${failed ?? 'unknown'}): ${cause}; remove the annotation ${MIGRATION_FAILED_ANNOTATION} to retry`;
    return { type, status: 'False', reason: MIGRATION_REASONS.failed, message };
  }
  const message = stepText({ at: at + 1, of, title: step.title, detail: waiting?.message ?? '' });
  const reason = phaseOf(hostedCluster) === 'rollback' ? MIGRATION_REASONS.rollingBack : MIGRATION_REASONS.inProgress;
  return { type, status: isPrivate(hostedCluster) ? 'True' : 'False', reason, message: message.slice(0, 1_000) };
}

/** What a migrated cluster reports for good. */
export function migratedCondition(): Omit<Condition, 'lastTransitionTime'> {
  const message = 'Cluster API objects are in the private groups';
  return { type: MIGRATION_CONDITION, status: 'True', reason: MIGRATION_REASONS.migrated, message };
}
