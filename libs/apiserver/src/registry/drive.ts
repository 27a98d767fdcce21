import type { Core } from './core.js';
import type { Effect } from './effects.js';

/** Carries out what a flow cannot do itself. */
export function driveEffect({ clock, store }: Core, effect: Effect): Promise<void> {
  return new Promise((resolve) => {
    if (effect.type === 'sleep') {
      clock.after(effect.ms, resolve);
      return;
    }
    const stop = store.subscribe(({ revision }) => {
      if (revision >= effect.revision) finish();
    });
    const timer = clock.after(effect.timeoutMs, () => finish());
    const finish = (): void => {
      stop();
      timer.cancel();
      resolve();
    };
  });
}
