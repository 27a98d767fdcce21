/**
 * Remembers what was asked for lately, objects by identity, and forgets the rest in two steps. Not a WeakMap: what one of those
 * holds outlives every collection of the young part of the heap, so that each write left garbage in the old one.
 */
export class Recent<K extends object | string, V> {
  readonly #limit: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** Holds at least the last `limit` entries and less than twice as many. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#limit && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
