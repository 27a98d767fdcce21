import type { ReleasePayload, ReleaseProvider } from '@capstan/release';
import { hashText } from '@capstan/meta';
import { lookUpRelease } from './lookup.js';
import type { ReleaseLookup } from './lookup.js';

const MAX_KEPT = 1_024;

/** Releases by image and pull secret, each read once: a converged HostedCluster sends no request to a registry. */
export class ReleaseLookups {
  readonly #provider: ReleaseProvider;
  readonly #kept = new Map<string, ReleasePayload>();

  constructor(provider: ReleaseProvider) {
    this.#provider = provider;
  }

  async lookup(reference: string, pullSecret: string, signal: AbortSignal): Promise<ReleaseLookup> {
    // A client that may not pull an image must not learn of it because another one may.
    const key = `${reference} ${hashText(pullSecret)} ${pullSecret.length}`;
    const kept = this.#kept.get(key);
    const found =
      kept === undefined
        ? await lookUpRelease(() => this.#provider.lookup(reference, pullSecret, signal))
        : { payload: kept };
    if ('payload' in found) this.#keep(key, found.payload);
    return found;
  }

  #keep(key: string, payload: ReleasePayload): void {
    this.#kept.delete(key);
    this.#kept.set(key, payload);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > MAX_KEPT && oldest.done !== true) this.#kept.delete(oldest.value);
  }
}
