import type { Turns } from './turns.js';

/** What packages take instead of ambient clocks and randomness, so that a simulation can own time and chance. */

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never go back, for measuring. */
  monotonic(): number;
  /** Calls back once after at least `delayMs`. */
  after(delayMs: number, callback: () => void): Timer;
  /** How long work shares the thread with others; absent where time does not pass by itself: it runs to its end. */
  readonly turns?: Turns | undefined;
}

/** A seeded stream of chance. `split` gives an independent stream, so that a new draw here shifts nothing there. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, bound). */
  below(bound: number): number;
  bytes(length: number): Uint8Array;
  split(name: string): Random;
}
