import type { X509Certificate } from 'node:crypto';
import { NodeLifecycleController, SharedInformers } from '@capstan/cluster';
import { Client, silentLogger } from '@capstan/kube';
import type { Logger } from '@capstan/kube';
import { apiErrors } from '@capstan/meta';
import type { ApiError, UserInfo } from '@capstan/meta';
import type { ApiRequest, ApiResponse, Clock, Random } from '@capstan/meta';
import { CERTIFICATE_CONTROLLER, GUEST_CONTROLLERS, GuestCluster } from './guest-cluster.js';
import type { KeptGuest } from './guest-cluster.js';
import { KnownServers, userOfCertificate } from './known-servers.js';
import { certificateControllers } from './signer.js';

export interface GuestsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger?: Logger | undefined;
  /** Where guests are reached, each below it by a path of its own. Default: a name that leads nowhere but here. */
  readonly baseUrl?: (() => string) | undefined;
  /** CA of the certificate guests are served with. */
  readonly servingCaPem?: string | undefined;
  /** Servers known besides. */
  readonly known?: KnownServers | undefined;
  /** Where a guest is kept, if anywhere. */
  readonly keep?: ((namespace: string, name: string) => KeptGuest | undefined) | undefined;
  readonly isSimulated?: boolean | undefined;
}

const NOWHERE = 'https://guests.capstan.internal:6443';
/** Names, between {@link Guests.vouchFor} and {@link Guests.handle}, the guest whose CA signed. */
const ISSUED_BY = 'capstan.internal/issued-by';
const GUEST_PATH = /^\/clusters\/([^/?]+)\/([^/?]+)(\/.*|\?.*)?$/;

/** The path below which a guest is served. */
export function guestPath(namespace: string, name: string): string {
  return `/clusters/${namespace}/${name}`;
}

interface Running {
  readonly guest: GuestCluster;
  readonly stop: AbortController;
  readonly forget: () => void;
}

/** The guest clusters of a management cluster. */
export class Guests {
  /** Every server of this process that a kubeconfig may name. */
  readonly known: KnownServers;
  readonly #options: GuestsOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: GuestsOptions) {
    this.#options = options;
    this.known = options.known ?? new KnownServers(options.clock);
  }

  /** The cluster; made, with its controllers, when it is first asked for. */
  ensure(namespace: string, name: string): GuestCluster {
    const key = `${namespace}/${name}`;
    const found = this.#running.get(key);
    if (found !== undefined) return found.guest;
    const { baseUrl = () => NOWHERE, clock, isSimulated, random, servingCaPem } = this.#options;
    const url = `${baseUrl()}${guestPath(namespace, name)}`;
    const chance = random.split(`guest ${key}`);
    const kept = this.#options.keep?.(namespace, name);
    const guest = new GuestCluster({ namespace, name, clock, random: chance, url, servingCaPem, isSimulated, kept });
    const stop = new AbortController();
    this.#running.set(key, { guest, stop, forget: this.known.add(url, guest) });
    this.#control(guest, chance, stop.signal);
    return guest;
  }

  get(namespace: string, name: string): GuestCluster | undefined {
    return this.#running.get(`${namespace}/${name}`)?.guest;
  }

  /** Ends a cluster with everything in it. */
  remove(namespace: string, name: string): void {
    const key = `${namespace}/${name}`;
    const running = this.#running.get(key);
    running?.stop.abort();
    running?.forget();
    this.#running.delete(key);
  }

  /** Ends all of them. */
  stop(): void {
    for (const { guest } of this.#running.values()) this.remove(guest.namespace, guest.name);
  }

  /** Whose certificate it is, whichever guest issued it. Good for that guest alone: {@link handle} sees to it. */
  vouchFor(certificate: X509Certificate): UserInfo | undefined {
    for (const [key, { guest }] of this.#running) {
      const user = userOfCertificate(certificate, guest.clientCa(), this.#options.clock.now());
      if (user !== undefined) return { ...user, extra: { [ISSUED_BY]: [key] } };
    }
    return undefined;
  }

  /** Answers a request to a guest by its path; others are not found. */
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const [, namespace = '', name = '', rest = '/'] = GUEST_PATH.exec(request.target) ?? [];
    const key = `${namespace}/${name}`;
    const guest = this.#running.get(key)?.guest;
    if (guest === undefined)
      return refusal(apiErrors.notFound({ group: 'cluster.x-k8s.io', resource: 'clusters' }, key));
    const target = rest.startsWith('/') ? rest : `/${rest}`;
    const { extra, ...user } = request.user ?? {};
    if (extra === undefined) return guest.handle({ ...request, target });
    if (extra[ISSUED_BY]?.[0] !== key) return refusal(apiErrors.unauthorized());
    return guest.handle({ ...request, target, user: user as UserInfo });
  }

  #control(guest: GuestCluster, random: Random, signal: AbortSignal): void {
    const { clock, logger = silentLogger() } = this.#options;
    const transport = guest.server;
    const user = GUEST_CONTROLLERS;
    const signer = certificateControllers({
      transport,
      clock,
      random: random.split('signer'),
      logger,
      client: { user: CERTIFICATE_CONTROLLER, userAgent: 'kube-controller-manager' },
      ca: guest.ca,
    });
    const client = new Client(transport, { clock, random: random.split('controllers'), user });
    const informers = new SharedInformers({ client, clock, random: random.split('informers'), logger });
    const nodes = new NodeLifecycleController({ client, clock, random: random.split('nodes'), logger, informers });
    const failed = (error: unknown): void =>
      logger.error('a controller of a guest cluster ended', { guest: guest.name, error: String(error) });
    signer.run(signal).catch(failed);
    nodes.start(signal).catch(failed);
  }
}

function refusal({ code, status }: ApiError): ApiResponse {
  const chunks = [new TextEncoder().encode(JSON.stringify(status))];
  const headers = { 'content-type': 'application/json' };
  return { status: code, headers, body: { type: 'payload', chunks: () => chunks, value: () => status } };
}
