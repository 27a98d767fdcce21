import type { Journal, StoreEvent } from '@capstan/apiserver';
import { type Database, deepest } from './database.js';
import { batchOf, type Summary, summaryOperation } from './records.js';

const RETRY_MS = 1_000;

/** Writes cannot be made durable at present. */
class NotStored extends Error {
  override readonly name = 'NotStored';
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
  readonly #onFailure: (reason: string) => void;
  readonly #listeners: (() => void)[] = [];
  #summary: Summary;
  #durableRevision: number;
  #pending: StoreEvent[] = [];
  #failure: string | undefined;
  /** Of the batch being written, and of the one after it if somebody waits for that. */
  #current: Outcome | undefined;
  #next: Outcome | undefined;
  #isBusy = false;
  #retry: NodeJS.Timeout | undefined;

  /** The store begins at `startRevision`, at or above that of the summary. */
  constructor(database: Database, summary: Summary, startRevision: number, onFailure: (reason: string) => void) {
    this.#database = database;
    this.#summary = summary;
    this.#durableRevision = startRevision;
    this.#onFailure = onFailure;
  }

  get durableRevision(): number {
    return this.#durableRevision;
  }

  get failure(): string | undefined {
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
    if (this.#failure !== undefined) return Promise.reject(new NotStored(this.#failure));
    if (this.#pending.length > 0) return (this.#next ??= newOutcome()).promise;
    return this.#current?.promise;
  }

  onDurable(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Writes what is left and notes that nothing was under way. Nothing may be appended any more. */
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
    } finally {
      clearTimeout(this.#retry);
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
      try {
        const { operations, after } = batchOf(this.#summary, events);
        await this.#database.write(operations);
        this.#summary = after;
      } catch (error) {
        this.#pending = [...events, ...this.#pending];
        this.#fail(deepest(error));
        break;
      }
      this.#durableRevision = this.#summary.revision;
      this.#current = undefined;
      this.#failure = undefined;
      for (const listener of this.#listeners) listener();
      outcome.resolve();
    }
    this.#isBusy = false;
  }

  #fail(reason: string): void {
    if (this.#failure === undefined) this.#onFailure(reason);
    this.#failure = reason;
    const error = new NotStored(reason);
    this.#current?.reject(error);
    this.#next?.reject(error);
    this.#current = undefined;
    this.#next = undefined;
    this.#retry = setTimeout(() => void this.#tryAgain(), RETRY_MS);
    this.#retry.unref();
  }

  async #tryAgain(): Promise<void> {
    try {
      await this.#database.reopen();
    } catch (error) {
      this.#fail(deepest(error));
      return;
    }
    await this.#drain();
  }
}

function newOutcome(): Outcome {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((...settle) => {
    [resolve, reject] = settle;
  });
  // Nobody may be waiting; whoever does is told all the same.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
