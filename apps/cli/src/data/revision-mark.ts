import { constants, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

const FILE = 'last-revision';
const OWNER_FILE = 0o600;
/** Writes that were acknowledged for longer than this are missed when they are gone. */
const INTERVAL_MS = 1_000;
/** Written over in place: that takes no room, and a sector is written whole. */
const LENGTH = 32;

/**
 * How far the database has come, outside of it: a database that lost its last writes is as sound as one that never had
 * them. It follows at a distance, so that no write waits for it; that it cannot be written now is nobody's trouble.
 */
export class RevisionMark {
  readonly path: string;
  #written = 0;
  #wanted = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(directory: string) {
    this.path = join(directory, FILE);
  }

  /** Undefined where there is none, or none that can be believed. */
  read(): number | undefined {
    try {
      return revisionIn(readFileSync(this.path, 'utf8'));
    } catch {
      return undefined;
    }
  }

  /** The database has come to this revision. */
  note(revision: number): void {
    this.#wanted = revision;
    if (this.#timer !== undefined || revision <= this.#written) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#write();
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    if (this.#wanted > this.#written) await this.#write();
  }

  /** Never rejects: the mark before stays true, and the next revision tries again. */
  async #write(): Promise<void> {
    const revision = this.#wanted;
    try {
      const file = await open(this.path, constants.O_RDWR | constants.O_CREAT, OWNER_FILE);
      try {
        await file.write(textOf(revision), 0);
        await file.datasync();
      } finally {
        await file.close();
      }
      this.#written = revision;
    } catch {
      // See above.
    }
  }
}

function textOf(revision: number): string {
  const digits = String(revision);
  return `${digits} ${checksum(digits)}`.padEnd(LENGTH - 1).concat('\n');
}

function revisionIn(text: string): number | undefined {
  const [digits = '', sum] = text.trim().split(' ');
  return sum === checksum(digits) ? Number(digits) : undefined;
}

function checksum(digits: string): string {
  return crc32(digits).toString(16);
}
