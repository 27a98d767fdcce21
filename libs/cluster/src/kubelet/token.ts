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

/** Of its life, the part after which a token is replaced; and so long after it was asked for at the latest. */
const FRESH_PART = 0.8;
const FRESH_MS = 24 * 3_600_000;

interface Held {
  readonly token: Promise<Uint8Array>;
  readonly renewAtMs: number;
  readonly expiresAtMs: number;
}

/**
 * A token of a pod's account: asked for when it is first read, and again before it expires. As long as the next cannot be had
 * the last is given, while it lasts. An account that is recreated under the same name is not noticed before: a kubelet does not
 * look at accounts.
 */
export class PodToken {
  readonly #options: TokenOptions;
  #held: Held | undefined;

  constructor(options: TokenOptions) {
    this.#options = options;
  }

  read(): Promise<Uint8Array> {
    const { clock, expirationSeconds } = this.#options;
    const [nowMs, lifeMs, last] = [clock.now(), expirationSeconds * 1000, this.#held];
    if (last !== undefined && nowMs < last.renewAtMs) return last.token;
    const isLeft = last !== undefined && nowMs < last.expiresAtMs;
    const token = this.#ask().catch((error: unknown) => {
      this.#held = isLeft ? last : undefined;
      if (isLeft) return last.token;
      throw error;
    });
    this.#held = { token, renewAtMs: nowMs + Math.min(lifeMs * FRESH_PART, FRESH_MS), expiresAtMs: nowMs + lifeMs };
    return token;
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
