/** What was made for each owner, until it would be made from something else. */
export class Remembered<T> {
  readonly #known = new Map<string, { readonly key: string; readonly value: T }>();

  /** The value for a key that identifies all its inputs: the very same object as long as the key is equal. */
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
