import { ApiServer, tokenAuthenticator } from '@capstan/apiserver';
import type { ApiServerOptions } from '@capstan/apiserver';
import { TransportError } from '@capstan/kube';
import type { ApiRequest, ApiResponse, Clock, Random, UserInfo } from '@capstan/meta';
import type { KnownServer, KnownServers } from '../guests/known-servers.js';

export interface HostedGuestsOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Where guests become known by their URLs. */
  readonly known: KnownServers;
  /** Opens what is kept of a guest between one run of this process and the next; by its control plane namespace. */
  readonly keep?: ((namespace: string) => Promise<ApiServerOptions['durable']>) | undefined;
  /** How the API server of a guest reaches kubelets and pods; by its control plane namespace. Default: not at all. */
  readonly reach?: ((namespace: string) => Pick<ApiServerOptions, 'nodes' | 'pods'>) | undefined;
  /** Called when a guest is deleted for good. */
  readonly forget?: ((namespace: string) => void) | undefined;
}

/** How a guest identifies its callers. */
export interface GuestTrust {
  /** Whose client certificates it believes, PEM. */
  readonly clientCa: string;
  readonly tokens: ReadonlyMap<string, UserInfo>;
}

const NO_TOKENS: ReadonlyMap<string, UserInfo> = new Map();

/** An API server of a hosted cluster: its etcd keeps its data, whether a process serves it or not. */
export class HostedGuest implements KnownServer {
  readonly server: ApiServer;
  readonly #trusts = new Set<GuestTrust>();
  /** That of who was raised last. */
  #trust: GuestTrust | undefined;

  constructor(options: Omit<ApiServerOptions, 'authenticate' | 'authorization'>) {
    this.server = new ApiServer({
      ...options,
      authorization: 'rbac',
      authenticate: (request) => tokenAuthenticator(this.#trust?.tokens ?? NO_TOKENS)(request),
    });
  }

  /** Serves it until the function is called. Several may at once, as the replicas of a control plane do. */
  raise(trust: GuestTrust): () => void {
    this.#trusts.add(trust);
    this.#settle();
    return () => {
      this.#trusts.delete(trust);
      this.#settle();
    };
  }

  /** No process serves it any more: for callers that stop servers which cannot report that themselves. */
  lower(): void {
    this.#trusts.clear();
    this.#settle();
  }

  get isUp(): boolean {
    return this.#trusts.size > 0;
  }

  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    if (this.isUp) return this.server.handle(request);
    return Promise.reject(
      new TransportError(
        'ECONNREFUSED',
        'connection refused: no kube-apiserver of the hosted cluster is running',
        false,
      ),
    );
  }

  clientCa(): string | undefined {
    return this.#trust?.clientCa;
  }

  #settle(): void {
    this.#trust = [...this.#trusts].at(-1);
  }
}

/** The hosted clusters of a management cluster, by their control plane namespaces. */
export class HostedGuests {
  readonly #options: HostedGuestsOptions;
  readonly #guests = new Map<string, { readonly guest: HostedGuest; readonly forget: (() => void)[] }>();

  constructor(options: HostedGuestsOptions) {
    this.#options = options;
  }

  /** The guest of a namespace, with what was kept of it. */
  async open(namespace: string): Promise<HostedGuest> {
    const found = this.#guests.get(namespace)?.guest;
    return found ?? this.ensure(namespace, await this.#options.keep?.(namespace));
  }

  /** The guest of a namespace; made when it is first asked for. */
  ensure(namespace: string, durable?: ApiServerOptions['durable']): HostedGuest {
    const found = this.#guests.get(namespace);
    if (found !== undefined) return found.guest;
    const { clock, random, reach } = this.#options;
    const guest = new HostedGuest({
      ...reach?.(namespace),
      clock,
      random: random.split(`guest ${namespace}`),
      ...(durable === undefined ? {} : { durable }),
    });
    this.#guests.set(namespace, { guest, forget: [] });
    return guest;
  }

  /** Makes a guest known by one more URL. */
  answersAt(namespace: string, url: string): void {
    const guest = this.ensure(namespace);
    this.#guests.get(namespace)?.forget.push(this.#options.known.add(url, guest));
  }

  get(namespace: string): HostedGuest | undefined {
    return this.#guests.get(namespace)?.guest;
  }

  get namespaces(): readonly string[] {
    return [...this.#guests.keys()];
  }

  /** Ends a guest with everything in it. */
  remove(namespace: string): void {
    for (const forget of this.#guests.get(namespace)?.forget ?? []) forget();
    if (this.#guests.delete(namespace)) this.#options.forget?.(namespace);
  }
}
