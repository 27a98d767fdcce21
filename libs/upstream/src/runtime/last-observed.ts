import type { Result } from '@capstan/kube';
import type { Clock } from '@capstan/meta';

/** Every object is reconciled again after this long, whatever is known: some things change by time alone. */
const LONGEST_MS = 9 * 60_000;
/** Nothing has to be done, and nothing to be requeued. */
const NOTHING: Result = {};

interface Look {
  readonly found: readonly unknown[];
  /** Until when it counts. */
  readonly until: number;
  /** When another look was asked for. */
  readonly next: number | undefined;
}

/**
 * The inputs that decisions about objects were last based on, by key. A controller receives events for its own writes
 * as well as for those of others; when all inputs are as it left them, there is nothing to decide again.
 */
export class LastObserved {
  readonly #clock: Clock;
  readonly #looks = new Map<string, Look>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The requeue when every observed value is the same as last time; undefined when the object is to be reconciled. */
  restOf(key: string, found: readonly unknown[]): Result | undefined {
    const look = this.#looks.get(key);
    if (look === undefined) return undefined;
    const now = this.#clock.monotonic();
    if (now < look.until && isSame(look.found, found))
      return look.next === undefined ? NOTHING : { requeueAfterMs: look.next - now };
    this.#looks.delete(key);
    return undefined;
  }

  /** Whether this is the first value observed for an object, so that its event reports nothing new. */
  isFirst(key: string, found: unknown): boolean {
    return this.#looks.get(key)?.found[0] === found;
  }

  /** Remembers what an object was left with, and when it is to be reconciled again. */
  remember(key: string, found: readonly unknown[], { requeueAfterMs = 0 }: Result = NOTHING): void {
    const now = this.#clock.monotonic();
    const next = requeueAfterMs > 0 ? now + requeueAfterMs : undefined;
    this.#looks.set(key, { found, until: Math.min(next ?? Number.POSITIVE_INFINITY, now + LONGEST_MS), next });
  }

  /** The next look counts. */
  forget(key: string): void {
    this.#looks.delete(key);
  }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}
