import { MIGRATION_COPIES, annotated, MIGRATION_COPIED_ANNOTATION } from '@capstan/hosting';
import { ignoreNotFound, isAlreadyExists } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { decodeRecord, encodeRecord } from '@capstan/migration';
import type { CopyRecord } from '@capstan/migration';
import { CONFIG_MAPS } from '../../kinds.js';
import type { Migration } from '../model.js';
import { unpaused } from './hold.js';

interface Stored extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** An original or a copy without what the migration itself has written to it. */
export function withoutMarks(object: KubeObject): KubeObject {
  return annotated(unpaused(object), { [MIGRATION_COPIED_ANNOTATION]: undefined });
}

/** Keeps what the originals were when they were copied: what clients write to them from then on would be lost. */
export async function storeRecord(migration: Migration, record: CopyRecord): Promise<void> {
  const { journal, namespace, parts, signal } = migration;
  const metadata = { name: MIGRATION_COPIES, namespace };
  const data = { id: journal.id, copies: encodeRecord(record) };
  const object: Stored = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  try {
    await parts.client.create(CONFIG_MAPS, object, { signal });
  } catch (error) {
    // Of an attempt that was cut off.
    if (!isAlreadyExists(error)) throw error;
    await parts.client.update(CONFIG_MAPS, object, { signal });
  }
}

/** What this attempt has copied; undefined when it has not, or a client has deleted the record. */
export async function readRecord({ journal, namespace, parts, signal }: Migration): Promise<CopyRecord | undefined> {
  const stored = await parts.client
    .get<Stored>(CONFIG_MAPS, MIGRATION_COPIES, { namespace, signal })
    .catch(ignoreNotFound);
  return stored?.data?.['id'] === journal.id ? decodeRecord(stored.data['copies'] ?? '') : undefined;
}

export async function removeRecord({ namespace, parts, signal }: Migration): Promise<void> {
  await parts.client.delete(CONFIG_MAPS, MIGRATION_COPIES, { namespace, signal }).catch(ignoreNotFound);
}
