import { annotated, MIGRATION_COPIED_ANNOTATION, MIGRATION_COPIES } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { decodeRecord, encodeRecord } from '@capstan/migration';
import type { CopyRecord } from '@capstan/migration';
import type { Migration } from '../model.js';
import { readStored, removeStored, store } from '../stored.js';
import { unpaused } from './hold.js';

/** An original or a copy without what the migration itself has written to it. */
export function withoutMarks(object: KubeObject): KubeObject {
  return annotated(unpaused(object), { [MIGRATION_COPIED_ANNOTATION]: undefined });
}

/** Keeps what the originals were when they were copied: what clients write to them from then on would be lost. */
export async function storeRecord(migration: Migration, record: CopyRecord): Promise<void> {
  await store(migration, MIGRATION_COPIES, { copies: encodeRecord(record) });
}

/** What this attempt has copied; undefined when it has not, or a client has deleted the record. */
export async function readRecord(migration: Migration): Promise<CopyRecord | undefined> {
  const data = await readStored(migration, MIGRATION_COPIES);
  return data === undefined ? undefined : decodeRecord(data['copies'] ?? '');
}

export async function removeRecord(migration: Migration): Promise<void> {
  await removeStored(migration, MIGRATION_COPIES);
}
