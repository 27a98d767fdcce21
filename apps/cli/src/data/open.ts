import type { EncodedState } from '@capstan/apiserver';
import { CliError } from '../errors.js';
import { requireDatabaseFiles } from './database-files.js';
import { DataJournal, type JournalReport } from './data-journal.js';
import { deepest, LevelDatabase } from './database.js';
import { markBegun, prepareDirectory } from './directory.js';
import { isDiskTrouble } from './disk-trouble.js';
import { readCopy } from './read-copy.js';
import { DamagedData, type StateReader, type Summary, summaryOperation } from './records.js';
import { RevisionMark } from './revision-mark.js';

/** A data directory in use. */
export interface OpenData {
  readonly state: EncodedState;
  readonly journal: DataJournal;
}

/**
 * Opens a data directory, which is made if it does not exist; throws what the user can read. Where the disk lets nothing
 * be written what was stored can be read all the same, and the journal begins with that failure.
 */
export async function openData(path: string, report: JournalReport): Promise<OpenData> {
  const { database: folder, isBegun } = prepareDirectory(path);
  if (isBegun) requireDatabaseFiles(folder);
  const mark = new RevisionMark(path);
  const database = new LevelDatabase(folder, !isBegun);
  const trouble = await openOrTrouble(database, isBegun);
  try {
    const reader = trouble === undefined ? await database.readState() : await readCopy(folder);
    const summary = checked(reader, isBegun, mark);
    // After a crash revisions go on above all that can have been seen, not where the disk stopped.
    const revision = Math.max(summary.revision, summary.ceiling);
    const begun = { ...summary, revision };
    const isClean = isBegun && revision === summary.revision;
    const failure = trouble ?? (isClean ? undefined : await storeTrouble(database, begun, isBegun));
    if (!isBegun) markBegun(path);
    const stored = failure === undefined ? revision : summary.revision;
    const journal = new DataJournal({ database, mark, report }, { summary: begun, stored, failure });
    return { state: { revision, objects: reader.objects }, journal };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Gives the trouble of a disk that lets nothing be written, where something was before. */
async function openOrTrouble(database: LevelDatabase, isBegun: boolean): Promise<string | undefined> {
  try {
    await database.open();
    return undefined;
  } catch (error) {
    const reason = deepest(error);
    if (isBegun && isDiskTrouble(reason)) return reason;
    throw error;
  }
}

function checked(reader: StateReader, isBegun: boolean, mark: RevisionMark): Summary {
  const summary = reader.finish(isBegun);
  const marked = mark.read() ?? 0;
  if (marked > summary.revision)
    throw new DamagedData(`it ends at revision ${summary.revision}, but ${marked} was stored`, {
      otherwise: `to continue without the lost writes, remove ${mark.path}`,
    });
  return summary;
}

/** Writes down where this run begins; gives the trouble of a disk that lets it not, where something was before. */
async function storeTrouble(database: LevelDatabase, summary: Summary, isBegun: boolean): Promise<string | undefined> {
  try {
    await database.write([summaryOperation(summary)]);
    return undefined;
  } catch (error) {
    const reason = deepest(error);
    if (isBegun && isDiskTrouble(reason)) return reason;
    throw new CliError(`cannot create a data directory: ${reason}`, 'free some space, or name another with --data', {
      cause: error,
    });
  }
}
