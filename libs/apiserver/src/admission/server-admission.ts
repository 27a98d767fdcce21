import { AdmissionChain } from '../registry/admission-chain.js';
import type { Core } from '../registry/core.js';
import type { Authorizer } from '../system/access.js';
import { WebhookMetrics } from './webhooks/metrics.js';
import { WebhookAdmission } from './webhooks/plugin.js';

/** Everything that admits requests to a server, and what is counted of it. */
export interface ServerAdmission {
  readonly chain: AdmissionChain;
  readonly metrics: WebhookMetrics['families'];
}

/** The admission of a server: what is asked follows what is configured in its store. */
export function serverAdmission(core: Core, authorize: Authorizer): ServerAdmission {
  const metrics = new WebhookMetrics();
  const { store } = core;
  const webhooks = new WebhookAdmission({ store, uid: () => core.uid(), authorize, metrics });
  return { chain: new AdmissionChain([webhooks]), metrics: metrics.families };
}
