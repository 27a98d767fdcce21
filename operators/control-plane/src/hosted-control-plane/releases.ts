import { ReleaseError } from '@capstan/release';
import type { ReleasePayload, ReleaseProvider } from '@capstan/release';

/** A release, or why it cannot be read. */
export type Lookup = { readonly payload: ReleasePayload } | { readonly error: ReleaseError };

/**
 * The releases of control planes. What an image was found to be it stays for that control plane until another is asked
 * for: a tag that moves must not change what runs.
 */
export class KnownReleases {
  readonly #provider: ReleaseProvider;
  readonly #known = new Map<string, { readonly image: string; readonly payload: ReleasePayload }>();

  constructor(provider: ReleaseProvider) {
    this.#provider = provider;
  }

  async lookup(
    owner: string,
    image: string,
    { pullSecret, signal }: { readonly pullSecret: string | undefined; readonly signal: AbortSignal },
  ): Promise<Lookup> {
    const known = this.#known.get(owner);
    if (known?.image === image) return { payload: known.payload };
    try {
      const payload = await this.#provider.lookup(image, pullSecret, signal);
      this.#known.set(owner, { image, payload });
      return { payload };
    } catch (error) {
      if (error instanceof ReleaseError) return { error };
      throw error;
    }
  }

  forget(owner: string): void {
    this.#known.delete(owner);
  }
}
