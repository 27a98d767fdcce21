/** Something that can drop what it is able to compute again. `heat` belongs to the {@link HotSet}. */
export interface Coolable {
  /** 0 = not in the set, 1 = in it, 2 = in it and used since it was last looked at. */
  heat: 0 | 1 | 2;
  cool(): void;
}

/**
 * Newcomers pass through quickly: most are never looked at again, and what is dropped this soon is still in the young
 * part of the heap, where dropping costs nothing.
 */
const maxNewcomers = 256;

/**
 * Bounds how many entries keep recomputable forms. Newcomers wait in a short queue; who is used again while waiting
 * stays, among regulars kept by the CLOCK approximation of least-recently-used. Hence neither a burst of writes nor a
 * walk through everything drives out what is in use. It never changes what anybody observes, only what it costs.
 */
export class HotSet {
  readonly #newcomers: Coolable[] = [];
  readonly #regulars: Coolable[] = [];
  readonly #newcomerLimit: number;
  readonly #regularLimit: number;
  #oldest = 0;
  #hand = 0;

  constructor(capacity: number) {
    this.#newcomerLimit = Math.max(1, Math.min(maxNewcomers, capacity >> 2));
    this.#regularLimit = Math.max(0, capacity - this.#newcomerLimit);
  }

  /** Counts the entry as used, taking it in when it is not there yet. */
  admit(entry: Coolable): void {
    if (entry.heat !== 0) {
      entry.heat = 2;
      return;
    }
    entry.heat = 1;
    if (this.#newcomers.length < this.#newcomerLimit) {
      this.#newcomers.push(entry);
      return;
    }
    const oldest = this.#newcomers[this.#oldest];
    this.#newcomers[this.#oldest] = entry;
    this.#oldest = this.#oldest + 1 === this.#newcomerLimit ? 0 : this.#oldest + 1;
    if (oldest?.heat === 2 && this.#regularLimit > 0) this.#keep(oldest);
    else if (oldest !== undefined) drop(oldest);
  }

  #keep(entry: Coolable): void {
    entry.heat = 1;
    if (this.#regulars.length < this.#regularLimit) {
      this.#regulars.push(entry);
      return;
    }
    for (;;) {
      const hand = this.#hand;
      const candidate = this.#regulars[hand];
      this.#hand = hand + 1 === this.#regularLimit ? 0 : hand + 1;
      if (candidate?.heat === 2) {
        candidate.heat = 1;
        continue;
      }
      this.#regulars[hand] = entry;
      if (candidate !== undefined) drop(candidate);
      return;
    }
  }
}

function drop(entry: Coolable): void {
  entry.heat = 0;
  entry.cool();
}
