import type { Clock, Timer } from '@capstan/meta';

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Delay after an item's first failure; doubles each time. Default 5 ms. */
  readonly baseDelayMs?: number | undefined;
  /** Default 1000 s. */
  readonly maxDelayMs?: number | undefined;
}

interface Waiting {
  readonly at: number;
  readonly timer: Timer;
}

/**
 * Keys to be worked on. A key is in the queue at most once and with at most one worker; when added while being worked
 * on it comes again after `done`. Keys are compared as Map keys are.
 */
export class WorkQueue<K> {
  readonly #clock: Clock;
  readonly #baseDelayMs: number;
  readonly #maxDelayMs: number;
  /** Wants work; may be queued or, when also processing, waiting for `done`. */
  readonly #dirty = new Set<K>();
  readonly #processing = new Set<K>();
  /** Dirty and not processing, in order from `#head`. A Set would do but for deletions at its front, which V8 walks over. */
  #queue: K[] = [];
  #head = 0;
  readonly #waiting = new Map<K, Waiting>();
  readonly #failures = new Map<K, number>();
  readonly #takers: ((key: K | undefined) => void)[] = [];
  readonly #drainers: (() => void)[] = [];
  #shutDown = false;

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#baseDelayMs = options.baseDelayMs ?? 5;
    this.#maxDelayMs = options.maxDelayMs ?? 1_000_000;
  }

  /** Keys ready to be taken. */
  get length(): number {
    return this.#queue.length - this.#head;
  }

  /** True when nothing is ready, delayed or being worked on. */
  get idle(): boolean {
    return this.#dirty.size === 0 && this.#processing.size === 0 && this.#waiting.size === 0;
  }

  add(key: K): void {
    if (this.#shutDown || this.#dirty.has(key)) return;
    this.#dirty.add(key);
    if (this.#processing.has(key)) return;
    this.#queue.push(key);
    this.#hand();
  }

  /** Adds later; of several delays for one key the earliest counts. */
  addAfter(key: K, delayMs: number): void {
    if (this.#shutDown) return;
    if (delayMs <= 0) {
      this.#cancelWaiting(key);
      this.add(key);
      return;
    }
    const at = this.#clock.monotonic() + delayMs;
    const before = this.#waiting.get(key);
    if (before !== undefined && before.at <= at) return;
    before?.timer.cancel();
    const timer = this.#clock.after(delayMs, () => {
      this.#waiting.delete(key);
      this.add(key);
    });
    this.#waiting.set(key, { at, timer });
  }

  /** Adds after a delay that grows with every failure since `forget`. */
  addRateLimited(key: K): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.addAfter(key, Math.min(this.#baseDelayMs * 2 ** failures, this.#maxDelayMs));
  }

  /** The key's failures no longer count. */
  forget(key: K): void {
    this.#failures.delete(key);
  }

  /** Failures since `forget`. */
  requeues(key: K): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The next key, when there is one; undefined once the queue is shut down and empty. */
  get(): Promise<K | undefined> {
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#hand();
    });
  }

  /** Must follow every `get`, whatever came of the work. */
  done(key: K): void {
    this.#processing.delete(key);
    if (this.#dirty.has(key)) {
      this.#queue.push(key);
      this.#hand();
    }
    this.#checkDrained();
  }

  /** No more keys are accepted; those already ready are still handed out. */
  shutDown(): void {
    this.#shutDown = true;
    for (const { timer } of this.#waiting.values()) timer.cancel();
    this.#waiting.clear();
    this.#hand();
    this.#checkDrained();
  }

  /** Shuts down and waits until the last key is done. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#drainers.push(resolve);
      this.shutDown();
    });
  }

  #cancelWaiting(key: K): void {
    this.#waiting.get(key)?.timer.cancel();
    this.#waiting.delete(key);
  }

  #hand(): void {
    while (this.#head < this.#queue.length) {
      const taker = this.#takers.shift();
      if (taker === undefined) break;
      taker(this.#take());
    }
    if (this.#shutDown && this.length === 0) {
      for (const taker of this.#takers.splice(0)) taker(undefined);
    }
  }

  #take(): K {
    const key = this.#queue[this.#head] as K;
    this.#head += 1;
    // Now and then the part already taken is let go.
    if (this.#head === this.#queue.length || this.#head > 10_000) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    this.#dirty.delete(key);
    this.#processing.add(key);
    return key;
  }

  #checkDrained(): void {
    if (!this.#shutDown || this.length > 0 || this.#processing.size > 0) return;
    for (const drained of this.#drainers.splice(0)) drained();
  }
}
