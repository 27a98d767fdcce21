import { hash, randomBytes } from 'node:crypto';
import type { Random } from '@capstan/meta';

/** Chance from the system, or a reproducible stream when a seed is given. */
export function systemRandom(seed?: number | string): Random {
  return seed === undefined ? new SystemRandom() : new SeededRandom(`seed:${seed}`);
}

const UINT32 = 2 ** 32;
const POOL_BYTES = 4096;

function fromUint32(high: number, low: number): number {
  // 53 bits, as Math.random has.
  return ((high >>> 5) * 67_108_864 + (low >>> 6)) / 9_007_199_254_740_992;
}

class SystemRandom implements Random {
  /** Small draws share one call into the system. */
  #pool: Uint8Array = new Uint8Array(0);
  #at = 0;

  next(): number {
    return fromUint32(this.#word(), this.#word());
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  bytes(length: number): Uint8Array {
    if (length > POOL_BYTES / 4) return new Uint8Array(randomBytes(length));
    const at = this.#take(length);
    // Copied out: a pool shared with the caller would live as long as the caller's bytes.
    return this.#pool.slice(at, at + length);
  }

  split(): Random {
    return new SystemRandom();
  }

  #word(): number {
    const at = this.#take(4);
    const pool = this.#pool;
    return (
      (((pool[at] ?? 0) | ((pool[at + 1] ?? 0) << 8) | ((pool[at + 2] ?? 0) << 16) | ((pool[at + 3] ?? 0) << 24)) +
        UINT32) >>>
      0
    );
  }

  /** Where the next bytes of the pool begin. */
  #take(length: number): number {
    if (this.#at + length > this.#pool.length) {
      this.#pool = new Uint8Array(randomBytes(POOL_BYTES));
      this.#at = 0;
    }
    const at = this.#at;
    this.#at += length;
    return at;
  }
}

/** sfc32, its four words taken from a hash of the seed, so that near seeds give unrelated streams. */
class SeededRandom implements Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(seed: string) {
    const digest = hash('sha256', seed, 'buffer');
    this.#seed = seed;
    this.#a = digest.readInt32LE(0);
    this.#b = digest.readInt32LE(4);
    this.#c = digest.readInt32LE(8);
    this.#counter = digest.readInt32LE(12);
  }

  next(): number {
    return fromUint32(this.#word(), this.#word());
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  bytes(length: number): Uint8Array {
    const out = new Uint8Array(length);
    let word = 0;
    for (let index = 0; index < length; index += 1) {
      if (index % 4 === 0) word = this.#word();
      out[index] = (word >>> ((index % 4) * 8)) & 0xff;
    }
    return out;
  }

  /** Depends on the seed and the name alone, never on what was drawn before. */
  split(name: string): Random {
    return new SeededRandom(`${this.#seed}/${JSON.stringify(name)}`);
  }

  #word(): number {
    const t = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
    return (t + UINT32) >>> 0;
  }
}
