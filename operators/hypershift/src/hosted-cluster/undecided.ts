import type { HostedCluster, HostedClusterStatus } from '@capstan/api/hypershift';
import {
  conditionsOf,
  HOSTED_CLUSTERS,
  MIGRATION_CONDITION,
  MIGRATION_REASONS,
  migrationCondition,
} from '@capstan/hosting';
import { Converger, timestamp } from '@capstan/kube';
import { setCondition } from '@capstan/meta';
import type { HostedClusterDependencies } from './state.js';

const UNTIL = 'nothing reconciles this cluster until its annotations name one side';

/**
 * Reports in the condition of the migration that no operator reconciles a HostedCluster, and why. Whether that is new: the
 * condition remembers it, also for an operator that starts again.
 */
export async function reportUndecided(
  { clock, turns }: Pick<HostedClusterDependencies, 'clock' | 'turns'>,
  before: HostedCluster,
  { problem, signal }: { readonly problem: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const message = `${problem}: ${UNTIL}`;
  const reason = MIGRATION_REASONS.bothGroups;
  const known = migrationCondition(before);
  if (known?.reason === reason && known.message === message) return false;
  // What it was before is needed once it is decided: a migrated cluster stays one.
  const status = known?.status === 'True' ? 'True' : 'Unknown';
  const now = timestamp(clock);
  const update = { type: MIGRATION_CONDITION, status, reason, message, lastTransitionTime: now } as const;
  const conditions = setCondition(conditionsOf(before) ?? [], update, now);
  const after = { ...before, status: { ...before.status, conditions } as unknown as HostedClusterStatus };
  await new Converger({ client: turns.client, signal }).replaceStatus(HOSTED_CLUSTERS, after);
  return true;
}
