/** A place in the order of work. */
export interface HeapEntry {
  readonly priority: number;
  /** Breaks ties: the lower came first. */
  readonly order: number;
}

function before(a: HeapEntry, b: HeapEntry): boolean {
  return a.priority === b.priority ? a.order < b.order : a.priority > b.priority;
}

/** Entries by priority, highest first, and first come first served within one. */
export class PriorityHeap<E extends HeapEntry> {
  readonly #entries: E[] = [];

  get size(): number {
    return this.#entries.length;
  }

  peek(): E | undefined {
    return this.#entries[0];
  }

  push(entry: E): void {
    const entries = this.#entries;
    let at = entries.length;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = entries[parentAt] as E;
      if (!before(entry, parent)) break;
      entries[at] = parent;
      at = parentAt;
    }
    entries[at] = entry;
  }

  pop(): E | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (last !== undefined && entries.length > 0) this.#sink(last);
    return first;
  }

  #sink(entry: E): void {
    const entries = this.#entries;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= entries.length) break;
      if (child + 1 < entries.length && before(entries[child + 1] as E, entries[child] as E)) child += 1;
      if (!before(entries[child] as E, entry)) break;
      entries[at] = entries[child] as E;
      at = child;
    }
    entries[at] = entry;
  }
}
