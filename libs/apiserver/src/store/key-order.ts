import { compareKeys } from './keys.js';
import type { Stored } from './stored.js';

/** Small enough that an insertion moves little, large enough that there are few chunks to search. */
const chunkSize = 512;

/** A place between entries; valid until the next change. */
export interface Position {
  readonly chunk: number;
  readonly index: number;
}

/** The place of one key, which the latest version is put into. */
export class Slot {
  stored: Stored;

  constructor(stored: Stored) {
    this.stored = stored;
  }
}

/** The latest versions of one resource in key order: a sorted array cut into chunks. No chunk is ever empty. */
export class KeyOrder {
  #chunks: Slot[][];

  constructor(chunks: Slot[][] = []) {
    this.#chunks = chunks;
  }

  /** The same order with places of its own, which the visitor is shown. */
  clone(visit: (slot: Slot) => void): KeyOrder {
    const copied = ({ stored }: Slot): Slot => {
      const slot = new Slot(stored);
      visit(slot);
      return slot;
    };
    return new KeyOrder(this.#chunks.map((chunk) => chunk.map(copied)));
  }

  /** Adds a key that is not there yet. Gives its place. */
  insert(stored: Stored): Slot {
    const slot = new Slot(stored);
    const last = this.#chunks.at(-1);
    const end = last?.at(-1);
    if (last === undefined || end === undefined || compareKeys(end.stored, stored) < 0) {
      // Ascending creation fills chunks to the brim instead of splitting them in half.
      if (last === undefined || last.length >= chunkSize) this.#chunks.push([slot]);
      else last.push(slot);
      return slot;
    }
    const { chunk, index } = this.#find(stored);
    const target = this.#chunks[chunk] ?? last;
    target.splice(index, 0, slot);
    if (target.length > chunkSize) this.#chunks.splice(chunk + 1, 0, target.splice(chunkSize >> 1));
    return slot;
  }

  /** Takes out the entry with this key. */
  remove(stored: Stored): void {
    const { chunk, index } = this.#find(stored);
    const target = this.#chunks[chunk];
    if (target === undefined) return;
    if (target.length === 1) this.#chunks.splice(chunk, 1);
    else target.splice(index, 1);
  }

  /** The first place whose entry does not lie before; `isBefore` must hold for a prefix of the order. */
  seek(isBefore: (stored: Stored) => boolean): Position {
    const chunks = this.#chunks;
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const last = chunks[middle]?.at(-1);
      if (last !== undefined && isBefore(last.stored)) low = middle + 1;
      else high = middle;
    }
    const chunk = low;
    const entries = chunks[chunk];
    if (entries === undefined) return { chunk, index: 0 };
    low = 0;
    high = entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = entries[middle];
      if (entry !== undefined && isBefore(entry.stored)) low = middle + 1;
      else high = middle;
    }
    return { chunk, index: low };
  }

  start(): Position {
    return { chunk: 0, index: 0 };
  }

  end(): Position {
    return { chunk: this.#chunks.length, index: 0 };
  }

  /** How many entries lie between two places. */
  distance(from: Position, to: Position): number {
    let count = to.index - from.index;
    for (let chunk = from.chunk; chunk < to.chunk; chunk++) count += this.#chunks[chunk]?.length ?? 0;
    return count;
  }

  /** Visits the entries between two places until the visitor returns stop; gives the place behind the last one visited. */
  walk(from: Position, to: Position, visit: (stored: Stored) => boolean): Position {
    for (let chunk = from.chunk; chunk <= to.chunk; chunk++) {
      const entries = this.#chunks[chunk];
      if (entries === undefined) break;
      const stop = chunk === to.chunk ? to.index : entries.length;
      for (let index = chunk === from.chunk ? from.index : 0; index < stop; index++) {
        const entry = entries[index];
        if (entry !== undefined && !visit(entry.stored)) return { chunk, index: index + 1 };
      }
    }
    return to;
  }

  /** The entries between two places. */
  slice(from: Position, to: Position): Stored[] {
    const entries: Stored[] = [];
    this.walk(from, to, (stored) => {
      entries.push(stored);
      return true;
    });
    return entries;
  }

  #find(stored: Stored): Position {
    return this.seek((entry) => compareKeys(entry, stored) < 0);
  }
}
