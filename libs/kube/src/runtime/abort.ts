import { setMaxListeners } from 'node:events';

/**
 * The callbacks that wait for a signal. One listener calls all of them: the signal of a whole process is awaited in hundreds of
 * places, and a signal looks through all its listeners whenever one comes or goes.
 */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls it once when the signal aborts, which it must not have done yet. */
export function onAbort(signal: AbortSignal, callback: () => void): void {
  const known = waiting.get(signal);
  if (known !== undefined) {
    known.add(callback);
    return;
  }
  const callbacks = new Set([callback]);
  waiting.set(signal, callbacks);
  const callAll = (): void => {
    for (const each of callbacks) each();
    waiting.delete(signal);
  };
  // Who listens to the signal itself may be many too.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', callAll, { once: true });
}

/** Takes back what was asked for with {@link onAbort}. */
export function offAbort(signal: AbortSignal, callback: () => void): void {
  waiting.get(signal)?.delete(callback);
}

/** Resolves when the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return signal.aborted ? Promise.resolve() : new Promise((resolve) => onAbort(signal, resolve));
}

/** A controller that aborts with the parent; `release` ends the listening. */
export function childOf(parent: AbortSignal): { readonly controller: AbortController; readonly release: () => void } {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const abort = (): void => controller.abort(parent.reason);
  if (parent.aborted) abort();
  else onAbort(parent, abort);
  return { controller, release: () => offAbort(parent, abort) };
}
