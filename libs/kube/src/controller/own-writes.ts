import { deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { objectKey } from '../informer/store.js';
import type { Predicate } from './predicates.js';

/** How a controller compares and spaces its own writes. */
export interface OwnWritesOptions {
  /** The least time between two writes of the same object that may wait. Default: none. */
  readonly minIntervalMs?: number | undefined;
}

/**
 * What a controller last wrote into each of its objects, and when. Its own writes are not news: the watch returns them, and
 * no reconcile is due for that. Writes of mere details can be spaced, so that several of them become one.
 */
export class OwnWrites<T extends KubeObject, Fields = unknown> {
  readonly #fieldsOf: (object: T) => Fields;
  readonly #minIntervalMs: number;
  readonly #fields = new Map<string, Fields>();
  /** When objects were last written; the oldest first. */
  readonly #writtenMs = new Map<string, number>();

  /** `fieldsOf` selects what this controller writes: the status, or one field of it. */
  constructor(fieldsOf: (object: T) => Fields, { minIntervalMs = 0 }: OwnWritesOptions = {}) {
    this.#fieldsOf = fieldsOf;
    this.#minIntervalMs = minIntervalMs;
  }

  /** Call it before the write, as the watch may be faster than the response, and again with the object of the response. */
  record(object: T): void {
    this.#fields.set(objectKey(object), this.#fieldsOf(object));
  }

  /** What was recorded last; undefined when nothing was. */
  last(key: string): Fields | undefined {
    return this.#fields.get(key);
  }

  /** After a write whose outcome is unknown: its time still counts. */
  discard(key: string): void {
    this.#fields.delete(key);
  }

  /** After the object was deleted. */
  forget(key: string): void {
    this.#fields.delete(key);
    this.#writtenMs.delete(key);
  }

  /** Starts the minimum interval of an object. */
  startInterval(key: string, nowMs: number): void {
    for (const [other, writtenMs] of this.#writtenMs) {
      if (nowMs - writtenMs < this.#minIntervalMs) break;
      this.#writtenMs.delete(other);
    }
    this.#writtenMs.delete(key);
    this.#writtenMs.set(key, nowMs);
  }

  /** Milliseconds until the minimum interval of an object has passed; 0 when it has. */
  waitMs(key: string, nowMs: number): number {
    const sinceMs = nowMs - (this.#writtenMs.get(key) ?? -Infinity);
    // A clock that was set back must not prolong the wait.
    return sinceMs >= 0 && sinceMs < this.#minIntervalMs ? this.#minIntervalMs - sinceMs : 0;
  }

  /** Updates that changed the fields to something else than this controller recorded last. */
  readonly changedByOthers: Predicate<T> = (event) => {
    if (event.type !== 'update') return false;
    const now = this.#fieldsOf(event.object);
    if (deepEqual(this.#fieldsOf(event.old), now)) return false;
    const key = objectKey(event.object);
    return !this.#fields.has(key) || !deepEqual(this.#fields.get(key), now);
  };
}
