/**
 * The time for which a CRD does not change. What was opened under it ends with it: a client that watches has to
 * list again, and so meets the schema, the columns and the versions that hold from then on.
 */
export class Tenure {
  readonly #listeners = new Set<() => void>();
  #isOver = false;

  /** Calls the listener at the end, at once where that is past; gives the way to take it back. */
  onEnd(listener: () => void): () => void {
    if (this.#isOver) listener();
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends it; every listener is called once. */
  end(): void {
    this.#isOver = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
