import type { Reconcile } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { MANAGED_BY, STATIC_CONFIGURATION, WEBHOOKS } from '../names.js';
import type { Enforcement } from '../webhooks/enforcement.js';
import { staticConfiguration } from '../webhooks/configuration.js';
import type { WebhookAddress, WebhookConfiguration } from '../webhooks/configuration.js';
import type { Installer } from '../webhooks/installer.js';

export interface StaticWebhookOptions {
  readonly installer: Installer;
  readonly address: () => Promise<WebhookAddress>;
  /** False: the configuration is deleted and not created. */
  readonly isOn: boolean;
  readonly configurationOf: (name: string) => WebhookConfiguration | undefined;
  /** Whether a replica answers at the address. */
  readonly isServed: () => boolean;
  /** Called when requirements are to be looked at again. */
  readonly onChange: () => void;
}

/** When what is not there yet is looked for again. */
const PENDING_MS = 200;

/** Keeps the webhook configuration for CRDs and requirements in force, and restores it when it was changed. */
export class StaticWebhook {
  readonly #options: StaticWebhookOptions;
  #state: Enforcement;

  constructor(options: StaticWebhookOptions) {
    this.#options = options;
    this.#state = options.isOn ? 'pending' : 'off';
  }

  /** How it is with it. */
  readonly state = (): Enforcement => this.#state;

  readonly reconcile: Reconcile = async (_request, { signal }) => {
    const { configurationOf, installer, isOn } = this.#options;
    const live = configurationOf(STATIC_CONFIGURATION);
    if (!isOn) {
      if (live !== undefined && isOurs(live)) await installer.remove(live, signal);
      return undefined;
    }
    const isUsed = await this.#install(live, signal);
    this.#become(isUsed ? 'enforced' : 'pending');
    return isUsed ? undefined : { requeueAfterMs: PENDING_MS };
  };

  async #install(live: WebhookConfiguration | undefined, signal: AbortSignal): Promise<boolean> {
    const { address, installer, isServed } = this.#options;
    // Nothing is refused on account of a program that is not there yet.
    if (live === undefined && !isServed()) return false;
    const reached = await address();
    return installer
      .install(
        { make: (policy) => staticConfiguration(reached, policy), policy: 'Fail', webhook: WEBHOOKS.definitions },
        live,
        signal,
      )
      .catch((error: unknown) => {
        this.#become('pending');
        throw error;
      });
  }

  #become(state: Enforcement): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onChange();
  }
}

function isOurs({ metadata: { labels = {} } }: KubeObject): boolean {
  return Object.entries(MANAGED_BY).every(([key, value]) => labels[key] === value);
}
