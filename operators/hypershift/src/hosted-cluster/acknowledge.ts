import type { HostedCluster, HostedClusterStatus } from '@capstan/api/hypershift';
import { acknowledgement } from '@capstan/hosting';
import { formatTime } from '@capstan/meta';
import { conditionsWith } from './conditions.js';
import type { HostedClusterDependencies } from './state.js';
import { replaceStatus } from './steps/write-status.js';

/**
 * Reports that nothing of the cluster is written here any more. The work queue never runs two reconciles of one key, so
 * the one before this has ended; and the write is refused unless the lock that was read is still there.
 */
export async function acknowledge(
  dependencies: HostedClusterDependencies,
  hostedCluster: HostedCluster,
  { lock, signal }: { readonly lock: string; readonly signal: AbortSignal },
): Promise<void> {
  const now = formatTime(dependencies.clock.now());
  const conditions = conditionsWith(hostedCluster, [acknowledgement(lock)], now);
  const status = { ...hostedCluster.status, conditions } as unknown as HostedClusterStatus;
  await replaceStatus({ dependencies, signal }, hostedCluster, status);
}
