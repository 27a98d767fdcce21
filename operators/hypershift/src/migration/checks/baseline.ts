import { MIGRATION_BASELINE } from '@capstan/hosting';
import type { Migration } from '../model.js';
import { readStored, removeStored, store } from '../stored.js';
import type { ClusterHealth } from './health.js';

/** Keeps the health of the cluster from before anything was changed; the one of this attempt stays as it was taken first. */
export async function storeBaseline(migration: Migration, health: ClusterHealth): Promise<void> {
  if ((await readStored(migration, MIGRATION_BASELINE)) !== undefined) return;
  await store(migration, MIGRATION_BASELINE, { baseline: JSON.stringify(health) });
}

/** The baseline of this attempt; undefined when there is none. */
export async function readBaseline(migration: Migration): Promise<ClusterHealth | undefined> {
  const data = await readStored(migration, MIGRATION_BASELINE);
  if (data === undefined) return undefined;
  const stored = JSON.parse(data['baseline'] ?? 'null') as ClusterHealth | null;
  if (stored === null) return undefined;
  // What a baseline of an earlier release does not have counts as healthy.
  return { ...stored, workloads: stored.workloads ?? {}, steadyNodes: stored.steadyNodes ?? stored.nodes };
}

/** Removes what only a migration that goes on needs. */
export async function removeBaseline(migration: Migration): Promise<void> {
  await removeStored(migration, MIGRATION_BASELINE);
}
