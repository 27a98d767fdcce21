import type { Route } from '@capstan/translate';
import type { ProxyContext } from './context.js';
import type { Awaited, Deadlines } from './deadlines.js';

/** Within this time the body of a request must end, or bring the bytes below. */
export const BODY_WINDOW_MS = 30_000;
/** As much of a body as must come within one window: 2 KiB a second. */
export const BODY_WINDOW_BYTES = 64 * 1024;

/** Enforces the pace of a body: a client that sends one byte at a time would hold memory and a connection for ever. */
export class BodyPace implements Awaited {
  dueAt = -1;
  earlier: Awaited | undefined;
  later: Awaited | undefined;
  readonly #deadlines: Deadlines;
  readonly #onLate: (limitMs: number) => void;
  #bytes = 0;

  constructor(deadlines: Deadlines, onLate: (limitMs: number) => void) {
    this.#deadlines = deadlines;
    this.#onLate = onLate;
    deadlines.add(this);
  }

  /** So many bytes came. */
  took(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Nothing more is waited for. */
  stop(): void {
    this.#deadlines.remove(this);
  }

  late(limitMs: number): void {
    if (this.#bytes < BODY_WINDOW_BYTES) {
      this.#onLate(limitMs);
      return;
    }
    this.#bytes = 0;
    this.#deadlines.add(this);
  }
}

/** What goes to a pod as it is may take its time. */
export function bodyDeadlinesOf({ bodyDeadlines }: ProxyContext, route: Route): Deadlines | undefined {
  return route.class === 'passthrough' ? undefined : bodyDeadlines;
}
