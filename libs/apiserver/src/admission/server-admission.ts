import { AdmissionChain } from '../registry/admission-chain.js';
import type { Core } from '../registry/core.js';
import type { Authorizer } from '../auth/access.js';
import { NodeRestriction } from './node-restriction/plugin.js';
import { AdmissionMetrics } from './metrics.js';
import { PolicyMetrics } from './policy/metrics.js';
import type { KindFinder } from './policy/params.js';
import { PolicyAdmission } from './policy/plugin.js';
import { WebhookMetrics } from './webhooks/metrics.js';
import { WebhookAdmission } from './webhooks/plugin.js';

/** Everything that admits requests to a server, and what is counted of it. */
export interface ServerAdmission {
  readonly chain: AdmissionChain;
  readonly metrics: WebhookMetrics['families'];
}

/** The admission of a server: what is asked follows what is configured in its store. */
export function serverAdmission(core: Core, authorize: Authorizer, findKind: KindFinder): ServerAdmission {
  const { store, clock } = core;
  const ofAll = new AdmissionMetrics(clock);
  const ofPolicies = new PolicyMetrics();
  const ofWebhooks = new WebhookMetrics();
  const policies = new PolicyAdmission({ store, clock, authorize, findKind, metrics: ofPolicies });
  const webhooks = new WebhookAdmission({ store, uid: () => core.uid(), authorize, metrics: ofWebhooks });
  return {
    chain: new AdmissionChain([new NodeRestriction(store, authorize), policies, webhooks], ofAll),
    metrics: [...ofAll.families, ...ofPolicies.families, ...ofWebhooks.families],
  };
}
