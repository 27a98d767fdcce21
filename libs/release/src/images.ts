import { ReleaseError } from './errors.js';
import { RegistryLookups } from './lookups.js';
import { imageConfig, imageManifest } from './payload/read.js';
import type { RegistryReleasesOptions } from './provider.js';
import { RepositoryClient } from './registry/client.js';
import { parsePullSecret } from './registry/pull-secret.js';
import { byDigest, overridden, parseReference } from './registry/reference.js';

/** An image by its digest, and the labels of its configuration. */
export interface ImageLabels {
  /** `registry/name@sha256:…` */
  readonly pullSpec: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Reads labels of images. */
export interface ImageProvider {
  /**
   * Rejects with a {@link ReleaseError}.
   *
   * @param pullSecret The text of `.dockerconfigjson`; undefined where none is needed.
   */
  labels(reference: string, pullSecret: string | undefined, signal?: AbortSignal): Promise<ImageLabels>;
}

/** Reads labels of images from their registries, each once. */
export class RegistryImages implements ImageProvider {
  readonly #options: RegistryReleasesOptions;
  readonly #lookups: RegistryLookups<ImageLabels>;

  constructor(options: RegistryReleasesOptions) {
    this.#options = options;
    this.#lookups = new RegistryLookups(options);
  }

  labels(reference: string, pullSecret: string | undefined, signal?: AbortSignal): Promise<ImageLabels> {
    return this.#lookups.of(reference, pullSecret, { read: () => this.#read(reference, pullSecret), signal });
  }

  async #read(reference: string, pullSecret: string | undefined): Promise<ImageLabels> {
    const { overrides = new Map<string, string>(), transport } = this.#options;
    const at = parseReference(overridden(reference, overrides));
    const logins = pullSecret === undefined ? new Map<string, never>() : parsePullSecret(pullSecret);
    try {
      const client = new RepositoryClient(at, { transport, logins });
      const top = await client.manifest(at.digest ?? at.tag ?? 'latest');
      const { config } = await imageConfig(client, await imageManifest(client, top));
      return { pullSpec: byDigest(parseReference(reference), top.digest), labels: config?.Labels ?? {} };
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error;
      throw new ReleaseError(error.reason, `labels of ${reference}: ${error.message}`, { cause: error });
    }
  }
}
