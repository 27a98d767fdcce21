import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { liveTables } from './live-tables.js';
import { DamagedData } from './records.js';
import { isTableSound } from './table-check.js';

/**
 * Refuses a database that had something in it and lost one of the files it cannot be without, or a part of one. LevelDB
 * itself starts with an empty database where CURRENT is missing, removes every file that it then does not know, and
 * continues without a log as if there had been none.
 */
export function requireDatabaseFiles(folder: string): void {
  const missing = missingFile(folder);
  if (missing !== undefined) throw new DamagedData(`${missing} is missing`);
  const broken = brokenTable(folder);
  if (broken !== undefined) throw new DamagedData(`${broken} is not what was written there`);
}

/** What is left over of an interrupted run is nobody's table. */
function brokenTable(folder: string): string | undefined {
  const numberOf = (name: string): number => Number.parseInt(name, 10);
  const tables = readdirSync(folder).filter((name) => name.endsWith('.ldb'));
  const doubtful = tables.filter((name) => !isTableSound(join(folder, name)));
  const manifest = join(folder, currentManifest(folder));
  if (doubtful.length === 0 || !existsSync(manifest)) return undefined;
  const live = liveTables(readFileSync(manifest));
  const broken = doubtful.find((name) => live.has(numberOf(name)));
  return broken === undefined ? undefined : join(folder, broken);
}

function currentManifest(folder: string): string {
  return readFileSync(join(folder, 'CURRENT'), 'utf8').trim();
}

function missingFile(folder: string): string | undefined {
  if (!existsSync(folder)) return folder;
  const current = join(folder, 'CURRENT');
  if (!existsSync(current)) return current;
  const manifest = currentManifest(folder);
  // LevelDB reports any other damage itself.
  if (/^MANIFEST-\d+$/.test(manifest) && !existsSync(join(folder, manifest))) return join(folder, manifest);
  // There is one at all times: the next is made before the last is removed.
  const hasLog = readdirSync(folder).some((name) => name.endsWith('.log'));
  return hasLog ? undefined : `the log of the last writes (${join(folder, '*.log')})`;
}
