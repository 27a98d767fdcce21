import type { Random } from '@capstan/meta';

/** Choices of a seeded random source. */
export class Dice {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** True so often, of a hundred. */
  percent(chance: number): boolean {
    return this.#random.below(100) < chance;
  }

  one<T>(from: readonly T[]): T {
    return from[this.#random.below(from.length)] as T;
  }

  below(bound: number): number {
    return this.#random.below(bound);
  }
}
