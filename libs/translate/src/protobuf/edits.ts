import { varintSize, writeVarint } from './wire.js';

const NOTHING = new Uint8Array(0);

/** Where something with a length in front of it is. */
export interface Delimited {
  readonly lengthAt: number;
  readonly contentAt: number;
  readonly end: number;
}

/** What is to be put in the place of which bytes. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** Notes what is to change in some bytes, in any order. */
export class Edits {
  readonly #edits: Edit[] = [];
  /** By how much the whole grows. */
  #growth = 0;

  get size(): number {
    return this.#edits.length;
  }

  /** Puts bytes in the place of others; gives by how much the whole grows. */
  replace(start: number, end: number, bytes: Uint8Array): number {
    this.#edits.push({ start, end, bytes });
    const growth = bytes.length - (end - start);
    this.#growth += growth;
    return growth;
  }

  /** Takes bytes out; gives by how much the whole grows, which is less than nothing. */
  remove(start: number, end: number): number {
    return this.replace(start, end, NOTHING);
  }

  /** Corrects a length, after its content grew; gives the growth of both. */
  lengthen({ lengthAt, contentAt, end }: Delimited, growth: number): number {
    if (growth === 0) return 0;
    const length = end - contentAt;
    // Bytes that a writer wasted are wasted again, so that the way back leads to the same bytes.
    const wasted = contentAt - lengthAt - varintSize(length);
    const bytes = writeVarint(length + growth, varintSize(length + growth) + wasted);
    return growth + this.replace(lengthAt, contentAt, bytes);
  }

  /** The bytes with everything in its new place. */
  apply(bytes: Buffer): Buffer {
    const out = Buffer.allocUnsafe(bytes.length + this.#growth);
    let from = 0;
    let at = 0;
    for (const { start, end, bytes: text } of this.#edits.sort((one, other) => one.start - other.start)) {
      at = copy(bytes, from, start, { to: out, at });
      at = copy(text, 0, text.length, { to: out, at });
      from = end;
    }
    copy(bytes, from, bytes.length, { to: out, at });
    return out;
  }
}

/** Fewer bytes are copied faster one by one than by a call. */
const FEW = 40;

function copy(source: Uint8Array, from: number, end: number, { to, at }: { to: Buffer; at: number }): number {
  if (end - from > FEW) to.set(source.subarray(from, end), at);
  else for (let index = from; index < end; index += 1) to[at + index - from] = source[index] as number;
  return at + end - from;
}
