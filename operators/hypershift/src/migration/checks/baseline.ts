import { isAlreadyExists, ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { MIGRATION_BASELINE } from '@capstan/hosting';
import { CONFIG_MAPS } from '../../kinds.js';
import type { Migration } from '../model.js';
import type { ClusterHealth } from './health.js';

interface Stored extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Keeps the health of the cluster from before anything was changed; the one of this attempt stays as it was taken first. */
export async function storeBaseline(migration: Migration, health: ClusterHealth): Promise<void> {
  const { journal, namespace, parts, signal } = migration;
  const there = await find(migration);
  if (there?.data?.['id'] === journal.id) return;
  const object: Stored = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: MIGRATION_BASELINE, namespace },
    data: { id: journal.id, baseline: JSON.stringify(health) },
  };
  if (there !== undefined) {
    const { resourceVersion = '' } = there.metadata;
    await parts.client.update(
      CONFIG_MAPS,
      { ...object, metadata: { ...object.metadata, resourceVersion } },
      { signal },
    );
    return;
  }
  try {
    await parts.client.create(CONFIG_MAPS, object, { signal });
  } catch (error) {
    // Another replica was faster: the next reconcile reads it.
    if (!isAlreadyExists(error)) throw error;
  }
}

/** The baseline of this attempt; undefined when there is none. */
export async function readBaseline(migration: Migration): Promise<ClusterHealth | undefined> {
  const { data } = (await find(migration)) ?? {};
  if (data?.['id'] !== migration.journal.id) return undefined;
  return JSON.parse(data['baseline'] ?? 'null') as ClusterHealth;
}

/** Removes what only a migration that goes on needs. */
export async function removeBaseline({ namespace, parts, signal }: Migration): Promise<void> {
  await parts.client.delete(CONFIG_MAPS, MIGRATION_BASELINE, { namespace, signal }).catch(ignoreNotFound);
}

function find({ namespace, parts, signal }: Migration): Promise<Stored | undefined> {
  return parts.client.get<Stored>(CONFIG_MAPS, MIGRATION_BASELINE, { namespace, signal }).catch(ignoreNotFound);
}
