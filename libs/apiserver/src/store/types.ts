import type { Clock, KubeObject } from '@capstan/meta';
import type { Stored } from './stored.js';

export type StoreEventType = 'create' | 'update' | 'delete';

/** One committed write. There is exactly one event per revision. */
export interface StoreEvent {
  readonly type: StoreEventType;
  readonly revision: number;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** The state after the write; for a delete the last state carrying the deletion's revision. */
  readonly current: Stored;
  readonly previous?: Stored | undefined;
  readonly timeMs: number;
  /** A cache for things derived from the event (encoded frames). May be emptied at any time, so `make` must be pure. */
  memo<T>(key: string, make: () => T): T;
}

/** How many events of one resource are kept for watches and lists from the past. */
export interface HistoryLimits {
  /** Kept whatever their age. */
  readonly minEvents: number;
  /** Never more than this. */
  readonly maxEvents: number;
  /** Events younger than this are kept, up to `maxEvents`. */
  readonly minAgeMs: number;
}

export interface StoreOptions {
  readonly clock: Clock;
  /** The revision of the empty store. 1 as in etcd: a list must never answer "0", which means "any" in requests. */
  readonly startRevision?: number;
  readonly history?: Partial<HistoryLimits>;
  /** How many entries may keep a second form (parsed besides encoded) or memos. */
  readonly hotEntries?: number;
  /** Called with what a listener threw. Without it the error is thrown from a timer of the clock, so that it is not lost. */
  readonly onListenerError?: (error: unknown, event: StoreEvent) => void;
}

export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

export interface ListOptions {
  /** Absent or '' = every namespace. */
  readonly namespace?: string | undefined;
  /** Only keys greater than this one. */
  readonly after?: ObjectKey | undefined;
  /** Absent or 0 = no limit. */
  readonly limit?: number | undefined;
  /** The state at exactly this revision instead of the latest. */
  readonly revision?: number | undefined;
  readonly filter?: ((stored: Stored) => boolean) | undefined;
}

export interface ListResult {
  readonly items: Stored[];
  /** The revision the items are a snapshot of. */
  readonly revision: number;
  /** Whether keys are left after the last item. As in etcd the filter is not asked about those: the next page may be empty. */
  readonly more: boolean;
  /** How many keys are left, whether or not the filter would take them. */
  readonly remaining: number;
}

export interface EventSelector {
  readonly resource: string;
  /** Absent or '' = every namespace. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

export type EventListener = (event: StoreEvent) => void;

export interface ObjectSnapshot {
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly object: KubeObject;
}

export interface EventSnapshot {
  readonly type: StoreEventType;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly timeMs: number;
  /** The object after the write; absent for a delete. */
  readonly object?: KubeObject;
}

export interface ResourceSnapshot {
  readonly resource: string;
  /** The revision `objects` is the state of; `events` lead from there to the present. */
  readonly oldest: number;
  readonly objects: readonly ObjectSnapshot[];
  readonly events: readonly EventSnapshot[];
}

/** A whole store as plain data. Its objects may hold bigints: write it with the exact JSON encoder. */
export interface StoreSnapshot {
  readonly format: 1;
  readonly revision: number;
  readonly compacted: number;
  readonly resources: readonly ResourceSnapshot[];
}

/** One object as it was encoded, `metadata.resourceVersion` included. */
export interface EncodedObject extends ObjectKey {
  readonly resource: string;
  readonly revision: number;
  readonly bytes: Uint8Array;
}

/** The present of a store without its past, not parsed: large states open fast. */
export interface EncodedState {
  readonly revision: number;
  /** In key order within a resource, or else opening takes longer. */
  readonly objects: Iterable<EncodedObject>;
}

/** The revision asked for lies before what history still holds. */
export class RevisionExpired extends Error {
  override readonly name = 'RevisionExpired';
  readonly revision: number;
  /** The oldest revision that can still be asked for. */
  readonly oldest: number;

  constructor(revision: number, oldest: number) {
    super(`revision ${revision} has expired, the oldest is ${oldest}`);
    this.revision = revision;
    this.oldest = oldest;
  }
}

/** The revision asked for has not happened yet. */
export class RevisionInFuture extends Error {
  override readonly name = 'RevisionInFuture';
  readonly revision: number;
  readonly current: number;

  constructor(revision: number, current: number) {
    super(`revision ${revision} lies in the future, the current one is ${current}`);
    this.revision = revision;
    this.current = current;
  }
}
