import type { Coolable } from './hot-set.js';
import { memoised, type MemoTable } from './memo.js';
import type { Stored } from './stored.js';
import type { StoreEvent, StoreEventType } from './types.js';

/** A committed write as history keeps it. */
export class CommittedEvent implements StoreEvent, Coolable {
  readonly type: StoreEventType;
  readonly current: Stored;
  readonly previous: Stored | undefined;
  readonly timeMs: number;
  heat: 0 | 1 | 2 = 0;
  #memos: MemoTable | undefined = undefined;

  constructor(type: StoreEventType, current: Stored, previous: Stored | undefined, timeMs: number) {
    this.type = type;
    this.current = current;
    this.previous = previous;
    this.timeMs = timeMs;
  }

  get revision(): number {
    return this.current.revision;
  }

  get resource(): string {
    return this.current.resource;
  }

  get namespace(): string {
    return this.current.namespace;
  }

  get name(): string {
    return this.current.name;
  }

  memo<T>(key: string, make: () => T): T {
    this.#memos ??= [];
    const value = memoised(this.#memos, key, make);
    // Once: all its watchers ask at the same moment, and later requests are unrelated to it.
    if (this.heat === 0) this.current.home.hot.admit(this);
    return value;
  }

  cool(): void {
    this.#memos = undefined;
  }
}
