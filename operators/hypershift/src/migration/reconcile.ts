import type { HostedCluster } from '@capstan/api/hypershift';
import { errorText, patchFrom, uuid } from '@capstan/kube';
import type { Result } from '@capstan/kube';
import { formatTime, isConflict } from '@capstan/meta';
import { takeInventory } from '@capstan/migration';
import type { MovedObject } from '@capstan/migration';
import type { Side } from '@capstan/translate';
import {
  HOSTED_CLUSTERS,
  MIGRATION_FAILED_ANNOTATION,
  controlPlaneNamespace,
  lockOf,
  phaseOf,
  rollbackOf,
  withLock,
  withRollback,
} from '@capstan/hosting';
import type { Journal } from '@capstan/hosting';
import { announceMigration } from './announce.js';
import { isOver, waitedFor, waitOf } from './step-wait.js';
import type { Inventory, Migration, MigrationParts, Waiting } from './model.js';
import { STEPS_OF } from './plan.js';
import type { Step } from './plan.js';
import type { MigrationProgress } from './progress.js';
import { MigrationFailure } from './reasons.js';
import { clearRefusal, isRefused, reportRefusal } from './refusals.js';
import { reportProgress } from './report.js';
import { announceRollback, announceRolledBack } from './rollback/announce.js';
import type { StepPlace, StepProgress } from './report.js';
import { subjectOf } from './subject.js';

/** Goes on with a HostedCluster that the migration has locked, as far as it gets without waiting. */
export async function continueMigration(
  parts: MigrationParts,
  hostedCluster: HostedCluster,
  { memory, signal }: { readonly memory: MigrationProgress; readonly signal: AbortSignal },
): Promise<Result> {
  const lock = lockOf(hostedCluster);
  if (lock.holder !== 'migration') return {};
  const migration = begin(parts, hostedCluster, { journal: lock.journal, memory: memory.of(lock.journal.id), signal });
  for (;;) {
    const phase = phaseOf(migration.hostedCluster);
    const steps = STEPS_OF[phase];
    try {
      if (phase === 'rollback') {
        await ensureRecorded(migration);
        announceRollback(parts, migration.hostedCluster, { id: lock.journal.id, memory });
      }
      if (phase === 'forward' && hostedCluster.metadata.deletionTimestamp != null)
        throw new MigrationFailure('cluster-deleted', 'the HostedCluster is being deleted');
      const waiting = await runSteps(migration, steps, memory);
      if (waiting !== undefined) return lookAgain(parts, waiting);
    } catch (error) {
      if (!(error instanceof MigrationFailure) || phase !== 'forward') throw error;
      await recordFailure(migration, error);
      continue;
    }
    if (lockOf(migration.hostedCluster).holder === 'migration') continue;
    if (phase === 'rollback') announceRolledBack(parts, migration.hostedCluster);
    // What is not written of it now, the next look at the fleet writes.
    await announceMigration(parts, migration.hostedCluster, { memory, signal });
    return {};
  }
}

function lookAgain({ settings }: MigrationParts, { afterMs = settings.pollMs }: Waiting): Result {
  return { requeueAfterMs: afterMs };
}

/** Runs the steps in their order up to the first that waits. */
async function runSteps(
  migration: Migration,
  steps: readonly Step[],
  memory: MigrationProgress,
): Promise<Waiting | undefined> {
  for (const [at, step] of steps.entries()) {
    migration.signal.throwIfAborted();
    const place = { step, at, of: steps.length };
    const waiting = await runUnbroken(migration, place).catch(async (error: unknown) => {
      await reportError(migration, place, error);
      throw error;
    });
    await report(migration, { ...place, waiting }, memory);
    if (waiting !== undefined) return waiting;
  }
  return undefined;
}

/** What keeps a step from being done is shown while it is tried again, not only once its limit is reached. */
async function reportError(migration: Migration, place: StepPlace, error: unknown): Promise<void> {
  // A failure is recorded by itself; a write that came too late is done again at once.
  if (error instanceof MigrationFailure || isConflict(error) || migration.signal.aborted) return;
  // Where the server is away this cannot be written either.
  await reportProgress(migration, { ...place, waiting: { message: errorText(error) } }).catch(() => undefined);
}

/** A condition that is refused must not keep a cluster in the middle of its migration. */
async function report(migration: Migration, progress: StepProgress, memory: MigrationProgress): Promise<void> {
  const { hostedCluster, parts } = migration;
  try {
    await reportProgress(migration, progress);
    clearRefusal(hostedCluster, { memory, what: 'condition' });
  } catch (error) {
    if (!isRefused(error)) throw error;
    reportRefusal(parts, hostedCluster, { error, memory, what: 'condition' });
  }
}

/** One step. Whatever it waits for but the time of health itself, and every error, is a break in the health that was seen. */
async function runUnbroken(migration: Migration, place: StepPlace): Promise<Waiting | undefined> {
  let isBroken = true;
  try {
    const waiting = await runStep(migration, place);
    isBroken = waiting !== undefined && waiting.isHealthy !== true;
    return waiting;
  } finally {
    if (isBroken) migration.memory.healthySince = undefined;
  }
}

