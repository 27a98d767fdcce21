import { createHash } from 'node:crypto';
import type { Clock } from '@capstan/meta';
import { ReleaseError } from './errors.js';
import type { ReleasePayload, ReleaseProvider } from './payload/payload.js';
import { readPayload } from './payload/read.js';
import type { PayloadFacts } from './payload/read.js';
import { RepositoryClient } from './registry/client.js';
import { parsePullSecret } from './registry/pull-secret.js';
import { byDigest, overridden, parseReference } from './registry/reference.js';
import type { RegistryTransport } from './registry/transport.js';

export interface RegistryReleasesOptions {
  readonly transport: RegistryTransport;
  readonly clock: Clock;
  /** Prefixes of images that are kept elsewhere: `quay.io/openshift` → `mirror.example.com/openshift`. */
  readonly overrides?: ReadonlyMap<string, string> | undefined;
  /** How long a tag is taken to mean what it meant. Default 10 min; a digest means the same for ever. */
  readonly tagsLastMs?: number | undefined;
  /** Payloads kept in memory. Default 64. */
  readonly mostKept?: number | undefined;
}

interface Known {
  readonly payload: Promise<ReleasePayload>;
  readonly until: number;
}

/** Reads releases from their registries; each once, however many ask. */
export class RegistryReleases implements ReleaseProvider {
  readonly #options: RegistryReleasesOptions;
  /** By reference and pull secret: who may not read an image learns nothing from who may. */
  readonly #known = new Map<string, Known>();
  readonly #facts = new Map<string, Promise<PayloadFacts>>();

  constructor(options: RegistryReleasesOptions) {
    this.#options = options;
  }

  async lookup(reference: string, pullSecret: string | undefined, signal?: AbortSignal): Promise<ReleasePayload> {
    const { clock, tagsLastMs = 600_000 } = this.#options;
    const key = `${reference} ${pullSecret === undefined ? '' : createHash('sha256').update(pullSecret).digest('base64')}`;
    const known = this.#known.get(key);
    if (known !== undefined && known.until > clock.monotonic()) return abortable(known.payload, signal);
    // Not with the signal of one who asks: others may wait for the same answer.
    const payload = this.#read(reference, pullSecret);
    const until = reference.includes('@sha256:') ? Infinity : clock.monotonic() + tagsLastMs;
    this.#keep(this.#known, key, { payload, until });
    // A failure is not cached: the next lookup asks the registry again.
    payload.catch(() => this.#known.delete(key));
    return abortable(payload, signal);
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
    this.#keep(this.#facts, digest, facts);
    facts.catch(() => this.#facts.delete(digest));
    return facts;
  }

  #keep<T>(map: Map<string, T>, key: string, value: T): void {
    map.delete(key);
    map.set(key, value);
    const oldest = map.keys().next();
    if (map.size > (this.#options.mostKept ?? 64) && oldest.done !== true) map.delete(oldest.value);
  }
}

async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  const stop = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: stop.signal });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop.abort();
  }
}
