import type { EncodedState } from '@capstan/apiserver';
import { DataJournal } from './data-journal.js';
import { LevelDatabase } from './database.js';
import { markBegun, prepareDirectory } from './directory.js';
import { StateReader, summaryOperation } from './records.js';

/** A data directory in use. */
export interface OpenData {
  readonly state: EncodedState;
  readonly journal: DataJournal;
}

/** Opens a data directory, which is made if it does not exist; throws what the user can read. */
export async function openData(path: string, onFailure: (reason: string) => void): Promise<OpenData> {
  const { database: folder, isBegun } = prepareDirectory(path);
  const database = new LevelDatabase(folder);
  await database.open();
  try {
    const reader = new StateReader();
    await database.readAll((key, value) => reader.read(key, value));
    const summary = reader.finish(isBegun);
    // After a crash revisions go on above all that can have been seen, not where the disk stopped.
    const revision = Math.max(summary.revision, summary.ceiling);
    if (revision > summary.revision || !isBegun) await database.write([summaryOperation({ ...summary, revision })]);
    if (!isBegun) markBegun(path);
    const journal = new DataJournal(database, { ...summary, revision }, revision, onFailure);
    return { state: { revision, objects: reader.objects }, journal };
  } catch (error) {
    await database.close();
    throw error;
  }
}
