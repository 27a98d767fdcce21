import type { Clock, Random } from '@capstan/meta';

const FIRST_MS = 800;
const LONGEST_MS = 30_000;
const FORGET_AFTER_MS = 120_000;

/** Delays between attempts to list and watch: 0.8 s doubling to 30 s, up to doubled by chance, forgotten after 2 quiet minutes. */
export class Backoff {
  readonly #clock: Clock;
  readonly #random: Random;
  #nextMs = FIRST_MS;
  #last = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  next(): number {
    const now = this.#clock.monotonic();
    if (now - this.#last > FORGET_AFTER_MS) this.#nextMs = FIRST_MS;
    this.#last = now;
    const delay = this.#nextMs;
    this.#nextMs = Math.min(this.#nextMs * 2, LONGEST_MS);
    return delay * (1 + this.#random.next());
  }
}
