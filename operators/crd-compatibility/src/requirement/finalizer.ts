import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { removeFinalizer } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { REQUIREMENTS } from '../kinds.js';
import { FINALIZER } from '../names.js';
import { isForeign } from '../webhooks/compare.js';
import type { WebhookConfiguration } from '../webhooks/configuration.js';
import type { Installer } from '../webhooks/installer.js';

/** Deletes the webhook configuration of a requirement that is being deleted, and then removes the finalizer. */
export async function finalize(
  requirement: CompatibilityRequirement,
  {
    client,
    configurationOf,
    installer,
  }: {
    readonly client: Client;
    readonly configurationOf: (name: string) => WebhookConfiguration | undefined;
    readonly installer: Installer;
  },
  signal: AbortSignal,
): Promise<void> {
  const { name = '', uid = '' } = requirement.metadata;
  const configuration = configurationOf(name);
  if (configuration !== undefined && !isForeign(configuration, uid)) await installer.remove(configuration, signal);
  await removeFinalizer(client, REQUIREMENTS, requirement, FINALIZER);
}
