import type { Clock } from '@capstan/meta';
import { sleep } from '../runtime/clock.js';
import { RuntimeError } from '../runtime/errors.js';

/** In whose time somebody waits, how long at most, and how often they look meanwhile. */
export interface Patience {
  readonly clock: Clock;
  readonly limitMs: number;
  readonly everyMs: number;
  /** Lets time go by where nobody else does. Default: it goes by itself. */
  readonly pass?: ((ms: number) => Promise<unknown>) | undefined;
}

/** Looks until something is found, and gives it; `undefined` and `false` are nothing. */
export function waitUntil<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  patience: Patience,
): Promise<T> {
  const isFound = (seen: T | undefined | false): seen is T => seen !== undefined && seen !== false;
  return waitToSee(what, look, isFound, patience);
}

/** Looks until what is seen will do, and gives it; fails with what was seen last. */
export function waitToSee<T, Good extends T>(
  what: string,
  look: () => Promise<T> | T,
  willDo: (seen: T) => seen is Good,
  patience: Patience,
): Promise<Good>;
export function waitToSee<T>(
  what: string,
  look: () => Promise<T> | T,
  willDo: (seen: T) => boolean,
  patience: Patience,
): Promise<T>;
export async function waitToSee<T>(
  what: string,
  look: () => Promise<T> | T,
  willDo: (seen: T) => boolean,
  { clock, everyMs, limitMs, pass = (ms) => sleep(clock, ms) }: Patience,
): Promise<T> {
  const end = clock.monotonic() + limitMs;
  for (;;) {
    const seen = await look();
    if (willDo(seen)) return seen;
    if (clock.monotonic() >= end)
      throw new RuntimeError('wait-timeout', `never came true within ${limitMs / 1000} s: ${what}${lastSeen(seen)}`);
    await pass(everyMs);
  }
}

function lastSeen(seen: unknown): string {
  if (seen === undefined || seen === false) return '';
  return `; last seen: ${typeof seen === 'string' ? seen : JSON.stringify(seen)}`;
}
