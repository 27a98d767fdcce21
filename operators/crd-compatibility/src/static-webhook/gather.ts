import { STATIC_CONFIGURATION } from '../names.js';
import type { WebhookConfiguration } from '../webhooks/configuration.js';

/** Where the webhook configuration and the replicas that serve it are read. */
export interface Sources {
  readonly configurationOf: (name: string) => WebhookConfiguration | undefined;
  /** Whether a replica answers at the address. */
  readonly isServed: () => boolean;
}

/** What the plan for the webhook configuration is decided by. */
export interface Snapshot {
  readonly live: WebhookConfiguration | undefined;
  readonly isServed: boolean;
}

/** Reads the webhook configuration for CRDs and requirements as it is. */
export function gather({ configurationOf, isServed }: Sources): Snapshot {
  return { live: configurationOf(STATIC_CONFIGURATION), isServed: isServed() };
}
