import { closeSync, openSync, readSync, statSync, writevSync } from 'node:fs';
import type { Logger } from '@capstan/kube';
import { Counter } from '@capstan/meta';
import { unusable } from '../files.js';
import type { Io } from '../io.js';

const OWNER_FILE = 0o600;
/** Lines that may be late are handed to the system together, but none is older than this. */
const FLUSH_MS = 100;
const RETRY_MS = 1_000;
const REMIND_MS = 60_000;
/** As many as kube-apiserver keeps. */
const MAX_WAITING = 10_000;
/** Systems take a thousand at once. */
const MAX_TOGETHER = 512;

/** Gives how many bytes were taken, or throws. */
type Append = (lines: readonly Buffer[]) => number;

/**
 * Lines of an audit log. A log that cannot be written stops nothing: its lines wait and are retried, lines that find no
 * room in the queue are lost, and both are counted and logged.
 */
export class AuditLines {
  readonly metrics: readonly Counter[];
  readonly #errors = new Counter('apiserver_audit_error_total', 'Events that were not recorded when they should.', [
    'plugin',
  ]);
  readonly #path: string;
  readonly #logger: Logger;
  readonly #append: Append;
  #file: number | undefined;
  /** In order; the first may be half written. */
  #waiting: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** While nothing can be written: when that was last logged. */
  #reportedAt: number | undefined;
  /** Lines that found no place to wait since the log was written last. */
  #lost = 0;

  /** `-` is standard output. Throws where there can be no log. */
  constructor(path: string, io: Pick<Io, 'out'>, logger: Logger) {
    this.metrics = [this.#errors];
    this.#path = path;
    this.#logger = logger;
    if (path === '-') {
      this.#append = (lines) => {
        io.out(Buffer.concat(lines).toString());
        return lengthOf(lines);
      };
      return;
    }
    this.#append = (lines) => writevSync(this.#file ?? this.#open(), lines);
    try {
      this.#open();
      // A line that a kill left half is not to take the next with it.
      if (isHalf(path)) this.#waiting.push(Buffer.from('\n'));
    } catch (error) {
      throw unusable('audit log', path, error, 'name a file you may write with --audit-log-path');
    }
  }

  /** Writes a line soon. */
  later(line: string): boolean {
    if (this.#take(line, 'buffered')) this.#timer ??= setTimeout(() => this.#flushLater(), FLUSH_MS);
    return true;
  }

  /** Writes a line; false where that failed. Then it waits to be tried again, or is forgotten. */
  now(line: string, otherwise: 'keep' | 'forget'): boolean {
    // Lines that wait go before; while they fail this one does.
    if (this.#waiting.length > 0) this.#flush();
    const isFirst = this.#waiting.length === 0;
    if (isFirst) {
      this.#waiting.push(Buffer.from(line));
      if (this.#flush()) return true;
      this.#errors.add(['log']);
      // What is half written has to be finished.
      const isWhole = this.#waiting[0]?.length === Buffer.byteLength(line);
      if (otherwise === 'forget' && isWhole) this.#waiting = [];
    } else if (otherwise === 'keep') this.#take(line, 'log');
    else this.#errors.add(['log']);
    this.#timer ??= this.#retryTimer();
    return false;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#flush()) this.#logger.error('events are missing from the audit log', this.#counts());
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #open(): number {
    this.#file = openSync(this.#path, 'a', OWNER_FILE);
    return this.#file;
  }

  /** Whether there is a place to wait. `plugin`: as whose failure it counts that the line comes late or never. */
  #take(line: string, plugin: 'buffered' | 'log'): boolean {
    const hasPlace = this.#waiting.length < MAX_WAITING;
    if (plugin === 'log' || !hasPlace) this.#errors.add([plugin]);
    if (hasPlace) this.#waiting.push(Buffer.from(line));
    else this.#lost += 1;
    return hasPlace;
  }

  #flushLater(): void {
    this.#timer = undefined;
    const wasFailing = this.#reportedAt !== undefined;
    if (this.#flush()) return;
    if (!wasFailing) this.#errors.add(['log'], this.#waiting.length);
    this.#timer = this.#retryTimer();
  }

  /** What was opened before a disk failed may be of no use after. */
  #retryTimer(): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timer = undefined;
      this.#reopen();
      if (!this.#flush()) this.#timer = this.#retryTimer();
    }, RETRY_MS);
    return timer.unref();
  }

  #reopen(): void {
    if (this.#file === undefined) return;
    const before = this.#file;
    try {
      this.#open();
      closeSync(before);
    } catch {
      // The next write logs the cause.
    }
  }

  /** Whether nothing waits any more. */
  #flush(): boolean {
    try {
      while (this.#waiting.length > 0) {
        // While it fails one will do to see that.
        const lines = this.#waiting.slice(0, this.#reportedAt === undefined ? MAX_TOGETHER : 1);
        this.#drop(this.#append(lines));
      }
    } catch (error) {
      this.#failed(error);
      return false;
    }
    if (this.#reportedAt !== undefined) {
      this.#logger.warn('the audit log is written again', this.#counts());
      this.#reportedAt = undefined;
      this.#lost = 0;
    }
    return true;
  }

  #drop(bytes: number): void {
    let [left, whole] = [bytes, 0];
    for (const line of this.#waiting) {
      if (line.length > left) break;
      left -= line.length;
      whole += 1;
    }
    this.#waiting.splice(0, whole);
    const [first] = this.#waiting;
    if (left > 0 && first !== undefined) this.#waiting[0] = first.subarray(left);
  }

  #failed(error: unknown): void {
    const now = performance.now();
    if (this.#reportedAt !== undefined && now - this.#reportedAt < REMIND_MS) return;
    this.#reportedAt = now;
    this.#logger.error('cannot write the audit log', { ...this.#counts(), reason: String(error) });
  }

  #counts(): Readonly<Record<string, unknown>> {
    return { path: this.#path, waiting: this.#waiting.length, lost: this.#lost };
  }
}

function lengthOf(lines: readonly Buffer[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}

/** Whether a file ends in the midst of a line. */
function isHalf(path: string): boolean {
  // In large numbers, as in io.ts. Pipes and devices have no end.
  const stats = statSync(path, { bigint: true });
  if (!stats.isFile() || stats.size === 0n) return false;
  const file = openSync(path, 'r');
  try {
    const last = Buffer.alloc(1);
    readSync(file, last, 0, 1, stats.size - 1n);
    return last.toString() !== '\n';
  } finally {
    closeSync(file);
  }
}
