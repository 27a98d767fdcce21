import { pushAll } from '@capstan/meta';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MirrorError, readObjects } from '@capstan/translate/mirror';
import { CliError } from '../errors.js';
import { unusable } from '../files.js';
import type { Io } from '../io.js';

/** An object of a file, and where it stands in it. */
export interface SourceObject {
  readonly object: unknown;
  /** `crds.yaml, document 2, line 14`. */
  readonly where: string;
}

const EXTENSIONS = /\.(ya?ml|json)$/;
const HINT = 'name a file, a directory or - with -f';

/** The objects of files, directories (not those below) and standard input, in the order of their names. */
export async function readSources(paths: readonly string[], io: Io): Promise<SourceObject[]> {
  const objects: SourceObject[] = [];
  for (const path of paths) {
    if (path === '-') pushAll(objects, parsed(await io.input(), 'standard input'));
    else for (const file of await filesOf(path)) pushAll(objects, parsed(await textOf(file), file));
  }
  if (objects.length === 0) throw new CliError(`there are no objects in ${paths.join(' ')}`, HINT);
  return objects;
}

/** The file itself, or the files of a directory that may hold objects, by name. */
export async function filesOf(path: string, isRecursive = false): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path, { recursive: isRecursive });
    const files = names.filter((name) => EXTENSIONS.test(name)).toSorted();
    return files.map((name) => join(path, name));
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** What is wrong with a file that was named. */
export function unreadable(path: string, error: unknown): Error {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing
    ? new CliError(`there is no ${path}`, HINT, { cause: error })
    : unusable('source', path, error, HINT);
}

function parsed(text: string, name: string): SourceObject[] {
  try {
    return readObjects(text, name);
  } catch (error) {
    if (!(error instanceof MirrorError)) throw error;
    throw new CliError(error.message, 'fix the YAML at that line', { cause: error });
  }
}
