import type { Reconcile } from '@capstan/kube';
import { WEBHOOKS } from '../names.js';
import { staticConfiguration } from '../webhooks/configuration.js';
import type { WebhookAddress } from '../webhooks/configuration.js';
import type { Enforcement } from '../webhooks/enforcement.js';
import type { Installer } from '../webhooks/installer.js';
import { planFor } from './decide.js';
import type { StaticWebhookPlan } from './decide.js';
import { gather } from './gather.js';
import type { Sources } from './gather.js';
import type { EnforcementStatus } from './status.js';

export interface StaticWebhookOptions extends Sources {
  readonly installer: Installer;
  readonly address: () => Promise<WebhookAddress>;
  /** False: the configuration is deleted and not created. */
  readonly isOn: boolean;
  readonly status: EnforcementStatus;
}

/** When the API server and the replicas are checked again. */
const PENDING_MS = 200;

/** Keeps the webhook configuration for CRDs and requirements in force: gather, decide, act, status. */
export function reconcileStaticWebhook(options: StaticWebhookOptions): Reconcile {
  return async (_request, { signal }) => {
    const plan = planFor(options.isOn, gather(options));
    const state = await act(options, plan, signal).catch((error: unknown) => {
      if (plan.do === 'install') options.status.write('pending');
      throw error;
    });
    options.status.write(state);
    return state === 'pending' ? { requeueAfterMs: PENDING_MS } : undefined;
  };
}

async function act(
  { address, installer }: StaticWebhookOptions,
  plan: StaticWebhookPlan,
  signal: AbortSignal,
): Promise<Enforcement> {
  switch (plan.do) {
    case 'nothing':
      return 'off';
    case 'remove':
      await installer.remove(plan.live, signal);
      return 'off';
    case 'wait':
      return 'pending';
    case 'install': {
      const reached = await address();
      const isUsed = await installer.install(
        { make: (policy) => staticConfiguration(reached, policy), policy: 'Fail', webhook: WEBHOOKS.definitions },
        plan.live,
        signal,
      );
      return isUsed ? 'enforced' : 'pending';
    }
  }
}
