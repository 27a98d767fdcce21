import type { Clock } from '@capstan/meta';
import { offAbort, onAbort } from '../runtime/abort.js';
import { RuntimeError } from '../runtime/errors.js';

/** A signal that aborts after the time a reconciliation has, or when all is to stop. `end` must follow the work. */
export function timeLimit(
  clock: Clock,
  timeoutMs: number,
  stop: AbortSignal,
  timedOut: () => void,
): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const onStop = (): void => controller.abort(stop.reason);
  onAbort(stop, onStop);
  const timer = clock.after(timeoutMs, () => {
    timedOut();
    controller.abort(new RuntimeError('reconcile-timeout', `the reconciliation took longer than ${timeoutMs} ms`));
  });
  const end = (): void => {
    timer.cancel();
    offAbort(stop, onStop);
  };
  return { signal: controller.signal, end };
}
