import { ignoreNotFound, isAlreadyExists } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CONFIG_MAPS } from '../kinds.js';
import type { Migration } from './model.js';

type Data = Readonly<Record<string, string>>;

interface Stored extends KubeObject {
  readonly data?: Data;
}

/** Keeps what this attempt has found out in a ConfigMap of the control plane, instead of what is there of any attempt. */
export async function store(migration: Migration, name: string, data: Data): Promise<void> {
  const { journal, namespace, parts, signal } = migration;
  const metadata = { name, namespace };
  const object: Stored = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { id: journal.id, ...data } };
  const there = await find(migration, name);
  if (there !== undefined) {
    const { resourceVersion = '' } = there.metadata;
    await parts.client.update(CONFIG_MAPS, { ...object, metadata: { ...metadata, resourceVersion } }, { signal });
    return;
  }
  try {
    await parts.client.create(CONFIG_MAPS, object, { signal });
  } catch (error) {
    // Another replica was faster: the next reconcile reads it.
    if (!isAlreadyExists(error)) throw error;
  }
}

/** What this attempt has kept; undefined when it has not, or a client has deleted that. */
export async function readStored(migration: Migration, name: string): Promise<Data | undefined> {
  const data = (await find(migration, name))?.data;
  return data?.['id'] === migration.journal.id ? data : undefined;
}

/** Removes what only a migration that goes on needs. */
export async function removeStored({ namespace, parts, signal }: Migration, name: string): Promise<void> {
  await parts.client.delete(CONFIG_MAPS, name, { namespace, signal }).catch(ignoreNotFound);
}

function find({ namespace, parts, signal }: Migration, name: string): Promise<Stored | undefined> {
  return parts.client.get<Stored>(CONFIG_MAPS, name, { namespace, signal }).catch(ignoreNotFound);
}
