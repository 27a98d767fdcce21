import { ClassicLevel } from 'classic-level';
import { CliError } from '../errors.js';
import { DamagedData, type Operation, StateReader, SUMMARY_KEY, summaryIn } from './records.js';

/** What the journal needs of a database. */
export interface Database {
  /** Resolves when all of it is on disk; after a rejection all or nothing of it is. */
  write(operations: readonly Operation[]): Promise<void>;
  /**
   * Needed after a failed write: what follows a torn record in the log would be lost with it. Gives the revision that is
   * stored, 0 where nothing is.
   */
  reopen(): Promise<number>;
  close(): Promise<void>;
}

const PAGE = 1_000;
const READ_AHEAD_BYTES = 4 << 20;

/** LevelDB in a folder, which no other process can open meanwhile. */
export class LevelDatabase implements Database {
  readonly #path: string;
  readonly #level: ClassicLevel<Buffer, Buffer>;

  /** Only one that `isNew` is made where there is none. */
  constructor(path: string, isNew = false) {
    this.#path = path;
    const encodings = { keyEncoding: 'buffer', valueEncoding: 'buffer' } as const;
    this.#level = new ClassicLevel(path, { ...encodings, createIfMissing: isNew });
  }

  async open(): Promise<void> {
    try {
      await this.#level.open();
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** All that is stored, each record checked. */
  async readState(): Promise<StateReader> {
    const reader = new StateReader();
    await this.readAll((key, value) => reader.read(key, value));
    return reader;
  }

  /** Every record in the order of keys. */
  async readAll(visit: (key: Buffer, value: Buffer) => void): Promise<void> {
    const iterator = this.#level.iterator({ highWaterMarkBytes: READ_AHEAD_BYTES, fillCache: false });
    try {
      let page = await iterator.nextv(PAGE);
      while (page.length > 0) {
        // Read by another thread while this one looks at what came before.
        const following = iterator.nextv(PAGE);
        try {
          for (const [key, value] of page) visit(key, value);
        } finally {
          page = await following;
        }
      }
    } catch (error) {
      throw this.#explained(error);
    } finally {
      await iterator.close();
    }
  }

  async write(operations: readonly Operation[]): Promise<void> {
    await this.#level.batch([...operations], { sync: true });
  }

  async reopen(): Promise<number> {
    await this.#level.close();
    await this.#level.open();
    const summary = await this.#level.get(SUMMARY_KEY);
    return summary === undefined ? 0 : summaryIn(summary).revision;
  }

  async close(): Promise<void> {
    await this.#level.close();
  }

  #explained(error: unknown): CliError {
    if (error instanceof CliError) return error;
    const codes = codesOf(error);
    if (codes.includes('LEVEL_LOCKED'))
      return new CliError(
        `another process uses ${this.#path}`,
        'stop the other server, or name another directory with --data',
        { cause: error },
      );
    if (codes.includes('LEVEL_CORRUPTION')) return new DamagedData(deepest(error), { cause: error });
    return new CliError(
      `the database in ${this.#path} cannot be read: ${deepest(error)}`,
      'check the disk and who may read the directory; if both are well, restore it from a backup',
      { cause: error },
    );
  }
}

/** The codes of an error and of what caused it. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return [...own, ...codesOf(error.cause)];
}

/** The message of the first cause: the outer ones only say that opening failed. */
export function deepest(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : deepest(error.cause);
}
