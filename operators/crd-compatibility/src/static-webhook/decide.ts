import type { KubeObject } from '@capstan/meta';
import { MANAGED_BY } from '../names.js';
import type { WebhookConfiguration } from '../webhooks/configuration.js';
import type { Snapshot } from './gather.js';

/** What is done with the webhook configuration. */
export type StaticWebhookPlan =
  | { readonly do: 'nothing' }
  | { readonly do: 'remove'; readonly live: WebhookConfiguration }
  /** Until a replica answers. */
  | { readonly do: 'wait' }
  | { readonly do: 'install'; readonly live: WebhookConfiguration | undefined };

/** Decides whether the configuration is installed, deleted because the checks are switched off, or waits for a replica. */
export function planFor(isOn: boolean, { isServed, live }: Snapshot): StaticWebhookPlan {
  if (!isOn) return live !== undefined && isOurs(live) ? { do: 'remove', live } : { do: 'nothing' };
  // A configuration without a replica behind it would refuse every write of a CRD.
  if (live === undefined && !isServed) return { do: 'wait' };
  return { do: 'install', live };
}

function isOurs({ metadata: { labels = {} } }: KubeObject): boolean {
  return Object.entries(MANAGED_BY).every(([key, value]) => labels[key] === value);
}
