import { createHash } from 'node:crypto';
import { ReleaseError } from '../errors.js';
import { bearerChallenge, bearerToken, basic } from './authorization.js';
import { loginFor } from './pull-secret.js';
import type { Login } from './pull-secret.js';
import type { ImageReference } from './reference.js';
import { registryUrl } from './transport.js';
import type { RegistryResponse, RegistryTransport } from './transport.js';

/** A piece of an image, by what it holds. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size?: number | undefined;
  readonly platform?: { readonly architecture?: string; readonly os?: string } | undefined;
}

/** A manifest of one image, or the index of several. */
export interface Manifest {
  readonly digest: string;
  readonly mediaType: string;
  readonly config?: Descriptor | undefined;
  readonly layers?: readonly Descriptor[] | undefined;
  readonly manifests?: readonly Descriptor[] | undefined;
}

const MANIFEST_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];
const MOST_MANIFEST_BYTES = 4 * 1024 * 1024;
/** Release payloads are a few MiB; a layer beyond this is none. */
const MOST_LAYER_BYTES = 256 * 1024 * 1024;
const MOST_REDIRECTS = 5;

/** Reads one repository of a registry. What it was given once to be let in it keeps. */
export class RepositoryClient {
  readonly #transport: RegistryTransport;
  readonly #image: ImageReference;
  readonly #login: Login | undefined;
  readonly #signal: AbortSignal | undefined;
  #authorization: string | undefined;

  constructor(
    image: ImageReference,
    given: {
      readonly transport: RegistryTransport;
      readonly logins: ReadonlyMap<string, Login>;
      readonly signal?: AbortSignal | undefined;
    },
  ) {
    this.#image = image;
    this.#transport = given.transport;
    this.#login = loginFor(given.logins, image);
    this.#signal = given.signal;
  }

  /** The manifest of a tag or digest; content requested by digest must match it. */
  async manifest(reference: string): Promise<Manifest> {
    const response = await this.#get(`manifests/${reference}`, { accept: MANIFEST_TYPES.join(', ') });
    const bytes = await collect(response, MOST_MANIFEST_BYTES);
    const digest = digestOf(bytes);
    if (reference.startsWith('sha256:') && reference !== digest)
      throw this.#fault('NoRelease', `the registry gave ${digest} for ${reference}`);
    const value = this.#parse(bytes) as Partial<Manifest>;
    const type = value.mediaType ?? response.headers['content-type']?.split(';')[0] ?? '';
    return { ...value, mediaType: type, digest };
  }

  /** The content of a blob, whole and verified. */
  async blob({ digest }: Descriptor): Promise<Uint8Array> {
    const bytes = await collect(await this.#get(`blobs/${digest}`, {}), MOST_LAYER_BYTES);
    if (digestOf(bytes) !== digest)
      throw this.#fault('NoRelease', `the content of ${digest} does not match its digest`);
    return bytes;
  }

  async #get(path: string, headers: Readonly<Record<string, string>>): Promise<RegistryResponse> {
    const { registry, repository } = this.#image;
    const url = `${registryUrl(registry)}/v2/${repository}/${path}`;
    let response = await this.#ask(url, headers);
    if (response.status === 401) {
      const challenge = bearerChallenge(response.headers['www-authenticate']);
      this.#authorization =
        challenge === undefined
          ? basic(this.#login)
          : await bearerToken(challenge, this.#login, (at, with_) => this.#send(at, with_));
      if (this.#authorization !== undefined) response = await this.#ask(url, headers);
    }
    return this.#accepted(response);
  }

  /** Follows redirects; what another host asks for it must say itself: it never sees our login. */
  async #ask(url: string, headers: Readonly<Record<string, string>>): Promise<RegistryResponse> {
    let at = new URL(url);
    const home = at.host;
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      const authorization =
        at.host === home && this.#authorization !== undefined ? { authorization: this.#authorization } : {};
      const response = await this.#send(at.href, { ...headers, ...authorization });
      const { location } = response.headers;
      if (response.status < 300 || response.status >= 400 || location === undefined) return response;
      at = new URL(location, at);
    }
    throw this.#fault('Unreachable', 'the registry redirects without end');
  }

  async #send(url: string, headers: Readonly<Record<string, string>>): Promise<RegistryResponse> {
    try {
      return await this.#transport({ url, headers: { 'user-agent': 'capstan', ...headers }, signal: this.#signal });
    } catch (error) {
      this.#signal?.throwIfAborted();
      throw this.#fault(
        'Unreachable',
        `${new URL(url).host} cannot be reached (${reasonOf(error)}); check the name and the network`,
        error,
      );
    }
  }

  #accepted(response: RegistryResponse): RegistryResponse {
    const { registry } = this.#image;
    const { status } = response;
    if (status === 200) return response;
    if (status === 401 || status === 403)
      throw this.#fault(
        'Unauthorized',
        this.#login === undefined
          ? `${registry} wants a login and the pull secret has none for it; add one`
          : `${registry} refuses the login of the pull secret (${status}); renew it`,
      );
    if (status === 404) throw this.#fault('NotFound', `${registry} has no such image; check name and tag`);
    throw this.#fault('Unreachable', `${registry} answered ${status}; it is tried again`);
  }

  #parse(bytes: Uint8Array): unknown {
    try {
      return JSON.parse(Buffer.from(bytes).toString('utf8'));
    } catch (error) {
      throw this.#fault('NoRelease', 'its manifest is not JSON', error);
    }
  }

  #fault(reason: ConstructorParameters<typeof ReleaseError>[0], message: string, cause?: unknown): ReleaseError {
    const { registry, repository } = this.#image;
    return new ReleaseError(reason, `image ${registry}/${repository}: ${message}`, { cause });
  }
}

/** Reads a body of at most the given size. */
async function collect({ body }: RegistryResponse, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > most)
        throw new ReleaseError('NoRelease', `the registry sent more than ${most} bytes for one part of an image`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ReleaseError) throw error;
    throw new ReleaseError(
      'Unreachable',
      `the connection to the registry broke (${reasonOf(error)}); it is tried again`,
      { cause: error },
    );
  }
  return Buffer.concat(chunks);
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return code ?? error.message;
}
