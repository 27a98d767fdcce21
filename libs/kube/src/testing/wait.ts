import type { Clock } from '@capstan/meta';
import { sleep } from '../runtime/clock.js';
import { RuntimeError } from '../runtime/errors.js';

/** The clock of a wait, its limit, and its interval. */
export interface WaitOptions {
  readonly clock: Clock;
  readonly limitMs: number;
  readonly everyMs: number;
  /** Advances the time of a clock that does not run by itself. Default: sleeps. */
  readonly pass?: ((ms: number) => Promise<unknown>) | undefined;
}

/** Looks until something is found and returns it; `undefined` and `false` are nothing. */
export function waitUntil<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  options: WaitOptions,
): Promise<T> {
  const isFound = (seen: T | undefined | false): seen is T => seen !== undefined && seen !== false;
  return waitToSee(what, look, isFound, options);
}

/** Looks until a value satisfies the condition and returns it; the error of a timeout contains the last value. */
export function waitToSee<T, Good extends T>(
  what: string,
  look: () => Promise<T> | T,
  willDo: (seen: T) => seen is Good,
  options: WaitOptions,
): Promise<Good>;
export function waitToSee<T>(
  what: string,
  look: () => Promise<T> | T,
  willDo: (seen: T) => boolean,
  options: WaitOptions,
): Promise<T>;
export async function waitToSee<T>(
  what: string,
  look: () => Promise<T> | T,
  willDo: (seen: T) => boolean,
  { clock, everyMs, limitMs, pass = (ms) => sleep(clock, ms) }: WaitOptions,
): Promise<T> {
  const end = clock.monotonic() + limitMs;
  for (;;) {
    const seen = await look();
    if (willDo(seen)) return seen;
    if (clock.monotonic() >= end)
      throw new RuntimeError('wait-timeout', `condition not met within ${limitMs / 1000} s: ${what}${lastSeen(seen)}`);
    await pass(everyMs);
  }
}

/** So many equal looks in a row are a stop, and not a pause. */
const STEADY_LOOKS = 4;

/** Looks until a value no longer changes and returns it. */
export async function waitUntilSteady<T>(what: string, look: () => Promise<T> | T, options: WaitOptions): Promise<T> {
  let last: { readonly seen: T; readonly times: number } | undefined;
  const { seen } = await waitToSee(
    what,
    async () => {
      const seen = await look();
      last = { seen, times: last !== undefined && Object.is(last.seen, seen) ? last.times + 1 : 1 };
      return last;
    },
    ({ times }) => times >= STEADY_LOOKS,
    options,
  );
  return seen;
}

function lastSeen(seen: unknown): string {
  if (seen === undefined || seen === false) return '';
  return `; last seen: ${typeof seen === 'string' ? seen : JSON.stringify(seen)}`;
}
