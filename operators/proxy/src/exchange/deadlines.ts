import type { Clock, Timer } from '@capstan/meta';

/** Something that is waited for, with its place among all that are. */
export interface Awaited {
  /** Below zero: not waited for. */
  dueAt: number;
  earlier: Awaited | undefined;
  later: Awaited | undefined;
  /** It did not come in time. */
  late(limitMs: number): void;
}

/**
 * Expires waiters that have waited too long. All wait for the same time, so the first one added is due first: one timer does
 * for any number of them, and one that need not wait any longer takes its leave without it.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #limitMs: number;
  #first: Awaited | undefined;
  #last: Awaited | undefined;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** From now on one is waited for. */
  add(one: Awaited): void {
    this.remove(one);
    one.dueAt = this.#clock.monotonic() + this.#limitMs;
    one.earlier = this.#last;
    if (this.#last === undefined) this.#first = one;
    else this.#last.later = one;
    this.#last = one;
    if (this.#timer === undefined && !this.#isClosed) this.#timer = this.#clock.after(this.#limitMs, this.#look);
  }

  /** It came, or nobody waits for it any longer. */
  remove(one: Awaited): void {
    if (one.dueAt < 0) return;
    const { earlier, later } = one;
    if (earlier === undefined) this.#first = later;
    else earlier.later = later;
    if (later === undefined) this.#last = earlier;
    else later.earlier = earlier;
    one.earlier = undefined;
    one.later = undefined;
    one.dueAt = -1;
  }

  /** Nothing expires any more. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  readonly #look = (): void => {
    this.#timer = undefined;
    const now = this.#clock.monotonic();
    for (let one = this.#first; one !== undefined && one.dueAt <= now; one = this.#first) {
      this.remove(one);
      one.late(this.#limitMs);
    }
    if (this.#first !== undefined && this.#timer === undefined && !this.#isClosed)
      this.#timer = this.#clock.after(Math.max(1, this.#first.dueAt - now), this.#look);
  };
}
