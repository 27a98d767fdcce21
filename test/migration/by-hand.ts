import { HOSTED_CLUSTERS, MANUAL_ROLLBACK, withLock, withRollback } from '@capstan/hosting';
import { patchFrom } from '@capstan/kube';
import type { HostedMigration } from './hosted.js';

/** Requests a rollback by hand, as `capstan migration rollback` does. */
export async function requestRollback(hosted: HostedMigration): Promise<void> {
  const before = await hosted.hostedCluster();
  const locked = withLock(before, { id: 'by-hand', startedAt: '2026-01-01T01:00:00Z' });
  const after = withRollback(locked, { reason: MANUAL_ROLLBACK });
  await patchFrom(hosted.fixture.client, HOSTED_CLUSTERS, { before, after }, { optimisticLock: true });
}
