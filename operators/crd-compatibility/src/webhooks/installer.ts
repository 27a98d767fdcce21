import { performChange } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { VALIDATING_WEBHOOKS } from '../kinds.js';
import { FIELD_OWNER } from '../names.js';
import { isAsDesired, policyFor } from './compare.js';
import type { Desired, FailurePolicy, WebhookConfiguration } from './configuration.js';
import type { Probe } from './probe.js';

/** A configuration that is to be in force. */
export interface Wanted {
  readonly make: (policy: FailurePolicy) => Desired;
  /** The final failure policy, which applies while no replica answers. */
  readonly policy: FailurePolicy;
  /** The webhook whose presence shows that the configuration is in force. */
  readonly webhook: string;
}

/** Puts webhook configurations in force, and deletes them. */
export class Installer {
  readonly #client: Client;
  readonly #probe: Probe;

  constructor(client: Client, probe: Probe) {
    this.#client = client;
    this.#probe = probe;
  }

  /** Writes what differs, first as a trial where nothing is in force; true once the server is seen to use the whole. */
  async install(
    { make, policy: wanted, webhook }: Wanted,
    live: WebhookConfiguration | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    let current = live;
    for (;;) {
      const { configuration, hash: trial } = make('Ignore');
      const { name = '' } = configuration.metadata;
      const isTrialUsed = this.#probe.isUsed({ name, hash: trial });
      const policy = policyFor(wanted, { live: current, isTrialUsed, webhook });
      const desired = make(policy);
      if (current === undefined || !isAsDesired(current, desired)) {
        this.#probe.forget(name);
        const { configuration: object } = desired;
        current = await performChange(
          this.#client,
          { verb: 'apply', kind: VALIDATING_WEBHOOKS, object, fieldOwner: FIELD_OWNER },
          { signal },
        );
      }
      if (!(await this.#probe.ask({ name, hash: desired.hash }, signal))) return false;
      if (policy === wanted) return true;
    }
  }

  /** Deletes the very configuration that was seen. */
  async remove(object: WebhookConfiguration, signal: AbortSignal): Promise<void> {
    this.#probe.forget(object.metadata.name ?? '');
    await performChange(this.#client, { verb: 'delete', kind: VALIDATING_WEBHOOKS, object }, { signal });
  }
}
