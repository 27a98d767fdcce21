/** What was made for each owner, until it would be made from something else. */
export class Remembered<T> {
  readonly #known = new Map<string, { readonly key: string; readonly value: T }>();

  /** What is made from what the key tells in full: the very same as long as the key is. */
  of(owner: string, key: string, make: () => T): T {
    const known = this.#known.get(owner);
    if (known?.key === key) return known.value;
    const value = make();
    this.#known.set(owner, { key, value });
    return value;
  }

  forget(owner: string): void {
    this.#known.delete(owner);
  }
}
