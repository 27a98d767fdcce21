import type { Clock, Timer } from '@capstan/meta';

interface Pending {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Time that passes only when it is advanced. Timers fire in order of time, then of setting. */
export class ManualClock implements Clock {
  readonly #startedAt: number;
  readonly #pending = new Set<Pending>();
  #elapsed = 0;
  #order = 0;

  constructor(startedAt = Date.UTC(2026, 0, 1)) {
    this.#startedAt = startedAt;
  }

  /** Timers not yet fired. */
  get pending(): number {
    return this.#pending.size;
  }

  now(): number {
    return this.#startedAt + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(delayMs: number, callback: () => void): Timer {
    const entry = { at: this.#elapsed + Math.max(0, delayMs), order: (this.#order += 1), callback };
    this.#pending.add(entry);
    return { cancel: () => this.#pending.delete(entry) };
  }

  /** Lets time pass; after each timer everything it set going in this turn of the event loop is let run. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settled();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#pending.delete(next);
      this.#elapsed = Math.max(this.#elapsed, next.at);
      next.callback();
      await settled();
    }
    this.#elapsed = end;
  }

  #next(end: number): Pending | undefined {
    let first: Pending | undefined;
    for (const entry of this.#pending) {
      if (entry.at > end) continue;
      if (first === undefined || entry.at < first.at || (entry.at === first.at && entry.order < first.order))
        first = entry;
    }
    return first;
  }
}

/** Resolves when no promise callback is left to run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
