import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS, ineligibility, lockOf, MANUAL_ROLLBACK, withLock, withRollback } from '@capstan/hosting';
import {
  announceMigration,
  continueMigration,
  DEFAULT_MIGRATION_SETTINGS,
  FORWARD,
  MigrationFailure,
  MigrationProgress,
  startMigration,
} from '@capstan/hypershift';
import type { FailureReason, MigrationParts, MigrationSettings } from '@capstan/hypershift';
import { Client, Discovery, errorText, EventRecorder, patchFrom, silentLogger, sleep } from '@capstan/kube';
import { formatTime } from '@capstan/meta';
import type { ProcessContext, ProcessDefinition } from '@capstan/simulation';
import type { GroupMapping } from '@capstan/translate';
import { SIDECAR } from './sidecar.js';

/** What is observed of a migration from outside of its process. */
export interface Observation {
  /** When each step began, in virtual milliseconds; of the steps that were begun several times the first. */
  readonly steps: Map<string, number>;
  /** The last error of a look, for migrations that do not end. */
  lastError: string | undefined;
  /** What the last component of the control plane could not do. */
  problem: string | undefined;
  /** Whether the step that is to fail has failed. */
  hasFailed: boolean;
}

export interface ProcedureOptions {
  readonly namespace: string;
  readonly name: string;
  readonly mapping: GroupMapping;
  readonly settings?: Partial<MigrationSettings> | undefined;
  /** The step that fails. */
  readonly failAt?: string | undefined;
  readonly observation: Observation;
}

const IDLE_MS = 5_000;
const RETRY_MS = 1_000;

/** The migration of one hosted cluster as the operator carries it out. */
export function migrationProcess(options: ProcedureOptions): ProcessDefinition {
  return {
    name: 'hypershift-migration',
    start: async (context) => {
      const parts = partsOf(context, options);
      const memory = new MigrationProgress();
      while (!context.signal.aborted) {
        const afterMs = await look(parts, options, memory, context.signal).catch((error: unknown) => {
          options.observation.lastError = errorText(error);
          return RETRY_MS;
        });
        await sleep(context.clock, afterMs);
      }
    },
  };
}

async function look(
  parts: MigrationParts,
  { name, namespace }: ProcedureOptions,
  memory: MigrationProgress,
  signal: AbortSignal,
): Promise<number> {
  const { client, clock } = parts;
  let cluster = await client.get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace });
  if (lockOf(cluster).holder !== 'migration') {
    await announceMigration(parts, cluster, { memory, signal });
    if (ineligibility(cluster, clock.now()) !== undefined) return IDLE_MS;
    cluster = await startMigration(parts, cluster, { signal });
  }
  return (await continueMigration(parts, cluster, { memory, signal })).requeueAfterMs ?? IDLE_MS;
}

function partsOf({ clock, random, transport }: ProcessContext, options: ProcedureOptions): MigrationParts {
  const { failAt, mapping, observation } = options;
  const logger = silentLogger();
  const client = new Client(transport, { clock, random: random.split('client'), userAgent: 'hypershift-migration' });
  return {
    client,
    discovery: new Discovery(client, { clock }),
    mapping,
    clock,
    random,
    logger,
    recorder: new EventRecorder({ client, clock, random, logger, component: 'hypershift-migration' }),
    settings: { ...DEFAULT_MIGRATION_SETTINGS, ...options.settings },
    sidecar: SIDECAR,
    // No registry is asked: `capstan migration plan` does that.
    operatorImages: { isSupported: () => Promise.resolve(true), overrides: new Map() },
    probeTranslation: () => Promise.resolve(undefined),
    ignoresClusterPause: ({ spec }) => spec?.platform.type === 'Agent',
    isPodless: true,
    onStep: (step) => {
      if (!observation.steps.has(step)) observation.steps.set(step, clock.monotonic());
      // Once: the way back has a step of that name as well.
      if (failAt !== step || observation.hasFailed) return;
      observation.hasFailed = true;
      throw new MigrationFailure(reasonOf(step), `the rehearsal lets the step ${step} fail`);
    },
  };
}

/** Steps that can fail. */
export const STEP_NAMES: readonly string[] = FORWARD.map(({ name }) => name);

function reasonOf(step: string): FailureReason {
  return FORWARD.find(({ name }) => name === step)?.limit?.reason ?? 'resource-conversion-failed';
}

/** The process of the user who requests the way back. */
export const USER = 'user';

/** A user asks for the way back: lock and reason in one write, as `capstan migration rollback` does. */
export function rollbackRequest(namespace: string, name: string): ProcessDefinition {
  return {
    name: USER,
    isReliable: true,
    start: async ({ client, clock }) => {
      const before = await client.get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace });
      const locked = withLock(before, { id: 'rehearsed-rollback', startedAt: formatTime(clock.now()) });
      const after = withRollback(locked, { reason: MANUAL_ROLLBACK });
      await patchFrom(client, HOSTED_CLUSTERS, { before, after }, { optimisticLock: true });
    },
  };
}
