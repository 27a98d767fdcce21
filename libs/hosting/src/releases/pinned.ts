import type { ReleasePayload, ReleaseProvider } from '@capstan/release';
import { lookUpRelease } from './lookup.js';
import type { ReleaseLookup } from './lookup.js';

/**
 * The releases of control planes. The payload of an image is pinned for a control plane until its spec names another image:
 * a tag that moves must not change what runs.
 */
export class PinnedReleases {
  readonly #provider: ReleaseProvider;
  readonly #pinned = new Map<string, { readonly image: string; readonly payload: ReleasePayload }>();

  constructor(provider: ReleaseProvider) {
    this.#provider = provider;
  }

  async lookup(
    owner: string,
    image: string,
    { pullSecret, signal }: { readonly pullSecret: string | undefined; readonly signal: AbortSignal },
  ): Promise<ReleaseLookup> {
    const pinned = this.#pinned.get(owner);
    if (pinned?.image === image) return { payload: pinned.payload };
    const found = await lookUpRelease(() => this.#provider.lookup(image, pullSecret, signal));
    if ('payload' in found) this.#pinned.set(owner, { image, payload: found.payload });
    return found;
  }

  forget(owner: string): void {
    this.#pinned.delete(owner);
  }
}
