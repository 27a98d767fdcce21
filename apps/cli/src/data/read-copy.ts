import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CliError } from '../errors.js';
import { deepest, LevelDatabase } from './database.js';
import { isDiskTrouble } from './disk-trouble.js';
import { StateReader } from './records.js';

/** Where there may be room when the disk of the data has none. */
const PLACES = [tmpdir(), '/dev/shm'];
/** What LevelDB only reads, and what is most of the data. */
const TABLE = /\.(?:ldb|sst)$/;
/** Of no use to a reader. */
const OTHER = /^(?:LOCK|LOG|LOG\.old)$/;
const MEGABYTE = 1 << 20;

/**
 * Reads a database where it cannot be opened: LevelDB writes before it reads. What it writes goes to another place, with
 * the tables of the original linked and the little else copied; that place is gone afterwards.
 */
export async function readCopy(folder: string): Promise<StateReader> {
  const troubles: string[] = [];
  for (const place of PLACES) {
    try {
      return await readCopyIn(place, folder);
    } catch (error) {
      const reason = deepest(error);
      if (!isDiskTrouble(reason)) throw error;
      troubles.push(reason);
    }
  }
  const needed = Math.ceil(roomFor(folder) / MEGABYTE);
  throw new CliError(
    `there is no room to read the database in ${folder}: ${troubles.join('; ')}`,
    `free ${needed} MB where the data is, or name a folder with as much room in TMPDIR to start with reads alone`,
  );
}

async function readCopyIn(place: string, folder: string): Promise<StateReader> {
  const copy = mkdtempSync(join(place, 'capstan-read-'));
  try {
    for (const name of readdirSync(folder)) {
      if (TABLE.test(name)) symlinkSync(resolve(folder, name), join(copy, name));
      else if (!OTHER.test(name)) copyFileSync(join(folder, name), join(copy, name));
    }
    const database = new LevelDatabase(copy);
    await database.open();
    try {
      return await database.readState();
    } finally {
      await database.close();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Logs become tables when a database is opened, and the list of files is rewritten. */
function roomFor(folder: string): number {
  const names = readdirSync(folder).filter((name) => !TABLE.test(name));
  return names.reduce((sum, name) => sum + 2 * statSync(join(folder, name)).size, MEGABYTE);
}
