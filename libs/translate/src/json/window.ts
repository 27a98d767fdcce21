import { TranslationError } from '../errors.js';
import { SCANNER_CODE } from './scanner-code.js';

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow: (pages: number) => number };
  readonly scan: (length: number, words: number, carry: number) => number;
  readonly skip: (at: number, length: number, words: number, depth: number) => number;
}

interface Engine {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** There is a backslash among the bytes. */
export const HAS_BACKSLASH = 4;

const BLOCK = 64;
const SPACE = 0x20;
const PAGE = 64 * 1024;
/** What two pages hold, with the words of its blocks. */
const FIRST_CAPACITY = 76 * 1024;
/**
 * Words of 32 bits that the scanner leaves per block: tokens, brackets that open, those that close, backslashes, and these
 * with the beginnings of names such as `apiVersion`.
 */
const WORDS_PER_BLOCK = 10;
const BACKSLASH_WORDS = 6;
const API_WORDS = 8;
const BYTES_PER_WORD = 4;

/** A stretch of bytes and where its structure is: `scanner.wat` does the work. */
export class Window {
  /** Most bytes it takes. */
  capacity = FIRST_CAPACITY;
  bytes: Buffer;
  words: Int32Array;
  readonly #code: Exports;

  constructor() {
    this.#code = new engine.Instance(scanner).exports as Exports;
    this.bytes = Buffer.from(this.#code.memory.buffer);
    this.words = new Int32Array(this.#code.memory.buffer, this.capacity);
  }

  /** It had to make room for more than most need. */
  get isGrown(): boolean {
    return this.capacity > FIRST_CAPACITY;
  }

  /** Makes room for so many bytes; what was there is gone. */
  reserve(length: number): void {
    if (length <= this.capacity) return;
    this.capacity = Math.ceil(length / BLOCK) * BLOCK * 2;
    const { memory } = this.#code;
    const words = (this.capacity / BLOCK) * WORDS_PER_BLOCK * BYTES_PER_WORD;
    const pages = Math.ceil((this.capacity + words) / PAGE) - memory.buffer.byteLength / PAGE;
    if (pages > 0) memory.grow(pages);
    this.bytes = Buffer.from(memory.buffer);
    this.words = new Int32Array(memory.buffer, this.capacity);
  }

  /** Finds the structure of the first bytes; takes what the call before gave. */
  scan(length: number, carry: number): number {
    const { bytes } = this;
    // Few bytes: by hand they are filled before a call would have begun.
    for (let at = length, end = Math.ceil(length / BLOCK) * BLOCK; at < end; at += 1) bytes[at] = SPACE;
    return this.#code.scan(length, this.capacity, carry);
  }

  /** The byte after so many containers have ended; below zero, minus one minus how many are open at the end. */
  skip(at: number, length: number, depth: number): number {
    return this.#code.skip(at, length, this.capacity, depth);
  }

  /**
   * The byte after a container that has begun and in which no name begins with `ap`, nor with anything that may stand for
   * it; -1 where there is such a name, or where the end of the container is not here.
   */
  endWithoutApi(at: number, length: number): number {
    const name = nextBit(this.words, API_WORDS, at, length);
    const end = this.#code.skip(at, name, this.capacity, 1);
    return end > name ? -1 : Math.max(end, -1);
  }

  /** Whether there is a backslash among some bytes. */
  hasBackslash(from: number, to: number): boolean {
    const at = nextBit(this.words, BACKSLASH_WORDS, from, to);
    return at < to;
  }
}

/** The next quote of a string, or bracket or comma outside of strings; the length when there is none. */
export function nextToken(words: Int32Array, from: number, length: number): number {
  return nextBit(words, 0, from, length);
}

function nextBit(words: Int32Array, first: number, from: number, length: number): number {
  if (from >= length) return length;
  let index = from >> 5;
  let word = (words[(index >> 1) * WORDS_PER_BLOCK + (index & 1) + first] as number) & (-1 << (from & 31));
  while (word === 0) {
    index += 1;
    if (index << 5 >= length) return length;
    word = words[(index >> 1) * WORDS_PER_BLOCK + (index & 1) + first] as number;
  }
  const at = (index << 5) + 31 - Math.clz32(word & -word);
  return at < length ? at : length;
}

const engine = (globalThis as unknown as { readonly WebAssembly: Engine | undefined }).WebAssembly ?? missing();
const scanner = new engine.Module(Buffer.from(SCANNER_CODE, 'base64'));

function missing(): never {
  throw new TranslationError('UNSUPPORTED', 'this runtime has no WebAssembly: JSON cannot be scanned');
}

const idle: Window[] = [];

/** A window for one caller: reading a text within one may rewrite another document meanwhile. */
export function takeWindow(): Window {
  return idle.pop() ?? new Window();
}

/** Gives a window back; one that had to grow is not kept for good. */
export function giveWindow(window: Window): void {
  if (!window.isGrown) idle.push(window);
}
