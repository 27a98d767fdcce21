import type { WebhookCaller } from '../webhook/call.js';
import { storedServices } from '../webhook/resolve-service.js';
import type { Core } from './core.js';
import type { Effect } from './effects.js';

/** Where no webhook can be called, none answers. */
export const NO_WEBHOOKS: WebhookCaller = {
  call: () => Promise.resolve({ error: 'this server calls no webhooks', isTimeout: false, durationMs: 0 }),
};

/** Carries out what a flow cannot do itself. */
export async function driveEffect(core: Core, effect: Effect, webhooks: WebhookCaller = NO_WEBHOOKS): Promise<void> {
  if (effect.type === 'reach') return effect.run();
  if (effect.type === 'give-way') return core.clock.turns?.next();
  if (effect.type !== 'webhooks') return waitFor(core, effect);
  const resolve = storedServices(core.store);
  effect.deliver(await Promise.all(effect.calls.map((call) => webhooks.call(call, resolve))));
}

function waitFor(
  { clock, store }: Core,
  effect: Exclude<Effect, { type: 'webhooks' | 'reach' | 'give-way' }>,
): Promise<void> {
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
