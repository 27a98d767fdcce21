import { turnsOf } from '@capstan/meta/turns';
import type { Clock, Timer } from '@capstan/meta';
import { offAbort, onAbort } from './abort.js';

/** Longest delay Node accepts; more would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** How long work may keep everything else waiting: a probe does not feel it, and the pauses between do not show. */
const TURN_MS = 8;

/** One for the process: its threads of work share one event loop. */
const turns = turnsOf({ turnMs: TURN_MS, monotonic: () => performance.now(), afterOthers: setImmediate });

/** The machine's clock. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after: (delayMs, callback) => schedule(delayMs, callback),
    turns,
  };
}

function schedule(delayMs: number, callback: () => void): Timer {
  let handle: NodeJS.Timeout;
  const arm = (remaining: number): void => {
    const step = Math.min(remaining, MAX_DELAY_MS);
    handle = setTimeout(() => (remaining > step ? arm(remaining - step) : callback()), step);
  };
  arm(Math.max(0, delayMs));
  return { cancel: () => clearTimeout(handle) };
}

/** Resolves after the delay, or at once when the signal aborts; the value is which of the two. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<'elapsed' | 'aborted'> {
  if (signal?.aborted === true) return Promise.resolve('aborted');
  return new Promise((resolve) => {
    if (signal === undefined) {
      clock.after(delayMs, () => resolve('elapsed'));
      return;
    }
    const abort = (): void => {
      timer.cancel();
      resolve('aborted');
    };
    const timer = clock.after(delayMs, () => {
      offAbort(signal, abort);
      resolve('elapsed');
    });
    onAbort(signal, abort);
  });
}
