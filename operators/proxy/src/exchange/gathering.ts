const GATHERED_BYTES = 64 * 1024;
/** Kept for the next; more are left to the collector. */
const MAX_IDLE = 4;

const idle: Buffer[] = [];

/** Puts small pieces of bytes together into one. */
export class Gathering {
  #buffer: Buffer | undefined;
  #size = 0;

  /** Takes as much of a chunk as there is room for; gives how much that was. */
  take(chunk: Buffer, from: number): number {
    this.#buffer ??= idle.pop() ?? Buffer.allocUnsafeSlow(GATHERED_BYTES);
    const taken = chunk.copy(this.#buffer, this.#size, from);
    this.#size += taken;
    return taken;
  }

  get isFull(): boolean {
    return this.#size === GATHERED_BYTES;
  }

  /** What was gathered; undefined when nothing was. */
  bytes(): Buffer | undefined {
    return this.#size === 0 ? undefined : this.#buffer?.subarray(0, this.#size);
  }

  /** What was gathered has been used; whether nobody holds on to it. */
  done(isFree: boolean): void {
    if (isFree && this.#buffer !== undefined && idle.length < MAX_IDLE) idle.push(this.#buffer);
    this.#buffer = undefined;
    this.#size = 0;
  }

  /** What was gathered is of no use; nobody has seen it. */
  drop(): void {
    this.done(true);
  }
}
