/** Something that can drop what it is able to compute again. `heat` belongs to the {@link HotSet}. */
export interface Coolable {
  /** 0 = not in the set, 1 = in it, 2 = in it and used since the hand last passed. */
  heat: 0 | 1 | 2;
  cool(): void;
}

/**
 * Bounds how many entries keep recomputable forms: the CLOCK approximation of least-recently-used. A use costs one
 * field write, an admission one step of the hand on average. It never changes what anybody observes, only what it costs.
 */
export class HotSet {
  readonly #capacity: number;
  readonly #ring: Coolable[] = [];
  #hand = 0;

  constructor(capacity: number) {
    this.#capacity = Math.max(1, capacity);
  }

  /** Counts the entry as used, taking it in when it is not there yet. */
  admit(entry: Coolable): void {
    if (entry.heat !== 0) {
      entry.heat = 2;
      return;
    }
    entry.heat = 1;
    if (this.#ring.length < this.#capacity) {
      this.#ring.push(entry);
      return;
    }
    for (;;) {
      const hand = this.#hand;
      const candidate = this.#ring[hand];
      this.#hand = hand + 1 === this.#capacity ? 0 : hand + 1;
      if (candidate?.heat === 2) {
        candidate.heat = 1;
        continue;
      }
      this.#ring[hand] = entry;
      if (candidate !== undefined) {
        candidate.heat = 0;
        candidate.cool();
      }
      return;
    }
  }
}
