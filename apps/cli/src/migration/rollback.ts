import { randomUUID } from 'node:crypto';
import type { HostedCluster } from '@capstan/api/hypershift';
import {
  HOSTED_CLUSTERS,
  isPrivate,
  lockOf,
  MANUAL_ROLLBACK,
  rollbackOf,
  withLock,
  withRollback,
} from '@capstan/hosting';
import type { Client } from '@capstan/kube';
import { patchFrom } from '@capstan/kube';
import { formatTime, isConflict } from '@capstan/meta';
import { CliError, oneLine } from '../errors.js';
import { follow, hostedCluster, withCluster } from '../hosted/cluster-access.js';
import type { Io } from '../io.js';
import { writeBackup } from './backup.js';
import { changedMeanwhile, keyOf, namedCluster } from './clusters.js';
import type { MigrationOptions } from './clusters.js';
import { keepLegacyOperator } from './keep-legacy.js';
import { ObjectReader } from './objects.js';
import {
  checklist,
  confirmed,
  healthyCluster,
  healthyObjects,
  isAvailable,
  legacyOperator,
  quietMachines,
} from './prerequisites.js';
import type { Prerequisite } from './prerequisites.js';
import { statusOf } from './state.js';

/** `capstan migration rollback`, as it was typed. */
export interface RollbackOptions extends MigrationOptions {
  readonly backup: string;
  readonly supportCase?: string | undefined;
  readonly maintenanceWindow?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly operatorNamespace: string;
  readonly dryRun?: boolean | undefined;
  readonly wait: boolean;
  readonly timeout: number;
}

/** For the legacy operator to be available again. */
const DEPLOY_MS = 5 * 60_000;

interface Rollback {
  readonly client: Client;
  readonly options: RollbackOptions;
  readonly io: Io;
  readonly signal: AbortSignal;
}

/** Brings a migrated cluster back to standard types: the migration controller carries it out, this command follows. */
export async function runRollback(name: string, options: RollbackOptions, io: Io): Promise<void> {
  await withCluster(options, io, async (client, signal) => {
    const rollback: Rollback = { client, options, io, signal };
    const cluster = await namedCluster(client, name, options);
    if (isBeingRolledBack(cluster)) io.err(`the rollback of ${keyOf(cluster)} is under way already\n`);
    else {
      checkMigrated(cluster);
      await prepare(rollback, cluster);
      if (options.dryRun !== true) await keepOperator(rollback);
      await start(rollback, cluster);
      if (options.dryRun === true) {
        io.out('nothing was changed: without --dry-run, the rollback would begin\n');
        return;
      }
    }
    if (options.wait) await followRollback(rollback, cluster);
    else io.out(`hostedcluster.hypershift.openshift.io/${cluster.metadata.name} is being rolled back\n`);
  });
}

function isBeingRolledBack(cluster: HostedCluster): boolean {
  return lockOf(cluster).holder === 'migration' && rollbackOf(cluster)?.reason === MANUAL_ROLLBACK;
}

function checkMigrated(cluster: HostedCluster): void {
  const key = keyOf(cluster);
  if (lockOf(cluster).holder !== 'nobody')
    throw new CliError(
      `HostedCluster ${key} is locked: a migration or another client is at work`,
      `wait until its lock is removed: capstan migration status ${key} --watch`,
    );
  if (!isPrivate(cluster))
    throw new CliError(
      `HostedCluster ${key} is on standard types`,
      `there is nothing to roll back: capstan migration status ${key}`,
    );
}

/** Writes the backup, and refuses what does not meet every prerequisite. */
async function prepare({ client, io, options, signal }: Rollback, cluster: HostedCluster): Promise<void> {
  const reader = new ObjectReader(client);
  const objects = await reader.inventory(cluster, 'private', signal);
  const prerequisites: readonly Prerequisite[] = [
    await legacyOperator(client, options.operatorNamespace),
    healthyCluster(cluster),
    healthyObjects(objects),
    quietMachines(objects),
    { title: 'a backup is written', detail: await backup(reader, cluster, options, signal) },
    confirmed('a support case is open', '--support-case', options.supportCase, options.yes === true),
    confirmed(
      'a maintenance window is scheduled',
      '--maintenance-window',
      options.maintenanceWindow,
      options.yes === true,
    ),
  ];
  io.out(checklist(prerequisites));
  const unmet = prerequisites.filter(({ problem }) => problem !== undefined).length;
  if (unmet > 0)
    throw new CliError(
      `${unmet} of ${prerequisites.length} prerequisites ${unmet === 1 ? 'is' : 'are'} not met`,
      'nothing was changed: see the list above for what to do',
    );
  if ((await isAvailable(client, options.operatorNamespace, 'operator')) !== true)
    io.err(
      `warning: Deployment ${options.operatorNamespace}/operator has no available replica: the rollback waits for it\n`,
    );
}

async function backup(
  reader: ObjectReader,
  cluster: HostedCluster,
  { backup: directory, dryRun }: RollbackOptions,
  signal: AbortSignal,
): Promise<string> {
  if (dryRun === true) return `would be written to ${directory}`;
  const { files, objects } = await writeBackup(reader, cluster, directory, signal);
  return `${objects} objects in ${files} files in ${directory}`;
}

/** Before anything is changed: the cluster must not end on standard types with nothing that reconciles it. */
async function keepOperator({ client, io, options, signal }: Rollback): Promise<void> {
  const { operatorNamespace: namespace } = options;
  await keepLegacyOperator(client, { namespace, timeoutMs: DEPLOY_MS, io, signal });
}

/** One write: with the rollback in the journal of its lock, it is one to the controller, never a migration that finishes. */
async function start({ client, options }: Rollback, before: HostedCluster): Promise<void> {
  const { dryRun, maintenanceWindow, supportCase } = options;
  const parts = [
    'rolled back by an administrator',
    supportCase === undefined ? undefined : `case ${supportCase}`,
    maintenanceWindow === undefined ? undefined : `window ${maintenanceWindow}`,
  ];
  const locked = withLock(before, { id: randomUUID(), startedAt: formatTime(Date.now()) });
  const message = parts.filter((each) => each !== undefined).join(', ');
  const after = withRollback(locked, { reason: MANUAL_ROLLBACK, message });
  try {
    await patchFrom(client, HOSTED_CLUSTERS, { before, after }, { optimisticLock: true, dryRun });
  } catch (error) {
    throw isConflict(error) ? changedMeanwhile(before, error) : error;
  }
}

async function followRollback({ client, io, options, signal }: Rollback, cluster: HostedCluster): Promise<void> {
  const { name = '', namespace = '' } = cluster.metadata;
  const what = `the rollback of ${keyOf(cluster)}`;
  const ended = await follow(io, { signal, timeoutMs: options.timeout, what, option: '--timeout' }, async () => {
    const now = (await hostedCluster(client, namespace, name)) as HostedCluster;
    if (lockOf(now).holder !== 'migration') return { done: now };
    const { message, progress, step } = statusOf(now, Date.now());
    const where = step === undefined ? 'waiting for the operator' : `step ${progress}, ${step}`;
    return { progress: message === '' || step === undefined ? where : `${where}: ${oneLine(message)}` };
  });
  if (isPrivate(ended))
    throw new CliError(
      `HostedCluster ${keyOf(cluster)} is still on private types`,
      'its lock was removed by another client',
    );
  io.out(`hostedcluster.hypershift.openshift.io/${name} rolled back\n`);
}
