/** Sources such as `git://main:config/crd/bases`: a file or folder as it is in a revision. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CliError, UsageError } from '../errors.js';
import { manifestNames } from './read.js';

export const GIT_PREFIX = 'git://';
const FORM = 'write it as git://REVISION:PATH, such as git://main:config/crd/bases';
const MOST_BYTES = 256 * 1024 * 1024;

/** A file of a revision. */
export interface GitFile {
  /** `git://main:config/crd/bases/machines.yaml`. */
  readonly name: string;
  readonly text: string;
}

/** Without a shell, and without what a repository may have configured to run. */
async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['--no-pager', ...args], {
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
    // Its messages are read below.
    env: { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
  });
  return stdout;
}

/** The files that a source names: itself, or those of a folder that may hold objects (not those below), by name. */
export async function readGit(source: string): Promise<GitFile[]> {
  const object = source.slice(GIT_PREFIX.length);
  const at = object.indexOf(':');
  // What begins with a dash would be an option.
  if (at < 1 || object.startsWith('-')) throw new UsageError(`${source} names no file of a revision`, FORM);
  try {
    const isFolder = (await git('cat-file', '-t', object)).trim() === 'tree';
    if (!isFolder) return [{ name: source, text: await git('cat-file', 'blob', object) }];
    const inside = object.endsWith(':') || object.endsWith('/') ? object : `${object}/`;
    const files: GitFile[] = [];
    for (const name of manifestNames((await git('ls-tree', '-z', '--name-only', object)).split('\0')))
      files.push({ name: `${GIT_PREFIX}${inside}${name}`, text: await git('cat-file', 'blob', `${inside}${name}`) });
    return files;
  } catch (error) {
    throw unreadable(source, error);
  }
}

function unreadable(source: string, error: unknown): Error {
  const { code, stderr = '' } = Object(error) as { readonly code?: unknown; readonly stderr?: string };
  if (code === 'ENOENT')
    return new CliError(`${source} cannot be read: there is no git on PATH`, 'install git, or name files', {
      cause: error,
    });
  const reason =
    stderr
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^fatal: /, '') ?? '';
  return new CliError(`${source} cannot be read: ${reason === '' ? 'git failed' : reason}`, FORM, { cause: error });
}
