import { readFile } from 'node:fs/promises';
import type { Clock } from '@capstan/meta';
import { errorText } from '@capstan/kube/connect';
import type { ClientCertificate, Connection, Credentials } from '@capstan/kube/connect';
import type { ProxyNetwork } from '../config.js';
import { ProxyError } from '../errors.js';
import { Dialler } from './dial.js';
import type { Identity } from './dial.js';
import { Wire } from './wire.js';

/** Idle connections kept for later; more are closed. */
const MAX_IDLE_WIRES = 64;
/** Servers close idle connections after 90 s: ours end before. */
const IDLE_MS = 55_000;
/** How long a file of CAs is trusted without looking at it again. */
const CA_TTL_MS = 10_000;

interface Idle {
  readonly wire: Wire;
  readonly since: number;
}

/**
 * The connections to the server. There is no shared limit: each request gets an idle one or a new one, so watches
 * wait for nobody and nobody waits for watches. As many are open as clients have requests under way.
 */
export class WirePool {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #dialler: Dialler;
  readonly #open = new Set<Wire>();
  #idle: Idle[] = [];
  #identity: Identity;
  #checkedAt: number;
  #isClosed = false;

  constructor(connection: Connection, clock: Clock, dial?: ProxyNetwork['dial']) {
    this.#connection = connection;
    this.#clock = clock;
    this.#dialler = new Dialler(connection, dial);
    this.#identity = { caPem: connection.trust.caPem, certificate: undefined };
    this.#checkedAt = clock.monotonic();
  }

  /** Connections that are open. */
  get size(): number {
    return this.#open.size;
  }

  /** What a request is authenticated with at this moment. */
  credentials(): Credentials | Promise<Credentials> {
    const failed = (error: unknown): never => {
      throw new ProxyError('no-credentials', errorText(error), error);
    };
    try {
      const found = this.#connection.credentials.get();
      // Most are at hand: nobody waits a turn for those.
      return found instanceof Promise ? found.catch(failed) : found;
    } catch (error) {
      return failed(error);
    }
  }

  /** Asks for other credentials after the server refused these; false when there are no others. */
  refresh(): boolean {
    return this.#connection.credentials.refresh();
  }

  /** An idle connection of this identity, the one used last. */
  take(certificate: ClientCertificate | undefined): Wire | undefined {
    const oldest = this.#clock.monotonic() - IDLE_MS;
    for (let entry = this.#idle.pop(); entry !== undefined; entry = this.#idle.pop()) {
      const { wire, since } = entry;
      if (since >= oldest && wire.identity === this.#identity && wire.identity.certificate === certificate) return wire;
      wire.destroy();
    }
    return undefined;
  }

  /** A new connection. */
  async dial(certificate: ClientCertificate | undefined, allowHalfOpen = false): Promise<Wire> {
    const identity = await this.#identityOf(certificate);
    const tap = { take: (): void => {} };
    const socket = await this.#dialler.dial(identity, allowHalfOpen ? { allowHalfOpen } : { allowHalfOpen, tap });
    if (this.#isClosed) {
      socket.destroy();
      throw new ProxyError('stopping', 'the proxy is being stopped');
    }
    const wire = new Wire({ socket, tap: allowHalfOpen ? undefined : tap }, identity, this);
    this.#open.add(wire);
    return wire;
  }

  /** Called by a wire that is done with a request. */
  idle(wire: Wire): void {
    if (this.#isClosed || wire.identity !== this.#identity || this.#idle.length >= MAX_IDLE_WIRES) wire.destroy();
    else this.#idle.push({ wire, since: this.#clock.monotonic() });
  }

  /** Called by a wire that is gone. */
  closed(wire: Wire): void {
    this.#open.delete(wire);
    const at = this.#idle.findIndex((entry) => entry.wire === wire);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  /** Drops every connection. */
  close(): void {
    this.#isClosed = true;
    this.#idle = [];
    for (const wire of this.#open) wire.destroy();
  }

  /** The same object as long as nothing changed. */
  async #identityOf(certificate: ClientCertificate | undefined): Promise<Identity> {
    const caPem = await this.#cas();
    if (caPem !== this.#identity.caPem || certificate !== this.#identity.certificate)
      this.#identity = { caPem, certificate };
    return this.#identity;
  }

  /** CA bundles in files are renewed by other processes. */
  async #cas(): Promise<string | undefined> {
    const { caFile } = this.#connection.trust;
    const known = this.#identity.caPem;
    if (caFile === undefined || this.#clock.monotonic() - this.#checkedAt < CA_TTL_MS) return known;
    this.#checkedAt = this.#clock.monotonic();
    const text = await readFile(caFile, 'utf8').catch(() => '');
    // A renewal may catch the file half way: the old CAs are better than none.
    return text.includes('-----END CERTIFICATE-----') ? text : known;
  }
}
