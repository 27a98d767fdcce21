import type { StoreEvent } from '../store/index.js';

/** Why nothing can be kept at present. */
export interface JournalFailure {
  /** The error of the operating system. */
  readonly reason: string;
  /** Whether room is all that is missing. */
  readonly isNoSpace: boolean;
}

/**
 * Where committed writes go to outlive the process. The store stays the truth while the process runs; the journal only
 * has to keep up, and to say how far it has come.
 */
export interface Journal {
  /** Every revision up to this one outlives the process. */
  readonly durableRevision: number;
  /** Undefined when all is well. */
  readonly failure: JournalFailure | undefined;
  /** Takes a committed write, in revision order, inside the commit. */
  append(event: StoreEvent): void;
  /** Undefined when all taken so far is durable. Rejects as soon as it cannot be made so, even if it will be tried again. */
  flushed(): Promise<void> | undefined;
  /** Calls the listener whenever `durableRevision` has grown, before the promises that wait for it resolve. */
  onDurable(listener: () => void): void;
}
