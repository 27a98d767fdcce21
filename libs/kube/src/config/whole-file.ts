import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface WholeFileOptions {
  /** Default: for the owner alone. */
  readonly mode?: number | undefined;
  /** False where many files are written that can be written again: a crash of the machine may then lose them. */
  readonly isDurable?: boolean | undefined;
  /** False where the path is not the user's own: a link there is replaced, and what it points at left alone. */
  readonly followsLinks?: boolean | undefined;
}

/**
 * Writes a file that is there whole or not at all: whatever happens meanwhile a reader sees what was there before or all
 * of what is new, and on a full disk nothing is left behind. Pipes and devices are written to as they are.
 */
export function writeWholeFile(path: string, content: string | Uint8Array, options: WholeFileOptions = {}): void {
  const { isDurable = true, followsLinks = true, mode = 0o600 } = options;
  const target = followsLinks ? linked(path) : path;
  // In large numbers: after the others of a pipe Node 20 resolves no more links.
  if (followsLinks && statSync(target, { bigint: true, throwIfNoEntry: false })?.isFile() === false) {
    writeFileSync(target, content);
    return;
  }
  // A name of its own: that of the file may be as long as names can be.
  const temporary = join(dirname(target), `.capstan-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = openSync(temporary, 'wx', mode);
    try {
      writeFileSync(file, content);
      if (isDurable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (isDurable) syncDirectory(dirname(target));
}

/** A name is durable when its directory is. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function linked(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there yet.
    return path;
  }
}
