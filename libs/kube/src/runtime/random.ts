import { createHash, randomBytes } from 'node:crypto';
import type { Random } from '@capstan/meta';

/** Chance from the system, or a reproducible stream when a seed is given. */
export function systemRandom(seed?: number | string): Random {
  return seed === undefined ? new SystemRandom() : new SeededRandom(`seed:${seed}`);
}

const UINT32 = 2 ** 32;

function fromUint32(high: number, low: number): number {
  // 53 bits, as Math.random has.
  return ((high >>> 5) * 67_108_864 + (low >>> 6)) / 9_007_199_254_740_992;
}

class SystemRandom implements Random {
  /** Small draws share one call into the system. */
  #pool = Buffer.alloc(0);
  #at = 0;

  next(): number {
    return fromUint32(this.#word(), this.#word());
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  bytes(length: number): Uint8Array {
    return new Uint8Array(randomBytes(length));
  }

  split(): Random {
    return new SystemRandom();
  }

  #word(): number {
    if (this.#at + 4 > this.#pool.length) {
      this.#pool = randomBytes(1024);
      this.#at = 0;
    }
    const word = this.#pool.readUInt32LE(this.#at);
    this.#at += 4;
    return word;
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
    const hash = createHash('sha256').update(seed).digest();
    this.#seed = seed;
    this.#a = hash.readInt32LE(0);
    this.#b = hash.readInt32LE(4);
    this.#c = hash.readInt32LE(8);
    this.#counter = hash.readInt32LE(12);
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
