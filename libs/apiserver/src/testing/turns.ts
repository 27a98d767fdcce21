import type { Turns } from '@capstan/meta';

/** Turns that are over at every look while the test wants it, and come one at a time when it does. */
export class HandTurns implements Turns {
  areShort = false;
  #waiting: (() => void)[] = [];

  isOver(): boolean {
    return this.areShort;
  }

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Gives the first of them its turn; false when nobody waits. */
  async give(): Promise<boolean> {
    const first = this.#waiting.shift();
    await this.during(async () => {
      first?.();
      await new Promise((resolve) => setImmediate(resolve));
    });
    return first !== undefined;
  }

  /** Has work give way at every look that begins or goes on meanwhile. */
  async during<T>(act: () => T | Promise<T>): Promise<T> {
    this.areShort = true;
    try {
      return await act();
    } finally {
      this.areShort = false;
    }
  }

  /** Gives turns until nobody waits. */
  async giveAll(): Promise<number> {
    let count = 0;
    while (await this.give()) count += 1;
    return count;
  }
}
