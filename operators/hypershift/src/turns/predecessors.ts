import type { Client } from '@capstan/kube';
import { CAPI_TYPES_LABEL, OPERATOR_NAME } from '../names.js';
import { livingPods } from '../pods.js';

/** How pods of operators from before private types are labelled, here and upstream. */
const SELECTORS = ['app', 'name'].map((label) => `${label}=${OPERATOR_NAME},!${CAPI_TYPES_LABEL}`);

/** Pods of an operator from before private types, which reconciles every HostedCluster and reads no lock. */
export class Predecessors {
  readonly #client: Client;
  readonly #namespace: string;
  #areGone = false;

  /** `namespace` is that of the operators. */
  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Whether all have ended; once they have, the server is not asked again. */
  async areGone(signal: AbortSignal): Promise<boolean> {
    if (this.#areGone) return true;
    for (const labelSelector of SELECTORS) {
      const pods = await livingPods(this.#client, { namespace: this.#namespace, labelSelector, signal });
      if (pods.length > 0) return false;
    }
    this.#areGone = true;
    return true;
  }
}
