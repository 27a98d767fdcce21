import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError } from './errors.js';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left',
  EDQUOT: 'the quota is used up',
  EFBIG: 'it would be larger than files may be',
  EIO: 'the disk fails',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
  EISDIR: 'it is a directory',
  ENOENT: 'there is no place for it',
};

/** A file or directory that cannot be used, in one line: which, why, and the option that named it. */
export function unusable(what: string, path: string, error: unknown, hint: string): Error {
  return explained(`cannot use ${path} as ${what}`, error, hint);
}

/** What could not be done with a file, and why; what does not come from the system stays as it is. */
export function explained(message: string, error: unknown, hint: string): Error {
  const code = codeOf(error);
  if (code === '') return error instanceof Error ? error : new CliError(String(error), hint);
  return new CliError(`${message}: ${REASONS[code] ?? code}`, hint, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Makes a directory and those above it. Node's own recursion never ends where a file system refuses with ENOENT. */
export function makeDirectories(path: string, mode: number): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if (codeOf(error) === 'EEXIST' && statSync(path).isDirectory()) return;
    if (codeOf(error) !== 'ENOENT' || parent === path) throw error;
    makeDirectories(parent, mode);
    mkdirSync(path, mode);
  }
}
