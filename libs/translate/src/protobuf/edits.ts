import { varintSize, writeVarint } from './wire.js';

const NOTHING = new Uint8Array(0);

/** Where something with a length in front of it is. */
export interface Delimited {
  readonly lengthAt: number;
  readonly contentAt: number;
  readonly end: number;
}

/** What is to be put in the place of which bytes, from the first to the last. */
export class Edits {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #texts: Uint8Array[] = [];
  /** By how much the whole grows. */
  #growth = 0;

  get size(): number {
    return this.#starts.length;
  }

  /** Puts bytes in the place of others; gives by how much the whole grows. */
  replace(start: number, end: number, bytes: Uint8Array): number {
    this.#starts.push(start);
    this.#ends.push(end);
    this.#texts.push(bytes);
    const growth = bytes.length - (end - start);
    this.#growth += growth;
    return growth;
  }

  /** Takes bytes out; gives by how much the whole grows, which is less than nothing. */
  remove(start: number, end: number): number {
    return this.replace(start, end, NOTHING);
  }

  /** Keeps a place for the length of a message whose content comes next. */
  beginMessage(): number {
    this.#starts.push(0);
    this.#ends.push(0);
    this.#texts.push(NOTHING);
    return this.size - 1;
  }

  /** Writes the length, now that it is known by how much the content grew; gives the growth of both. */
  endMessage(place: number, { lengthAt, contentAt, end }: Delimited, growth: number): number {
    if (this.size === place + 1) {
      this.#starts.pop();
      this.#ends.pop();
      this.#texts.pop();
      return 0;
    }
    const width = contentAt - lengthAt;
    const length = end - contentAt;
    // Bytes that a writer wasted are wasted again, so that the way back leads to the same bytes.
    const wasted = width - varintSize(length);
    const bytes = writeVarint(length + growth, varintSize(length + growth) + wasted);
    this.#starts[place] = lengthAt;
    this.#ends[place] = contentAt;
    this.#texts[place] = bytes;
    this.#growth += bytes.length - width;
    return growth + bytes.length - width;
  }

  /** The bytes with everything in its new place. */
  apply(bytes: Buffer): Buffer {
    const out = Buffer.allocUnsafe(bytes.length + this.#growth);
    let from = 0;
    let at = 0;
    for (let index = 0; index < this.size; index += 1) {
      const start = this.#starts[index] as number;
      const text = this.#texts[index] as Uint8Array;
      at += bytes.copy(out, at, from, start);
      out.set(text, at);
      at += text.length;
      from = this.#ends[index] as number;
    }
    bytes.copy(out, at, from);
    return out;
  }
}
