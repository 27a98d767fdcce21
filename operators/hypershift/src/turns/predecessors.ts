import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { PODS } from '../kinds.js';
import { CAPI_TYPES_LABEL, OPERATOR_NAME } from '../names.js';

interface Pod extends KubeObject {
  readonly status?: { readonly phase?: string };
}

const ENDED: ReadonlySet<string> = new Set(['Failed', 'Succeeded']);
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
      const { items } = await this.#client.list<Pod>(PODS, { namespace: this.#namespace, labelSelector, signal });
      if (items.some(({ status }) => !ENDED.has(status?.phase ?? ''))) return false;
    }
    this.#areGone = true;
    return true;
  }
}
