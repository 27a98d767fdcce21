/** Remembers, of texts, what was asked for lately, and forgets the rest in two steps. */
export class Recently<V> {
  readonly #limit: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  /** Holds at least the last `limit` entries and less than twice as many. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
