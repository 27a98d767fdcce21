import type { HostedCluster } from '@capstan/api/hypershift';
import { getCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import { conditionsOf } from '../conditions/conditions.js';

/** The condition of a HostedCluster that shows where its migration stands. */
export const MIGRATION_CONDITION = 'PrivateCAPIMigration';
/** Its reasons. Its status is True on private types, False on standard ones, and Unknown where there was nothing to migrate. */
export const MIGRATION_REASONS = {
  pending: 'Pending',
  inProgress: 'InProgress',
  rollingBack: 'RollingBack',
  failed: 'Failed',
  migrated: 'Migrated',
  foreignLock: 'ForeignLock',
  bothGroups: 'BothGroups',
} as const;

/** A step of a migration, counted from 1. */
export interface ReportedStep {
  readonly at: number;
  readonly of: number;
  readonly title: string;
  /** When it began to wait, RFC 3339; undefined where it does not wait. */
  readonly since?: string | undefined;
  /** What it waits for. */
  readonly detail: string;
}

const STEP = /^step (\d+) of (\d+), ([^:(]*?)(?: \(since (\S+Z)\))?(?:: (.*))?$/su;

/** How the condition names a step that is under way. */
export function stepText({ at, detail, of, since, title }: ReportedStep): string {
  const where = `step ${at} of ${of}, ${title}${since === undefined ? '' : ` (since ${since})`}`;
  return detail === '' ? where : `${where}: ${detail}`;
}

/** The step that a message of the condition names. */
export function readStep(message: string): ReportedStep | undefined {
  const [, at, of, title, since, detail = ''] = STEP.exec(message) ?? [];
  if (at === undefined || of === undefined || title === undefined) return undefined;
  return { at: Number(at), of: Number(of), title, ...(since === undefined ? {} : { since }), detail };
}

export function migrationCondition(cluster: HostedCluster): Condition | undefined {
  return getCondition(conditionsOf(cluster), MIGRATION_CONDITION);
}

/** Whether it was created on standard types and migrated since: one that was created on private types has no such condition. */
export function wasMigrated(cluster: HostedCluster): boolean {
  return migrationCondition(cluster)?.status === 'True';
}
