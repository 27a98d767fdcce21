/** Lets so many through at once, so many wait, and turns the others away. */
export class Gate {
  readonly #limit: number;
  readonly #queueLimit: number;
  readonly #waiting: { readonly enter: () => void }[] = [];
  #inside = 0;

  constructor(limit: number, queueLimit: number) {
    this.#limit = limit;
    this.#queueLimit = queueLimit;
  }

  get inside(): number {
    return this.#inside;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Does the work when it is its turn; `full` at once when too many wait, `left` when the caller gave up waiting. */
  async pass<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | 'full' | 'left'> {
    if (this.#inside >= this.#limit) {
      if (this.#waiting.length >= this.#queueLimit) return 'full';
      if (!(await this.#turn(signal))) return 'left';
    } else {
      this.#inside += 1;
    }
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #turn(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const onAbort = (): void => {
        const at = this.#waiting.indexOf(waiter);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve(false);
      };
      const waiter = {
        enter: (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve(true);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiter);
    });
  }

  /** The place goes straight to the one who waits longest, so nobody slips in between. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#inside -= 1;
    else next.enter();
  }
}
