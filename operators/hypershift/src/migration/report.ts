import { patchFrom } from '@capstan/kube';
import { deepEqual, formatTime, setCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import {
  HOSTED_CLUSTERS,
  MIGRATION_CONDITION,
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

/** Writes where the migration stands into the condition, when that has changed; only waits and the commit are worth a write. */
export async function reportProgress(migration: Migration, progress: StepProgress): Promise<void> {
  const isLast = progress.at === progress.of - 1;
  // Once the lock is gone, others say how it has ended.
  if ((progress.waiting === undefined && !isLast) || lockOf(migration.hostedCluster).holder !== 'migration') return;
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
  { hostedCluster, memory }: Migration,
  { at, of, step, waiting }: StepProgress,
): Omit<Condition, 'lastTransitionTime'> {
  const type = MIGRATION_CONDITION;
  const beganMs = memory.waits.get(step.name)?.beganMs;
  const since = beganMs === undefined ? undefined : formatTime(beganMs);
  const message = stepText({ at: at + 1, of, title: step.title, since, detail: waiting?.message ?? '' });
  const reason = phaseOf(hostedCluster) === 'rollback' ? MIGRATION_REASONS.rollingBack : MIGRATION_REASONS.inProgress;
  return { type, status: isPrivate(hostedCluster) ? 'True' : 'False', reason, message: message.slice(0, 1_000) };
}
