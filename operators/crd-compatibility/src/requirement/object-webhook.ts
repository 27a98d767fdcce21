import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { WEBHOOKS } from '../names.js';
import { objectConfiguration } from '../webhooks/configuration.js';
import type { WebhookAddress } from '../webhooks/configuration.js';
import type { Enforcement } from '../webhooks/enforcement.js';
import type { Installer } from '../webhooks/installer.js';
import type { ObjectWebhookPlan } from './decide.js';

/** What writes the webhook configuration of a requirement. */
export interface ObjectWebhookWriter {
  readonly installer: Installer;
  readonly address: () => Promise<WebhookAddress>;
}

/** Puts the webhook configuration of a requirement in force, or deletes it; returns whether objects are checked. */
export async function ensureObjectWebhook(
  requirement: CompatibilityRequirement,
  plan: ObjectWebhookPlan,
  { address, installer }: ObjectWebhookWriter,
  signal: AbortSignal,
): Promise<Enforcement> {
  switch (plan.do) {
    case 'keep':
      return plan.objects;
    case 'remove':
      await installer.remove(plan.live, signal);
      return 'unasked';
    case 'install': {
      const { live, policy, read } = plan;
      const reached = await address();
      const wanted = {
        make: (failurePolicy: 'Fail' | 'Ignore') =>
          objectConfiguration(requirement, read, { address: reached, failurePolicy }),
        policy,
        webhook: WEBHOOKS.objects,
      };
      return (await installer.install(wanted, live, signal)) ? 'enforced' : 'pending';
    }
  }
}
