import type { Clock, Random, Timer } from '@capstan/meta';

/** A clock that moves only when the test advances it. */
export class ManualClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  #timers: { at: number; callback: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): Timer {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.push(timer);
    return {
      cancel: () => {
        this.#timers = this.#timers.filter((each) => each !== timer);
      },
    };
  }

  /** Moves on, calling back what falls due on the way, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((each) => each !== due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
    }
    this.#now = end;
  }
}

/** Chance without surprise: every draw is the next number. */
export function countingRandom(): Random {
  let count = 0;
  const random: Random = {
    next: () => (count++ % 1000) / 1000,
    below: (bound) => count++ % bound,
    bytes: (length) => Uint8Array.from({ length }, () => count++ % 256),
    split: () => random,
  };
  return random;
}
