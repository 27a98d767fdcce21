import { setMaxListeners } from 'node:events';

/** Resolves when the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  // A signal a whole program listens to has as many listeners as the program has parts.
  setMaxListeners(0, signal);
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A controller that aborts with the parent; `release` ends the listening. */
export function childOf(parent: AbortSignal): { readonly controller: AbortController; readonly release: () => void } {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal, parent);
  const onAbort = (): void => controller.abort(parent.reason);
  if (parent.aborted) onAbort();
  else parent.addEventListener('abort', onAbort, { once: true });
  return { controller, release: () => parent.removeEventListener('abort', onAbort) };
}
