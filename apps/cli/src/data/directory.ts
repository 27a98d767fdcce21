import { chmodSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectory, writeWholeFile } from '@capstan/kube/basics';
import { CliError } from '../errors.js';
import { makeDirectories, unusable } from '../files.js';
import { DATA_FORMAT } from './records.js';

const MARKER = 'capstan-data.json';
const DATABASE = 'db';
/** Secrets are stored as they are. */
const OWNER_ONLY = 0o700;

/** A directory that is ours. */
export interface DataDirectory {
  /** Where the database is. */
  readonly database: string;
  /** Whether there was something in the database before. If it is empty now, that was lost. */
  readonly isBegun: boolean;
}

interface Marker {
  readonly format: number;
  readonly begun: boolean;
}

/** Makes the directory ours, or finds that it is. A directory with anything else in it is left alone. */
export function prepareDirectory(path: string): DataDirectory {
  try {
    return preparedDirectory(path);
  } catch (error) {
    throw unusable('data directory', path, error, 'name a directory you may write with --data');
  }
}

function preparedDirectory(path: string): DataDirectory {
  makeDirectories(path, OWNER_ONLY);
  const database = join(path, DATABASE);
  let isBegun = false;
  const entries = new Set(readdirSync(path));
  if (entries.has(MARKER)) {
    isBegun = checkedMarker(path).begun;
  } else {
    // What a crash in the midst of writing the marker left is no reason to refuse the directory.
    if ([...entries].some((name) => !/^\.capstan-.*\.tmp$/.test(name)))
      throw new CliError(
        `${path} is not empty and holds no data of an API server`,
        'name an empty directory with --data, or one that does not exist',
      );
    chmodSync(path, OWNER_ONLY);
    writeMarker(path, { format: DATA_FORMAT, begun: false });
  }
  // Where something was, no new database is created.
  if (!isBegun) {
    makeDirectories(database, OWNER_ONLY);
    syncDirectory(path);
  }
  return { database, isBegun };
}

/** Notes that the database has something in it from now on. */
export function markBegun(path: string): void {
  writeMarker(path, { format: DATA_FORMAT, begun: true });
}

function checkedMarker(path: string): Marker {
  const marker = parsedMarker(readFileSync(join(path, MARKER), 'utf8'));
  if (marker?.format === DATA_FORMAT) return marker;
  if (marker === undefined)
    throw new CliError(
      `${join(path, MARKER)} does not say which format the data has`,
      'restore the directory from a backup, or start with another',
    );
  throw new CliError(
    `${path} has data of format ${marker.format}, this version reads format ${DATA_FORMAT}`,
    'use the version of capstan that wrote it, or another directory',
  );
}

function parsedMarker(text: string): Marker | undefined {
  try {
    const { format, begun } = JSON.parse(text) as { format?: unknown; begun?: unknown };
    return typeof format === 'number' ? { format, begun: begun === true } : undefined;
  } catch {
    return undefined;
  }
}

function writeMarker(path: string, marker: Marker): void {
  writeWholeFile(join(path, MARKER), `${JSON.stringify(marker)}\n`);
}
