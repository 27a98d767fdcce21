/** Something on a roster. */
export interface Listed {
  /** Where the roster keeps it. */
  place: number;
}

/**
 * Things that come and go all the time. A Set makes itself a new table again and again; the old ones, long since in the
 * old generation, point to the new ones with all that was in them, and nothing of that is collected with the young.
 */
export class Roster<T extends Listed> implements Iterable<T> {
  readonly #list: T[] = [];

  get size(): number {
    return this.#list.length;
  }

  add(one: T): void {
    one.place = this.#list.length;
    this.#list.push(one);
  }

  /** Takes one that is on it. */
  remove(one: T): void {
    const last = this.#list.pop();
    if (last === undefined || last === one) return;
    this.#list[one.place] = last;
    last.place = one.place;
  }

  /** Those of this moment: they may leave while they are gone through. */
  [Symbol.iterator](): Iterator<T> {
    return [...this.#list].values();
  }
}
