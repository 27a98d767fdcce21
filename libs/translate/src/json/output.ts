import { TranslationError } from '../errors.js';

/** Most bytes held back at any time: one string and the beginning of one filtered element together. */
export const HOLD_LIMIT = 64 * 1024;

const COMMA = 0x2c;
/** Room for names that grow. */
const SLACK = 256;
/** No bytes at all. */
export const NOTHING: Buffer = Buffer.alloc(0);

/** Where bytes go: out, held back until the verdict on an element, or nowhere while one is left out. */
export class Output {
  /** The most that was ever held back. */
  peak = 0;
  #bytes: Buffer = NOTHING;
  #size = 0;
  #expected = 0;
  /** Where the held part begins; -1 when nothing is held back. */
  #mark = -1;
  #isDropping = false;
  /** Whether the list being filtered has kept an element yet. */
  #hasElements = false;

  get isHolding(): boolean {
    return this.#mark >= 0;
  }

  get isDropping(): boolean {
    return this.#isDropping;
  }

  /** Nothing came so far: bytes that stay as they are need no copy. */
  get isIdle(): boolean {
    return this.#size === 0 && this.#mark < 0 && !this.#isDropping;
  }

  /** So many bytes are about to come. */
  expect(length: number): void {
    this.#expected = length;
  }

  /** Takes bytes that stay as they are. */
  copy(source: Buffer, from: number, to: number): void {
    if (to <= from || this.#isDropping) return;
    this.#reserve(to - from);
    this.#size += source.copy(this.#bytes, this.#size, from, to);
  }

  /** Takes bytes that take the place of others. */
  write(bytes: Uint8Array): void {
    if (this.#isDropping) return;
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  /** What is ready since the last call; the rest is held back, together with `more` bytes that the caller holds. */
  take(more: number): Uint8Array | undefined {
    const bytes = this.#bytes;
    const ready = this.#mark < 0 ? this.#size : this.#mark;
    const held = this.#size - ready;
    if (held + more > this.peak) this.peak = held + more;
    if (held > 0 && held + more > HOLD_LIMIT)
      throw new TranslationError('TOO_LARGE', `the first ${HOLD_LIMIT} bytes of an element do not name its API group`);
    this.#bytes = held === 0 ? NOTHING : Buffer.from(bytes.subarray(ready, this.#size));
    this.#size = held;
    if (this.#mark >= 0) this.#mark = 0;
    return ready === 0 ? undefined : bytes.subarray(0, ready);
  }

  /** A list begins whose elements are filtered. */
  beginList(): void {
    this.#hasElements = false;
  }

  /** Holds everything back from here on: an element begins, with what separates it from the one before. */
  hold(): void {
    this.#mark = this.#size;
    this.#isDropping = false;
  }

  /** The element stays, or there was none: what was held goes out. */
  keep(isElement: boolean): void {
    const mark = this.#mark;
    if (mark < 0) return;
    this.#mark = -1;
    if (!isElement) return;
    // The elements before it were left out, and their separators with them.
    if (!this.#hasElements && this.#size > mark && this.#bytes[mark] === COMMA) {
      this.#bytes.copyWithin(mark, mark + 1, this.#size);
      this.#size -= 1;
    }
    this.#hasElements = true;
  }

  /** The element is left out, to its end. */
  drop(): void {
    if (this.#mark >= 0) this.#size = this.#mark;
    this.#mark = -1;
    this.#isDropping = true;
  }

  /** Whatever was left out is over. */
  resume(): void {
    this.#isDropping = false;
  }

  #reserve(more: number): void {
    const needed = this.#size + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(
      Math.max(needed + SLACK, this.#expected + (this.#expected >> 3) + SLACK, this.#bytes.length * 2),
    );
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}
