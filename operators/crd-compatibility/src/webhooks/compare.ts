import { controllerOf, deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Desired, FailurePolicy, Webhook, WebhookConfiguration } from './configuration.js';

/** Without what another controller injects: the bundle of the service CA. */
function bare(webhook: Webhook, keepsBundle: boolean): JsonObject {
  if (keepsBundle) return webhook;
  const { caBundle: _, ...clientConfig } = webhook.clientConfig;
  return { ...webhook, clientConfig };
}

function metadataOf({ metadata: { annotations = {}, labels = {}, ownerReferences = [] } }: WebhookConfiguration): {
  readonly texts: Readonly<Record<string, string>>;
  readonly owners: readonly unknown[];
} {
  return { texts: { ...annotations, ...labels }, owners: ownerReferences };
}

/** Whether the configuration is what it should be; what others have added to its metadata does not count. */
export function isAsDesired(live: WebhookConfiguration, { configuration }: Desired): boolean {
  const [found, wanted] = [metadataOf(live), metadataOf(configuration)];
  for (const [key, text] of Object.entries(wanted.texts)) if (found.texts[key] !== text) return false;
  if (!wanted.owners.every((owner) => found.owners.some((each) => deepEqual(each, owner)))) return false;
  const webhooks = configuration.webhooks ?? [];
  return webhooks.every((each) => {
    const keepsBundle = each.clientConfig['caBundle'] !== undefined;
    const same = live.webhooks?.find(({ name }) => name === each.name);
    return same !== undefined && deepEqual(bare(same, keepsBundle), bare(each, keepsBundle));
  });
}

/**
 * A configuration that nobody has been seen to answer must not refuse anything: first it is tried, and only when the
 * server has been seen to reach this program through it, writes depend on it. One that is in force stays so.
 */
export function policyFor(
  wanted: FailurePolicy,
  {
    live,
    isTrialUsed,
    webhook,
  }: { readonly live: WebhookConfiguration | undefined; readonly isTrialUsed: boolean; readonly webhook: string },
): FailurePolicy {
  if (wanted === 'Ignore') return 'Ignore';
  const inForce = live?.webhooks?.find(({ name }) => name === webhook)?.failurePolicy === 'Fail';
  return inForce || isTrialUsed ? 'Fail' : 'Ignore';
}

/** Whether a configuration of that name belongs to another owner. */
export function isForeign(live: WebhookConfiguration | undefined, ownerUid: string): boolean {
  return live !== undefined && controllerOf(live)?.uid !== ownerUid;
}