/** One step; a wait beyond its limit is a failure, or over. */
async function runStep(migration: Migration, place: StepPlace): Promise<Waiting | undefined> {
  const { isBestEffort, limit, name, run, title } = place.step;
  const { memory, parts } = migration;
  // Errors count as waiting: a server that is away for good must not keep a cluster locked without end.
  const waited = waitedFor(waitOf(migration, place), parts.clock.monotonic());
  const isTooLong = (waiting?: Waiting): boolean =>
    limit !== undefined && isOver(waited, parts.settings[limit.ms], waiting);
  let waiting: Waiting | undefined;
  try {
    parts.onStep?.(name);
    waiting = await run(migration);
  } catch (error) {
    if (error instanceof MigrationFailure || limit === undefined || !isTooLong()) throw error;
    throw new MigrationFailure(limit.reason, `${title}: ${errorText(error)}`, { cause: error });
  }
  if (waiting === undefined) {
    memory.waits.delete(name);
    return undefined;
  }
  if (limit === undefined || !isTooLong(waiting)) return waiting;
  if (isBestEffort !== true) throw failureOf(limit, waiting);
  parts.logger.warn('Migration step left unfinished', { step: name, message: waiting.message });
  return undefined;
}

function failureOf(limit: NonNullable<Step['limit']>, { message, reason = limit.reason }: Waiting): MigrationFailure {
  return new MigrationFailure(reason, message);
}

/** From here on the migration goes back. */
async function recordFailure(migration: Migration, failure: MigrationFailure): Promise<void> {
  const { hostedCluster: before, parts, signal } = migration;
  const { name, namespace } = before.metadata;
  const { message, reason } = failure;
  parts.logger.error('Migration failed, rolling back', { namespace, name, reason, message });
  migration.hostedCluster = await patchFrom(
    parts.client,
    HOSTED_CLUSTERS,
    { before, after: withRollback(before, { reason, message: message.slice(0, MAX_MESSAGE) }) },
    { optimisticLock: true, signal },
  );
  parts.recorder.record(subjectOf(before), {
    type: 'Warning',
    reason: 'MigrationFailed',
    message: `${reason}: ${message}`,
  });
}

const MAX_MESSAGE = 500;

/** The journal is the record of a rollback. Annotations that another client has set or removed under the lock follow it. */
async function ensureRecorded(migration: Migration): Promise<void> {
  const { hostedCluster: before, parts, signal } = migration;
  const cause = rollbackOf(before);
  if (cause === undefined) return;
  const after = withRollback(before, cause);
  if (after === before) return;
  const options = { optimisticLock: true, signal };
  migration.hostedCluster = await patchFrom(parts.client, HOSTED_CLUSTERS, { before, after }, options);
  const { name, namespace } = before.metadata;
  const action = `${MIGRATION_FAILED_ANNOTATION}=${cause.reason} is set: it stays until the rollback has ended`;
  parts.logger.warn('Invalid annotation state detected', { namespace, name, action });
  const message = `The annotations of the migration are invalid: ${action}`;
  parts.recorder.record(subjectOf(before), { type: 'Warning', reason: 'InvalidAnnotationState', message });
}

/** Locks a HostedCluster that is eligible, and no other after it if it is the last; refused when it has changed since it was read. */
export async function startMigration(
  { client, clock, logger, random, recorder }: MigrationParts,
  cluster: HostedCluster,
  { isLast = false, signal }: { readonly isLast?: boolean; readonly signal: AbortSignal },
): Promise<HostedCluster> {
  const about = { id: uuid(random), startedAt: formatTime(clock.now()) };
  const journal: Journal = isLast ? { ...about, isLast } : about;
  const { name, namespace } = cluster.metadata;
  const locked = await patchFrom(
    client,
    HOSTED_CLUSTERS,
    { before: cluster, after: withLock(cluster, journal) },
    { optimisticLock: true, signal },
  );
  logger.info('Starting migration for HostedCluster', { namespace, name, id: journal.id });
  recorder.record(subjectOf(cluster), {
    type: 'Normal',
    reason: 'MigrationStarted',
    message: 'Migration to private Cluster API types started',
  });
  return locked;
}

function begin(
  parts: MigrationParts,
  hostedCluster: HostedCluster,
  given: Pick<Migration, 'journal' | 'memory' | 'signal'>,
): Migration {
  const { name = '', namespace: at = '' } = hostedCluster.metadata;
  const namespace = controlPlaneNamespace(at, name);
  return { parts, ...given, namespace, hostedCluster, inventory: inventoryOf(parts, namespace, given.signal) };
}

function inventoryOf(
  { client, discovery, mapping, settings }: MigrationParts,
  namespace: string,
  signal: AbortSignal,
): Inventory {
  const lists = new Map<Side, Promise<readonly MovedObject[]>>();
  const list = (side: Side): Promise<readonly MovedObject[]> => {
    const { concurrency } = settings;
    const found =
      lists.get(side) ?? takeInventory({ client, discovery, mapping, side, namespace, concurrency, signal });
    lists.set(side, found);
    return found;
  };
  return {
    standard: () => list('standard'),
    private: () => list('private'),
    forget: () => lists.clear(),
  };
}
