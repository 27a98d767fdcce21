import type { HostedCluster } from '@capstan/api/hypershift';
import {
  ineligibility,
  isInBothGroups,
  isPrivate,
  LEGACY_SCOPE,
  lockOf,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_FAILURE_ANNOTATION,
  MIGRATION_REASONS,
  migrationCondition,
  phaseOf,
  readStep,
  rollbackOf,
  SCOPE_ANNOTATION,
  wasMigrated,
} from '@capstan/hosting';
import { isUnmarked, UNMARKED } from './unmarked.js';

/** Where a HostedCluster stands. New ones were created on private types; nobody migrates those of another scope. */
export type MigrationState =
  | 'Pending'
  | 'InProgress'
  | 'RollingBack'
  | 'Failed'
  | 'Migrated'
  | 'New'
  | 'ForeignLock'
  | 'BothGroups'
  | 'OutOfScope';

/** One line of the status. */
export interface MigrationStatus {
  readonly namespace: string;
  readonly name: string;
  readonly state: MigrationState;
  /** Title of the step under way. */
  readonly step?: string | undefined;
  /** `N/M` of it. */
  readonly progress?: string | undefined;
  /** How much of the migration, or of its rollback, is done: from 0 to 1. */
  readonly share: number;
  /** When it was locked. */
  readonly startedAt?: string | undefined;
  /** The reason of a failure. */
  readonly reason?: string | undefined;
  /** Names the attempt. */
  readonly id?: string | undefined;
  readonly message: string;
}

/** Whether the migration still has to do something with it without being asked to. */
export function isOpen({ state }: MigrationStatus): boolean {
  return state === 'Pending' || state === 'InProgress' || state === 'RollingBack';
}

/** Reads the state of a HostedCluster from nothing but itself. */
export function statusOf(cluster: HostedCluster, nowMs: number): MigrationStatus {
  const { name = '', namespace = '' } = cluster.metadata;
  const lock = lockOf(cluster);
  const found = { namespace, name };
  if (lock.holder === 'migration') return { ...found, ...underWay(cluster), ...lock.journal };
  return { ...found, ...atRest(cluster, { isForeign: lock.holder === 'foreign', nowMs }) };
}

/** The state of a cluster that is not being migrated. */
function atRest(
  cluster: HostedCluster,
  { isForeign, nowMs }: { readonly isForeign: boolean; readonly nowMs: number },
): Omit<MigrationStatus, 'name' | 'namespace'> {
  const condition = migrationCondition(cluster)?.message;
  if (isForeign) return { state: 'ForeignLock', share: 0, message: condition ?? 'another client holds the lock' };
  const { annotations = {} } = cluster.metadata;
  if (isInBothGroups(cluster)) return { state: 'BothGroups', share: 0, message: condition ?? '' };
  if (isPrivate(cluster)) {
    const state = wasMigrated(cluster) ? 'Migrated' : 'New';
    return { state, share: 1, message: condition ?? 'created on private types' };
  }
  const reason = annotations[MIGRATION_FAILED_ANNOTATION];
  if (reason === undefined) return waiting(cluster, nowMs);
  const message = annotations[MIGRATION_FAILURE_ANNOTATION] ?? 'no cause recorded';
  return { state: 'Failed', share: 0, reason, message: `${reason}: ${message}` };
}

/** One on standard types that was not tried yet. */
function waiting(cluster: HostedCluster, nowMs: number): Omit<MigrationStatus, 'name' | 'namespace'> {
  if (isUnmarked(cluster)) return { state: 'Pending', share: 0, message: UNMARKED };
  const isLegacy = cluster.metadata.annotations?.[SCOPE_ANNOTATION] === LEGACY_SCOPE;
  return { state: isLegacy ? 'Pending' : 'OutOfScope', share: 0, message: waitsFor(cluster, nowMs) };
}

function waitsFor(cluster: HostedCluster, nowMs: number): string {
  return ineligibility(cluster, nowMs) ?? migrationCondition(cluster)?.message ?? 'waiting for its turn';
}

/** The last two steps come after the commit, and take less than those before it. */
const SHARE_BEFORE_COMMIT = 0.9;

function underWay(cluster: HostedCluster): Omit<MigrationStatus, 'name' | 'namespace'> {
  const phase = phaseOf(cluster);
  const state = phase === 'rollback' ? 'RollingBack' : 'InProgress';
  const reason = rollbackOf(cluster)?.reason;
  const condition = migrationCondition(cluster);
  const message = condition?.message ?? '';
  // Until the condition is written again it is about the migration that failed.
  const isOfPhase = (condition?.reason === MIGRATION_REASONS.rollingBack) === (phase === 'rollback');
  const step = isOfPhase ? readStep(message) : undefined;
  if (step === undefined) return { state, share: 0, reason, message: 'starting' };
  const done = (step.at - 1) / step.of;
  const before = phase === 'forward' ? done * SHARE_BEFORE_COMMIT : SHARE_BEFORE_COMMIT;
  const finishing = phase === 'finish' ? SHARE_BEFORE_COMMIT + done * (1 - SHARE_BEFORE_COMMIT) : before;
  return {
    state,
    step: step.title,
    progress: `${step.at}/${step.of}`,
    share: phase === 'rollback' ? done : finishing,
    reason,
    message: step.detail,
  };
}
