import type { Clock, KubeObject } from '@capstan/meta';
import type { Client } from '@capstan/kube';
import { SERVICE_ACCOUNTS } from '../workload/resources.js';

export interface TokenOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly pod: { readonly name: string; readonly uid: string };
  readonly audience?: string | undefined;
  readonly expirationSeconds: number;
}

interface TokenRequest extends KubeObject {
  status?: { token?: string; expirationTimestamp?: string };
}

/** Of its life, the part after which a token is replaced. */
const FRESH_PART = 0.8;

/** A token of a pod's account: asked for when it is first read, and again before it expires. */
export class PodToken {
  readonly #options: TokenOptions;
  #token: Promise<Uint8Array> | undefined;
  #renewAtMs = 0;

  constructor(options: TokenOptions) {
    this.#options = options;
  }

  read(): Promise<Uint8Array> {
    const { clock, expirationSeconds } = this.#options;
    if (this.#token === undefined || clock.now() >= this.#renewAtMs) {
      this.#renewAtMs = clock.now() + expirationSeconds * 1000 * FRESH_PART;
      const asked = this.#ask();
      this.#token = asked;
      asked.catch(() => {
        if (this.#token === asked) this.#token = undefined;
      });
    }
    return this.#token;
  }

  async #ask(): Promise<Uint8Array> {
    const { audience, client, expirationSeconds, namespace, pod, serviceAccount } = this.#options;
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: {
        ...(audience === undefined || audience === '' ? {} : { audiences: [audience] }),
        expirationSeconds,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: pod.name, uid: pod.uid },
      },
    };
    const made = await client.create<TokenRequest>(SERVICE_ACCOUNTS, request, {
      namespace,
      name: serviceAccount,
      subresource: 'token',
    });
    return Buffer.from(made.status?.token ?? '');
  }
}
