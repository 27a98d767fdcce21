import type { Client } from '@capstan/kube';
import type { Clock, KubeObject, Transport } from '@capstan/meta';
import { ENDPOINT_SLICES } from '../kinds.js';

/** The way to one API server. */
export interface ApiServerAccess {
  readonly name: string;
  readonly transport: Transport;
}

interface EndpointSlice extends KubeObject {
  readonly endpoints?: readonly { readonly addresses?: readonly string[] | null }[] | null;
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
}

/** What the API servers of a cluster are found with. */
export interface ApiServersOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The way everything else goes: to whichever server answers. */
  readonly main: Transport;
  /** The way to the server at a URL; absent: there is no way to a single one. */
  readonly connect?: ((url: string) => Transport) | undefined;
}

/** The Service that every API server lists itself behind. */
export const OWN_SERVICE = { namespace: 'default', name: 'kubernetes' } as const;
const LOOK_AGAIN_MS = 10_000;

/** The URLs of API servers, from the slices they write of themselves. */
export function urlsOf(slices: readonly EndpointSlice[]): readonly string[] {
  const urls = slices.flatMap(({ endpoints, ports }) => {
    const port = ports?.find(({ name }) => name === 'https')?.port ?? 443;
    const addresses = endpoints?.flatMap((endpoint) => endpoint.addresses ?? []) ?? [];
    return addresses.map((address) => `https://${address.includes(':') ? `[${address}]` : address}:${port}`);
  });
  return [...new Set(urls)].sort();
}

/** The API servers of a cluster: whichever answers, and where there are several, each by itself. */
export class ApiServers {
  readonly #options: ApiServersOptions;
  readonly #ways = new Map<string, Transport>();
  #known: readonly ApiServerAccess[];
  #lookAt = -Infinity;

  constructor(options: ApiServersOptions) {
    this.#options = options;
    this.#known = [{ name: 'any', transport: options.main }];
  }

  /** Those that were there when they were last looked for; the first one is whichever answers. */
  get known(): readonly ApiServerAccess[] {
    return this.#known;
  }

  /** Looks for them, unless that was a moment ago. Who may not read of them knows the one that answers. */
  async find(signal?: AbortSignal): Promise<readonly ApiServerAccess[]> {
    const { client, clock, connect } = this.#options;
    if (connect === undefined || clock.now() < this.#lookAt) return this.#known;
    this.#lookAt = clock.now() + LOOK_AGAIN_MS;
    const labelSelector = `kubernetes.io/service-name=${OWN_SERVICE.name}`;
    const urls = await client
      .list<EndpointSlice>(ENDPOINT_SLICES, { namespace: OWN_SERVICE.namespace, labelSelector, signal })
      .then(({ items }) => urlsOf(items))
      .catch(() => undefined);
    if (urls === undefined) return this.#known;
    const single = urls.length < 2 ? [] : urls.map((url) => ({ name: url, transport: this.#way(url, connect) }));
    this.#known = [{ name: 'any', transport: this.#options.main }, ...single];
    return this.#known;
  }

  #way(url: string, connect: (url: string) => Transport): Transport {
    let transport = this.#ways.get(url);
    if (transport === undefined) this.#ways.set(url, (transport = connect(url)));
    return transport;
  }
}
