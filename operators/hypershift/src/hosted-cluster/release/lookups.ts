import { ReleaseError } from '@capstan/release';
import type { ReleasePayload, ReleaseProvider } from '@capstan/release';
import { hashText } from '@capstan/meta';

/** Releases kept in memory. */
const MAX_KEPT = 1_024;

/** What came of looking a release up. */
export type Looked = { readonly payload: ReleasePayload } | { readonly error: ReleaseError };

/** Looks releases up once: a converged cluster asks no registry for anything. */
export class ReleaseLookups {
  readonly #provider: ReleaseProvider;
  readonly #kept = new Map<string, ReleasePayload>();

  constructor(provider: ReleaseProvider) {
    this.#provider = provider;
  }

  async lookup(reference: string, pullSecret: string, signal: AbortSignal): Promise<Looked> {
    // Whoever may not pull an image must not learn of it because somebody else may.
    const key = `${reference} ${hashText(pullSecret)} ${pullSecret.length}`;
    const known = this.#kept.get(key);
    try {
      const payload = known ?? (await this.#provider.lookup(reference, pullSecret, signal));
      this.#keep(key, payload);
      return { payload };
    } catch (error) {
      if (error instanceof ReleaseError) return { error };
      throw error;
    }
  }

  #keep(key: string, payload: ReleasePayload): void {
    this.#kept.delete(key);
    this.#kept.set(key, payload);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > MAX_KEPT && oldest.done !== true) this.#kept.delete(oldest.value);
  }
}
