import { ReleaseError } from './errors.js';
import { keep, RegistryLookups } from './lookups.js';
import type { LookupOptions } from './lookups.js';
import type { ReleasePayload, ReleaseProvider } from './payload/payload.js';
import { readPayload } from './payload/read.js';
import type { PayloadFacts } from './payload/read.js';
import { RepositoryClient } from './registry/client.js';
import { parsePullSecret } from './registry/pull-secret.js';
import { byDigest, overridden, parseReference } from './registry/reference.js';
import type { RegistryTransport } from './registry/transport.js';

export interface RegistryReleasesOptions extends LookupOptions {
  readonly transport: RegistryTransport;
  /** Prefixes of images that are kept elsewhere: `quay.io/openshift` → `mirror.example.com/openshift`. */
  readonly overrides?: ReadonlyMap<string, string> | undefined;
}

/** Reads releases from their registries; each once, however many ask. */
export class RegistryReleases implements ReleaseProvider {
  readonly #options: RegistryReleasesOptions;
  readonly #lookups: RegistryLookups<ReleasePayload>;
  readonly #facts = new Map<string, Promise<PayloadFacts>>();

  constructor(options: RegistryReleasesOptions) {
    this.#options = options;
    this.#lookups = new RegistryLookups(options);
  }

  lookup(reference: string, pullSecret: string | undefined, signal?: AbortSignal): Promise<ReleasePayload> {
    return this.#lookups.of(reference, pullSecret, { read: () => this.#read(reference, pullSecret), signal });
  }

  async #read(reference: string, pullSecret: string | undefined): Promise<ReleasePayload> {
    const { overrides = new Map<string, string>(), transport } = this.#options;
    const image = parseReference(reference);
    const at = parseReference(overridden(reference, overrides));
    const logins = pullSecret === undefined ? new Map<string, never>() : parsePullSecret(pullSecret);
    try {
      const client = new RepositoryClient(at, { transport, logins });
      const top = await client.manifest(at.digest ?? at.tag ?? 'latest');
      const facts = await this.#factsOf(top.digest, () => readPayload(client, top));
      const component = (name: string): string | undefined => {
        const found = facts.image(name);
        return found === undefined ? undefined : overridden(found, overrides);
      };
      return { ...facts, image: component, reference, pullSpec: byDigest(image, top.digest) };
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error;
      throw new ReleaseError(error.reason, `release image ${reference}: ${error.message}`, { cause: error });
    }
  }

  /** Of one digest, once: what it holds never changes. */
  #factsOf(digest: string, read: () => Promise<PayloadFacts>): Promise<PayloadFacts> {
    const found = this.#facts.get(digest);
    if (found !== undefined) return found;
    const facts = read();
    keep(this.#facts, { key: digest, value: facts, most: this.#options.mostKept });
    facts.catch(() => this.#facts.delete(digest));
    return facts;
  }
}
