import type { Clock, Timer } from '@capstan/meta';
import { PriorityHeap } from './priority-heap.js';
import type { WorkQueueOptions } from './workqueue.js';

/** Observes a queue, for its metrics. Times are milliseconds. */
export interface QueueObserver<K> {
  added?(): void;
  retried?(): void;
  /** A key was taken after waiting this long since it became ready. */
  taken?(key: K, waitedMs: number): void;
  /** A key was done with after this long. */
  finished?(key: K, workedMs: number): void;
}

export interface PriorityQueueOptions<K> extends WorkQueueOptions {
  readonly observer?: QueueObserver<K> | undefined;
}

export interface AddOptions {
  /** The highest of several for one key counts. Default 0. */
  readonly priority?: number | undefined;
  /** The shortest of several delays for one key counts. */
  readonly afterMs?: number | undefined;
  /** Delays by the key's failures since `forget`, and counts one more. */
  readonly rateLimited?: boolean | undefined;
}

/** A key to be worked on, and how urgent it is. */
export interface Taken<K> {
  readonly key: K;
  readonly priority: number;
}

interface Entry<K> {
  readonly key: K;
  readonly priority: number;
  readonly order: number;
  /** When it became ready. */
  readonly since: number;
}

interface Delayed {
  readonly at: number;
  readonly priority: number;
  readonly timer: Timer;
}

/**
 * Keys to be worked on, the most urgent first. A key is in the queue at most once and with at most one worker; when
 * added while being worked on it comes again after `done`. Adding a key that is there raises its priority and brings it
 * forward, never the other way.
 */
export class PriorityQueue<K> {
  readonly #clock: Clock;
  readonly #baseDelayMs: number;
  readonly #maxDelayMs: number;
  readonly #observer: QueueObserver<K>;
  /** Ready keys, those of `#processing` among them; the heap may hold outdated entries, this map never does. */
  readonly #ready = new Map<K, Entry<K>>();
  readonly #heap = new PriorityHeap<Entry<K>>();
  readonly #delayed = new Map<K, Delayed>();
  readonly #processing = new Map<K, number>();
  readonly #failures = new Map<K, number>();
  #takers: ((taken: Taken<K> | undefined) => void)[] = [];
  #order = 0;
  #shutDown = false;

  constructor(options: PriorityQueueOptions<K>) {
    this.#clock = options.clock;
    this.#baseDelayMs = options.baseDelayMs ?? 5;
    this.#maxDelayMs = options.maxDelayMs ?? 1_000_000;
    this.#observer = options.observer ?? {};
  }

  /** Keys ready to be worked on. */
  get length(): number {
    return this.#ready.size;
  }

  /** True when nothing is ready, delayed or being worked on. */
  get idle(): boolean {
    return this.#ready.size === 0 && this.#processing.size === 0 && this.#delayed.size === 0;
  }

  /** How many keys are ready, by priority. */
  depths(): Map<number, number> {
    const depths = new Map<number, number>();
    for (const { priority } of this.#ready.values()) depths.set(priority, (depths.get(priority) ?? 0) + 1);
    return depths;
  }

  /** When work on each key under way began, by the clock's monotonic time. */
  workStarts(): IterableIterator<number> {
    return this.#processing.values();
  }

  add(key: K, options: AddOptions = {}): void {
    if (this.#shutDown) return;
    const { priority = 0 } = options;
    const delayMs = this.#delayOf(key, options);
    const ready = this.#ready.get(key);
    const known = this.#delayed.get(key) ?? ready;
    if (known === undefined) this.#observer.added?.();
    const merged = known === undefined ? priority : Math.max(priority, known.priority);
    if (delayMs > 0 && ready === undefined) this.#delay(key, merged, delayMs);
    else this.#makeReady(key, merged);
  }

  /** The key's failures no longer count. */
  forget(key: K): void {
    this.#failures.delete(key);
  }

  /** Failures since `forget`. */
  requeues(key: K): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The most urgent key, when there is one; undefined once the queue is shut down. */
  get(): Promise<Taken<K> | undefined> {
    const taken = this.#takers.length === 0 ? this.#take() : undefined;
    if (taken !== undefined || this.#shutDown) return Promise.resolve(taken);
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  /** Must follow every `get`, whatever came of the work. */
  done(key: K): void {
    const began = this.#processing.get(key);
    if (began === undefined) return;
    this.#processing.delete(key);
    this.#observer.finished?.(key, this.#clock.monotonic() - began);
    const waiting = this.#ready.get(key);
    if (waiting === undefined) return;
    this.#heap.push(waiting);
    this.#hand();
  }

  /** No more keys are accepted or handed out: a new process finds its work by listing the objects. */
  shutDown(): void {
    this.#shutDown = true;
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    this.#ready.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #delayOf(key: K, { afterMs = 0, rateLimited = false }: AddOptions): number {
    if (!rateLimited) return afterMs;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#observer.retried?.();
    return Math.max(afterMs, Math.min(this.#baseDelayMs * 2 ** failures, this.#maxDelayMs));
  }

  #delay(key: K, priority: number, afterMs: number): void {
    const at = this.#clock.monotonic() + afterMs;
    const before = this.#delayed.get(key);
    if (before !== undefined && before.at <= at) {
      if (before.priority !== priority) this.#delayed.set(key, { ...before, priority });
      return;
    }
    before?.timer.cancel();
    const timer = this.#clock.after(afterMs, () => {
      this.#makeReady(key, this.#delayed.get(key)?.priority ?? priority);
    });
    this.#delayed.set(key, { at, priority, timer });
  }

  #makeReady(key: K, priority: number): void {
    this.#delayed.get(key)?.timer.cancel();
    this.#delayed.delete(key);
    const before = this.#ready.get(key);
    if (before?.priority === priority) return;
    const order = before?.order ?? (this.#order += 1);
    const entry = { key, priority, order, since: before?.since ?? this.#clock.monotonic() };
    this.#ready.set(key, entry);
    // While it is being worked on it waits for `done`.
    if (this.#processing.has(key)) return;
    this.#heap.push(entry);
    this.#hand();
  }

  #hand(): void {
    while (this.#takers.length > 0) {
      const taken = this.#take();
      if (taken === undefined) return;
      this.#takers.shift()?.(taken);
    }
  }

  #take(): Taken<K> | undefined {
    for (let entry = this.#heap.pop(); entry !== undefined; entry = this.#heap.pop()) {
      const { key, priority, since } = entry;
      if (this.#ready.get(key) !== entry || this.#processing.has(key)) continue;
      const now = this.#clock.monotonic();
      this.#ready.delete(key);
      this.#processing.set(key, now);
      this.#observer.taken?.(key, now - since);
      return { key, priority };
    }
    return undefined;
  }
}
