/** Remembers what was found out lately of two things, by their identities; forgets the rest in two steps. */
export class PairMemo<A extends object, B extends object, R> {
  readonly #limit: number;
  #young = new Map<A, Map<B, R>>();
  #old = new Map<A, Map<B, R>>();
  #count = 0;

  /** Holds at least the last `limit` results and less than twice as many. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(a: A, b: B): R | undefined {
    const young = this.#young.get(a)?.get(b);
    if (young !== undefined) return young;
    const old = this.#old.get(a)?.get(b);
    if (old !== undefined) this.set(a, b, old);
    return old;
  }

  set(a: A, b: B, result: R): void {
    if (this.#count >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#count = 0;
    }
    let results = this.#young.get(a);
    if (results === undefined) this.#young.set(a, (results = new Map()));
    results.set(b, result);
    this.#count++;
  }
}
