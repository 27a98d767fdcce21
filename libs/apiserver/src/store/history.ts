import type { HistoryLimits, StoreEvent } from './types.js';

/** The last events of one resource in revision order, in a ring that grows as needed. */
export class History {
  /** The oldest revision whose following events are all here; state and events from there on can be read. */
  floor: number;
  #ring: (StoreEvent | undefined)[];
  #head = 0;
  #length = 0;

  constructor(floor: number, capacity = 16) {
    this.floor = floor;
    this.#ring = new Array<StoreEvent | undefined>(capacity);
  }

  get length(): number {
    return this.#length;
  }

  clone(): History {
    const copy = new History(this.floor, this.#ring.length);
    copy.#ring = this.#ring.slice();
    copy.#head = this.#head;
    copy.#length = this.#length;
    return copy;
  }

  push(event: StoreEvent): void {
    const ring = this.#ring;
    if (this.#length === ring.length) {
      this.#ring = this.since(this.floor);
      this.#ring.length = ring.length * 2;
      this.#head = 0;
    }
    // The capacity is a power of two.
    this.#ring[(this.#head + this.#length) & (this.#ring.length - 1)] = event;
    this.#length++;
  }

  /** Lets go of what the limits do not keep. */
  trim(limits: HistoryLimits, now: number): void {
    while (this.#length > limits.minEvents) {
      const first = this.#at(0);
      if (first === undefined) return;
      if (this.#length <= limits.maxEvents && now - first.timeMs <= limits.minAgeMs) return;
      this.#dropFirst(first);
    }
  }

  /** Lets go of every event up to and including the revision. */
  compact(revision: number): void {
    for (let first = this.#at(0); first !== undefined && first.revision <= revision; first = this.#at(0)) {
      this.#dropFirst(first);
    }
    this.floor = Math.max(this.floor, revision);
  }

  /** The events after the revision, oldest first. */
  since(revision: number): StoreEvent[] {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const event = this.#at(middle);
      if (event !== undefined && event.revision <= revision) low = middle + 1;
      else high = middle;
    }
    const events: StoreEvent[] = [];
    for (let index = low; index < this.#length; index++) {
      const event = this.#at(index);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  #at(index: number): StoreEvent | undefined {
    return index < this.#length ? this.#ring[(this.#head + index) & (this.#ring.length - 1)] : undefined;
  }

  #dropFirst(first: StoreEvent): void {
    this.#ring[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#ring.length - 1);
    this.#length--;
    this.floor = first.revision;
  }
}
