import { TranslationError } from '../errors.js';

/** Most bytes held back at any time: one string and the beginning of one judged element together. */
export const HOLD_LIMIT = 64 * 1024;

const COMMA = 0x2c;

/** Where bytes go: out, held back until an element is judged, or nowhere while one is left out. */
export class Output {
  /** The most that was ever held back. */
  peak = 0;
  #out: Uint8Array[] = [];
  #held: Uint8Array[] | undefined;
  #heldSize = 0;
  #isDropping = false;
  /** Whether the list being judged has let an element out yet. */
  #hasElements = false;

  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  get isDropping(): boolean {
    return this.#isDropping;
  }

  /** What came out since the last call. */
  take(): Uint8Array[] {
    const taken = this.#out;
    this.#out = [];
    return taken;
  }

  emit(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#isDropping) return;
    if (this.#held === undefined) {
      this.#out.push(bytes);
      return;
    }
    this.#held.push(bytes);
    this.#heldSize += bytes.length;
    this.note(0);
  }

  /** Counts what is held back, with so much more that somebody else holds. */
  note(more: number): void {
    const size = this.#heldSize + more;
    if (size > this.peak) this.peak = size;
    if (size > HOLD_LIMIT)
      throw new TranslationError('TOO_LARGE', `nothing in the first ${HOLD_LIMIT} bytes of an element tells whose it is`);
  }

  /** A list begins whose elements are judged. */
  beginList(): void {
    this.#hasElements = false;
  }

  /** Holds everything back from here on: an element begins, with what separates it from the one before. */
  hold(): void {
    this.#held = [];
    this.#heldSize = 0;
    this.#isDropping = false;
  }

  /** The element stays, or there was none: what was held goes out. */
  keep(isElement: boolean): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    this.#heldSize = 0;
    const first = held[0];
    // The elements before it were left out, and their separators with them.
    if (isElement && !this.#hasElements && first?.[0] === COMMA) held[0] = first.subarray(1);
    if (isElement) this.#hasElements = true;
    for (const bytes of held) if (bytes.length > 0) this.#out.push(bytes);
  }

  /** The element is left out, to its end. */
  drop(): void {
    this.#held = undefined;
    this.#heldSize = 0;
    this.#isDropping = true;
  }

  /** Whatever was left out is over. */
  resume(): void {
    this.#isDropping = false;
  }
}
