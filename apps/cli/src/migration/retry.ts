import type { HostedCluster } from '@capstan/api/hypershift';
import {
  annotated,
  HOSTED_CLUSTERS,
  lockOf,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_FAILURE_ANNOTATION,
} from '@capstan/hosting';
import type { Client } from '@capstan/kube';
import { patchFrom } from '@capstan/kube';
import { isConflict } from '@capstan/meta';
import { CliError } from '../errors.js';
import { withCluster } from '../hosted/cluster-access.js';
import type { Io } from '../io.js';
import { changedMeanwhile, keyOf, namedCluster } from './clusters.js';
import type { MigrationOptions } from './clusters.js';

/** `capstan migration retry`, as it was typed. */
export interface RetryOptions extends MigrationOptions {
  readonly dryRun?: boolean | undefined;
}

/** Lets clusters be migrated again whose migration has failed. */
export async function runRetry(names: readonly string[], options: RetryOptions, io: Io): Promise<void> {
  await withCluster(options, io, async (client) => {
    // All of them are looked at before the first is changed.
    const clusters = await Promise.all(names.map((name) => namedCluster(client, name, options)));
    for (const cluster of clusters) checkFailed(cluster);
    for (const cluster of clusters) {
      await clearFailure(client, cluster, options);
      io.out(`hostedcluster.hypershift.openshift.io/${cluster.metadata.name} is pending again\n`);
    }
  });
}

function checkFailed(cluster: HostedCluster): void {
  const isFailed = cluster.metadata.annotations?.[MIGRATION_FAILED_ANNOTATION] !== undefined;
  if (isFailed && lockOf(cluster).holder === 'nobody') return;
  const what = isFailed ? 'is still being rolled back' : 'has no failed migration';
  const hint = isFailed ? 'wait until its lock is removed' : 'see what it waits for';
  throw new CliError(`HostedCluster ${keyOf(cluster)} ${what}`, `${hint}: capstan migration status ${keyOf(cluster)}`);
}

async function clearFailure(client: Client, before: HostedCluster, { dryRun }: RetryOptions): Promise<void> {
  const after = annotated(before, {
    [MIGRATION_FAILED_ANNOTATION]: undefined,
    [MIGRATION_FAILURE_ANNOTATION]: undefined,
  });
  try {
    await patchFrom(client, HOSTED_CLUSTERS, { before, after }, { optimisticLock: true, dryRun });
  } catch (error) {
    throw isConflict(error) ? changedMeanwhile(before, error) : error;
  }
}
