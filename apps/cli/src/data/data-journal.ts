import type { Journal, JournalFailure, StoreEvent } from '@capstan/apiserver';
import { type Database, deepest } from './database.js';
import { isNoSpace } from './disk-trouble.js';
import { batchOf, type Summary, summaryOperation } from './records.js';
import type { RevisionMark } from './revision-mark.js';

const RETRY_MS = 1_000;

/** Writes cannot be made durable at present. */
class NotStored extends Error {
  override readonly name = 'NotStored';
}

/** Notified, once each, when nothing can be stored any more, and when it can again. */
export interface JournalReport {
  failed(reason: string): void;
  recovered(): void;
}

/** What a journal works with. */
export interface JournalParts {
  readonly database: Database;
  readonly mark: Pick<RevisionMark, 'note' | 'close'>;
  readonly report: JournalReport;
}

/** Where a journal begins. */
export interface JournalStart {
  /** Of the state that the store begins with. */
  readonly summary: Summary;
  /** The revision that the database has; below that of the summary where the rest could not be stored. */
  readonly stored: number;
  /** Why nothing can be stored from the beginning. */
  readonly failure?: string | undefined;
}

interface Outcome {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Writes what the store commits to a database, in batches: what is committed while one batch is being written, or in one
 * turn of the event loop, is the next batch. A batch that fails is kept and tried again, with all that came after it.
 */
export class DataJournal implements Journal {
  readonly #database: Database;
  readonly #mark: JournalParts['mark'];
  readonly #report: JournalReport;
  readonly #listeners: (() => void)[] = [];
  #summary: Summary;
  #durableRevision: number;
  /** The revisions that the database may have: the last that was stored, and that of a batch that may have been. */
  #stored: readonly number[];
  #pending: StoreEvent[] = [];
  #failure: JournalFailure | undefined;
  /** Of the batch being written, and of the next one if a writer waits for that. */
  #current: Outcome | undefined;
  #next: Outcome | undefined;
  #isBusy = false;
  #retry: NodeJS.Timeout | undefined;
  #trying: Promise<void> | undefined;

  constructor({ database, mark, report }: JournalParts, { failure, stored, summary }: JournalStart) {
    this.#database = database;
    this.#mark = mark;
    this.#report = report;
    this.#summary = summary;
    this.#stored = [stored];
    this.#durableRevision = summary.revision;
    mark.note(stored);
    if (failure !== undefined) this.#fail(failure);
  }

  get durableRevision(): number {
    return this.#durableRevision;
  }

  get failure(): JournalFailure | undefined {
    return this.#failure;
  }

  append(event: StoreEvent): void {
    this.#pending.push(event);
    if (this.#isBusy || this.#failure !== undefined) return;
    this.#isBusy = true;
    // Requests that arrived together are handled before this runs.
    setImmediate(() => void this.#drain());
  }

  flushed(): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(new NotStored(this.#failure.reason));
    if (this.#pending.length > 0) return (this.#next ??= newOutcome()).promise;
    return this.#current?.promise;
  }

  onDurable(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Writes what is left, as far as it can be, and notes that nothing was under way. Nothing may be appended any more. */
  async close(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      if (this.#failure === undefined) await this.flushed();
      else await this.#tryAgain();
      const { revision } = this.#summary;
      if (this.#failure === undefined) {
        await this.#database.write([
          summaryOperation({ ...this.#summary, ceiling: Math.max(revision, this.#durableRevision) }),
        ]);
      }
    } catch (error) {
      // What was acknowledged is stored, and the next start takes this for a crash.
      if (this.#failure === undefined) this.#report.failed(deepest(error));
    } finally {
      clearTimeout(this.#retry);
      await this.#mark.close();
      await this.#database.close();
    }
  }

  /** Never rejects: what goes wrong becomes the failure. */
  async #drain(): Promise<void> {
    this.#isBusy = true;
    while (this.#pending.length > 0) {
      const events = this.#pending;
      const outcome = this.#next ?? newOutcome();
      this.#pending = [];
      this.#current = outcome;
      this.#next = undefined;
      if (!(await this.#write(events))) {
        this.#pending = [...events, ...this.#pending];
        break;
      }
      this.#current = undefined;
      for (const listener of this.#listeners) listener();
      outcome.resolve();
    }
    this.#isBusy = false;
  }

  /** Whether all of it is stored now; if not, the failure has the reason. */
  async #write(events: readonly StoreEvent[]): Promise<boolean> {
    const { operations, after } = batchOf(this.#summary, events);
    try {
      await this.#database.write(operations);
    } catch (error) {
      this.#stored = [this.#stored[0] ?? 0, after.revision];
      this.#fail(deepest(error));
      return false;
    }
    this.#summary = after;
    this.#stored = [after.revision];
    this.#durableRevision = after.revision;
    this.#mark.note(after.revision);
    if (this.#failure !== undefined) this.#report.recovered();
    this.#failure = undefined;
    return true;
  }

  #fail(reason: string): void {
    if (this.#failure === undefined) this.#report.failed(reason);
    this.#failure = { reason, isNoSpace: isNoSpace(reason) };
    const error = new NotStored(reason);
    this.#current?.reject(error);
    this.#next?.reject(error);
    this.#current = undefined;
    this.#next = undefined;
    this.#retry = setTimeout(() => void this.#tryAgain(), RETRY_MS);
    this.#retry.unref();
  }

  /** One at a time, also when the journal is closed meanwhile. */
  #tryAgain(): Promise<void> {
    this.#trying ??= this.#reopen().finally(() => {
      this.#trying = undefined;
    });
    return this.#trying;
  }

  async #reopen(): Promise<void> {
    try {
      const stored = await this.#database.reopen();
      if (!this.#stored.includes(stored)) {
        this.#fail(`the database is at revision ${stored} where ${this.#stored[0]} was stored: start the server again`);
        return;
      }
    } catch (error) {
      this.#fail(deepest(error));
      return;
    }
    // Where nothing waits the summary alone shows whether writes are stored again.
    this.#isBusy = true;
    if (this.#pending.length > 0 || (await this.#write([]))) await this.#drain();
    this.#isBusy = false;
  }
}

function newOutcome(): Outcome {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((...settle) => {
    [resolve, reject] = settle;
  });
  // There may be no waiting writer; if there is one, it gets the error all the same.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
