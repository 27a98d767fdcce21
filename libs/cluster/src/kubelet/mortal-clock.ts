import type { Clock, Timer } from '@capstan/meta';

const SPENT: Timer = { cancel: () => undefined };

/** A clock that calls nobody back once the signal aborts: with a process its timers are gone. */
export function mortalClock(clock: Clock, signal: AbortSignal): Clock {
  const waiting = new Set<Timer>();
  signal.addEventListener(
    'abort',
    () => {
      for (const timer of waiting) timer.cancel();
      waiting.clear();
    },
    { once: true },
  );
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (delayMs, callback) => {
      if (signal.aborted) return SPENT;
      const timer = clock.after(delayMs, () => {
        waiting.delete(timer);
        callback();
      });
      waiting.add(timer);
      return {
        cancel: () => {
          waiting.delete(timer);
          timer.cancel();
        },
      };
    },
  };
}
